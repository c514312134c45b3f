//! What all doors of an engine share.

use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;
use pm_mcp_domain::fault::Rejection;
use pm_mcp_domain::ident::RequestId;
use pm_mcp_domain::request::{Admitted, Binding, Verdict, judge_with};
use pm_mcp_domain::trace::{BaggageKeys, TraceContext};
use pm_mcp_domain::wire::{DiscoverResult, ServerIdentity};
use pm_mcp_ports::driven::{ObservedRequest, RequestEnd};
use pm_mcp_ports::driving::{Answer, Inbound, LimitCounts};

use crate::access::Gate;
use crate::answer::rejected;
use crate::build::BuildError;
use crate::catalogue::{Catalogue, CatalogueBuilder, Execution};
use crate::extension::ExtensionTable;
use crate::hub::Hub;
use crate::last_client::LastClient;
use crate::load::Load;
use crate::ports::Ports;
use crate::settings::Settings;
use crate::surface::Surface;
use crate::tasks::Tasks;

/// What all doors of an engine share.
#[derive(Debug)]
pub(crate) struct Core {
    pub(crate) identity: ServerIdentity,
    pub(crate) ports: Ports,
    pub(crate) settings: Settings,
    pub(crate) extensions: ExtensionTable,
    pub(crate) hub: Arc<Hub>,
    pub(crate) load: Load,
    pub(crate) limit_counts: Arc<LimitCounts>,
    pub(crate) tasks: Option<Arc<Tasks>>,
    pub(crate) last_client: LastClient,
    /// Asks callers for tokens; `None` where nobody has to show one.
    pub(crate) gate: Option<Gate>,
    /// Read by every request without a lock.
    surface: ArcSwap<Surface>,
    /// Held while the surface is changed, so that of two changes none is lost.
    editing: Mutex<()>,
}

impl Core {
    pub(crate) fn new(catalogue: Catalogue, settings: Settings, ports: Ports) -> Result<Self, BuildError> {
        let length = settings.instructions.as_ref().map_or(0, |text| text.chars().count());
        if length > DiscoverResult::INSTRUCTIONS_LIMIT {
            return Err(BuildError::Instructions { length, limit: DiscoverResult::INSTRUCTIONS_LIMIT });
        }
        let name = settings.implementation.title.clone();
        let gate = match (settings.access.clone(), ports.verifier.clone()) {
            (None, None) => None,
            (Some(access), Some(verifier)) => {
                Some(Gate::new(access, verifier, name.as_deref(), &catalogue.scopes()))
            }
            (Some(_), None) => return Err(BuildError::NoVerifier),
            (None, Some(_)) => return Err(BuildError::NoPolicy),
        };
        let identity = ServerIdentity::new(settings.implementation.clone());
        let extensions = ExtensionTable::new(&settings.extensions, ports.tasks.is_some(), &*ports.schemas)?;
        check_tasks(&catalogue, ports.tasks.is_some())?;
        catalogue.check_needs(extensions.known())?;
        let surface = Surface::new(catalogue, &identity, &settings, extensions.known())?;
        let limit_counts = Arc::<LimitCounts>::default();
        let hub = Hub::with_bus(settings.limits.hub, ports.bus.clone()).counting(Arc::clone(&limit_counts));
        let hub = Arc::new(hub);
        let load = Load::new(settings.limits.requests);
        let tasks = match &ports.tasks {
            None => None,
            Some(store) => {
                let hub = Arc::clone(&hub);
                Some(Arc::new(Tasks::new(store, &ports, hub, settings.tasks, &limit_counts)?))
            }
        };
        let surface = ArcSwap::from_pointee(surface);
        Ok(Self {
            identity,
            ports,
            settings,
            extensions,
            hub,
            load,
            limit_counts,
            tasks,
            last_client: LastClient::default(),
            gate,
            surface,
            editing: Mutex::default(),
        })
    }

    /// Tells whoever watches requests that one begins.
    pub(crate) fn observe(
        &self,
        request: &Admitted<'_>,
        binding: Binding<'_>,
    ) -> Option<Box<dyn RequestEnd>> {
        let observer = self.ports.observer.as_ref()?;
        let (headers, binding) = match binding {
            Binding::Http(headers) => (Some(headers), "http"),
            Binding::Stdio => (None, "stdio"),
        };
        let trace = TraceContext::extract(&request.meta.trace, headers, &BaggageKeys::default());
        Some(observer.begin(&ObservedRequest { method: request.method.as_str(), binding, trace: &trace }))
    }

    /// Judges a message within the limits of the settings.
    pub(crate) fn judge<'a>(&self, inbound: &Inbound<'a>) -> Verdict<'a> {
        judge_with(inbound.bytes, inbound.binding, self.extensions.known(), self.settings.limits.json_depth)
    }

    /// Writes the answer to a message that was refused before dispatch, and counts it where a limit was reached.
    pub(crate) fn refuse(&self, id: Option<RequestId<'_>>, rejection: &Rejection) -> Answer {
        if let Some(limit) = rejection.limit() {
            self.limit_counts.count(limit);
        }
        if let Some(observer) = &self.ports.observer {
            observer.refused(rejection.code());
        }
        rejected(id, rejection)
    }

    /// What the server offers now.
    pub(crate) fn surface(&self) -> Arc<Surface> {
        self.surface.load_full()
    }

    /// Changes what the server offers, all or nothing, and tells everyone who listens what changed.
    pub(crate) fn edit(
        &self,
        edit: impl FnOnce(&mut CatalogueBuilder) -> Result<(), BuildError>,
    ) -> Result<(), BuildError> {
        let _one_at_a_time = self.editing.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.surface();
        let mut builder =
            CatalogueBuilder::from_catalogue(Arc::clone(&self.ports.schemas), before.catalogue.clone());
        edit(&mut builder)?;
        let catalogue = builder.build();
        check_tasks(&catalogue, self.tasks.is_some())?;
        catalogue.check_needs(self.extensions.known())?;
        let next = Surface::new(catalogue, &self.identity, &self.settings, self.extensions.known())?;
        let changes = before.changes(&next);
        self.surface.store(Arc::new(next));
        for change in &changes {
            self.hub.publish(change);
        }
        Ok(())
    }
}

/// A tool that runs as a task only needs somewhere to keep tasks.
fn check_tasks(catalogue: &Catalogue, has_store: bool) -> Result<(), BuildError> {
    let only = |execution| matches!(execution, Execution::TaskOnly);
    match catalogue.tool_entries.iter().find(|(_, entry)| only(entry.execution)) {
        Some((name, _)) if !has_store => Err(BuildError::NoTaskStore(name.clone())),
        Some(_) | None => Ok(()),
    }
}
