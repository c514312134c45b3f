//! What all doors of an engine share.

use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;
use pm_mcp_domain::wire::{DiscoverResult, ServerIdentity};

use crate::access::Gate;
use crate::build::BuildError;
use crate::catalogue::{Catalogue, CatalogueBuilder, Execution};
use crate::extension::ExtensionTable;
use crate::hub::Hub;
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
    pub(crate) tasks: Option<Arc<Tasks>>,
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
        let hub = Arc::new(Hub::with_bus(settings.limits.hub, ports.bus.clone()));
        let tasks = match &ports.tasks {
            None => None,
            Some(store) => {
                Some(Arc::new(Tasks::new(Arc::clone(store), &ports, Arc::clone(&hub), settings.tasks)?))
            }
        };
        let surface = ArcSwap::from_pointee(surface);
        Ok(Self {
            identity,
            ports,
            settings,
            extensions,
            hub,
            tasks,
            gate,
            surface,
            editing: Mutex::default(),
        })
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
