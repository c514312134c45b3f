//! What the server offers at one moment. Changes make another; requests keep the one that they began with.

use pm_mcp_domain::access::Scopes;
use pm_mcp_domain::extension::{ExtensionId, Extensions};
use pm_mcp_domain::subscription::{Change, Offers};
use pm_mcp_domain::wire::{DiscoverResult, Rendered, ServerCapabilities, ServerIdentity};

use crate::access::Views;
use crate::build::BuildError;
use crate::catalogue::Catalogue;
use crate::list::Lists;
use crate::settings::Settings;

/// What the server offers at one moment, with all that can be written down before a request comes.
#[derive(Debug)]
pub(crate) struct Surface {
    pub(crate) catalogue: Catalogue,
    pub(crate) lists: Lists,
    pub(crate) capabilities: ServerCapabilities,
    pub(crate) discovery: Rendered,
    /// Whether something stands around the calls of some tool.
    pub(crate) intercepts_tools: bool,
    /// Every scope that some entry always needs.
    pub(crate) scopes: Scopes,
    /// The lists of callers who do not see everything.
    pub(crate) views: Views,
}

impl Surface {
    pub(crate) fn new(
        catalogue: Catalogue,
        identity: &ServerIdentity,
        settings: &Settings,
        extensions: &Extensions,
    ) -> Result<Self, BuildError> {
        let capabilities =
            ServerCapabilities { tasks: extensions.offers(ExtensionId::TASKS), ..catalogue.capabilities() };
        let discovery = Rendered::new(
            identity,
            &DiscoverResult {
                capabilities,
                extensions: extensions.clone(),
                instructions: settings.instructions.clone(),
                cache: settings.caches.discover,
            },
        )?;
        let Catalogue { tools, templates, prompts, .. } = &catalogue;
        let lists = Lists::new(tools, templates, prompts, identity, settings, settings.caches)?;
        let scopes = catalogue.scopes();
        let intercepts_tools = catalogue.tool_entries.values().any(|entry| !entry.interceptors.is_empty());
        let views = Views::default();
        Ok(Self { catalogue, lists, capabilities, discovery, intercepts_tools, scopes, views })
    }

    /// The kinds of change that the server tells of.
    pub(crate) fn offers(&self) -> Offers {
        Offers {
            tools_list: self.capabilities.tools,
            prompts_list: self.capabilities.prompts,
            resources_list: self.capabilities.resources,
            resource_updates: self.capabilities.resources,
            tasks: self.capabilities.tasks,
        }
    }

    /// What clients have to hear when `next` takes the place of this.
    pub(crate) fn changes(&self, next: &Self) -> Vec<Change> {
        let (old, new) = (&self.catalogue, &next.catalogue);
        let mut changes = Vec::new();
        if old.tools != new.tools {
            changes.push(Change::ToolsListChanged);
        }
        if old.prompts != new.prompts {
            changes.push(Change::PromptsListChanged);
        }
        if old.resources != new.resources || old.templates != new.templates {
            changes.push(Change::ResourcesListChanged);
        }
        changes
    }
}
