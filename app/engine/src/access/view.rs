//! What callers of one class may know of: the lists as they see them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use pm_mcp_domain::cache::{CachePolicy, CacheScope};
use pm_mcp_domain::wire::{Prompt, Resource, ResourceTemplate, Tool};
use pm_mcp_ports::feature::Offer;

use crate::build::BuildError;
use crate::catalogue::Catalogue;
use crate::core::Core;
use crate::exchange::Request;
use crate::list::Lists;
use crate::settings::ListCaches;

/// How many classes have their lists kept. A policy with more classes pays for its lists each time.
const CLASSES: usize = 256;

/// The lists as callers of one class see them.
#[derive(Debug)]
pub(crate) struct View {
    pub(crate) tools: Vec<Tool>,
    pub(crate) resources: Vec<Resource>,
    pub(crate) templates: Vec<ResourceTemplate>,
    pub(crate) prompts: Vec<Prompt>,
    pub(crate) lists: Lists,
}

/// The views that were made of one surface.
#[derive(Default, Debug)]
pub(crate) struct Views(Mutex<BTreeMap<String, Arc<View>>>);

impl Views {
    fn find(&self, class: &str) -> Option<Arc<View>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(class).cloned()
    }

    fn keep(&self, class: String, view: &Arc<View>) {
        let mut views = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if views.len() >= CLASSES {
            views.clear();
        }
        views.insert(class, Arc::clone(view));
    }
}

impl View {
    fn new(
        catalogue: &Catalogue,
        core: &Core,
        shown: impl Fn(Offer<'_>) -> bool,
    ) -> Result<Self, BuildError> {
        let tools = kept(&catalogue.tools, |tool| shown(Offer::Tool(&tool.name)));
        let resources = kept(&catalogue.resources, |resource| shown(Offer::Resource(&resource.uri)));
        let templates = kept(&catalogue.templates, |template| shown(Offer::Template(&template.uri_template)));
        let prompts = kept(&catalogue.prompts, |prompt| shown(Offer::Prompt(&prompt.name)));
        let caches = private(core.settings.caches);
        let lists = Lists::new(&tools, &templates, &prompts, &core.identity, &core.settings, caches)?;
        Ok(Self { tools, resources, templates, prompts, lists })
    }
}

fn kept<T: Clone>(entries: &[T], shown: impl Fn(&T) -> bool) -> Vec<T> {
    entries.iter().filter(|entry| shown(entry)).cloned().collect()
}

/// Lists that depend on the caller are for the caller alone, whatever the host says of lists.
fn private(caches: ListCaches) -> ListCaches {
    let own = |policy: CachePolicy| CachePolicy { scope: CacheScope::Private, ..policy };
    ListCaches {
        discover: caches.discover,
        tools: own(caches.tools),
        resources: own(caches.resources),
        templates: own(caches.templates),
        prompts: own(caches.prompts),
    }
}

impl Request<'_> {
    /// The lists as the caller sees them; `None` where everyone sees everything.
    pub(crate) fn view(&self) -> Result<Option<Arc<View>>, BuildError> {
        let usable_only = self.core.settings.lists_usable_only && self.caller.access.is_some();
        if self.class.is_none() && !usable_only {
            return Ok(None);
        }
        let class = self.view_class(usable_only);
        if let Some(view) = self.surface.views.find(&class) {
            return Ok(Some(view));
        }
        let view = Arc::new(View::new(&self.surface.catalogue, &self.core, |offer| self.lists(offer))?);
        self.surface.views.keep(class, &view);
        Ok(Some(view))
    }

    /// Whether the lists of the caller name an offer.
    pub(crate) fn lists(&self, offer: Offer<'_>) -> bool {
        if !self.shows(offer) {
            return false;
        }
        let Some(access) = self.caller.access.as_deref().filter(|_| self.core.settings.lists_usable_only)
        else {
            return true;
        };
        let catalogue = &self.surface.catalogue;
        match offer {
            Offer::Tool(name) => {
                catalogue.tool(name).is_none_or(|entry| self.could_use(access, &entry.scopes.always))
            }
            Offer::Prompt(name) => {
                let entry = catalogue.prompt_entries.get(name);
                entry.is_none_or(|entry| self.could_use(access, &entry.scopes))
            }
            Offer::Template(template) => {
                let entry =
                    catalogue.template_entries.iter().find(|entry| entry.pattern.as_str() == template);
                entry.is_none_or(|entry| self.could_use(access, &entry.scopes))
            }
            Offer::Resource(uri) => {
                self.could_use(access, &catalogue.needs_of_resource(uri, |offer| self.shows(offer)))
            }
        }
    }

    /// What tells apart callers whose lists differ: the class that the host gives, then for each scope of the catalogue
    /// whether the caller holds it. The second part has one length for all callers, so that no two classes meet.
    fn view_class(&self, usable_only: bool) -> String {
        let mut class = self.class.as_deref().unwrap_or_default().to_owned();
        if let (true, Some(access)) = (usable_only, self.caller.access.as_deref()) {
            for scope in self.surface.scopes.iter() {
                let held = self
                    .core
                    .gate
                    .as_ref()
                    .is_some_and(|gate| gate.policy.hierarchy.covers(&access.scopes, scope));
                class.push(if held { '1' } else { '0' });
            }
        }
        class
    }
}
