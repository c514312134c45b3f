//! What all doors of an engine share.

use std::sync::Arc;

use pm_mcp_domain::subscription::Offers;
use pm_mcp_domain::wire::{DiscoverResult, Rendered, ServerCapabilities, ServerIdentity};

use crate::build::BuildError;
use crate::catalogue::Catalogue;
use crate::hub::Hub;
use crate::list::Lists;
use crate::ports::Ports;
use crate::settings::{Limits, Settings};
use crate::tasks::Tasks;

/// What all doors of an engine share.
#[derive(Debug)]
pub(crate) struct Core {
    pub(crate) catalogue: Catalogue,
    pub(crate) identity: ServerIdentity,
    pub(crate) ports: Ports,
    pub(crate) limits: Limits,
    pub(crate) lists: Lists,
    pub(crate) hub: Arc<Hub>,
    pub(crate) tasks: Option<Arc<Tasks>>,
    pub(crate) capabilities: ServerCapabilities,
    pub(crate) discovery: Rendered,
}

impl Core {
    pub(crate) fn new(catalogue: Catalogue, settings: Settings, ports: Ports) -> Result<Self, BuildError> {
        let length = settings.instructions.as_ref().map_or(0, |text| text.chars().count());
        if length > DiscoverResult::INSTRUCTIONS_LIMIT {
            return Err(BuildError::Instructions { length, limit: DiscoverResult::INSTRUCTIONS_LIMIT });
        }
        let identity = ServerIdentity::new(settings.implementation.clone());
        let capabilities = ServerCapabilities { tasks: ports.tasks.is_some(), ..catalogue.capabilities() };
        let discovery = Rendered::new(
            &identity,
            &DiscoverResult {
                capabilities,
                instructions: settings.instructions.clone(),
                cache: settings.caches.discover,
            },
        )?;
        let lists = Lists::new(&catalogue, &identity, &settings)?;
        let hub = Arc::new(Hub::new(settings.limits.hub));
        let tasks = match &ports.tasks {
            None => None,
            Some(store) => {
                Some(Arc::new(Tasks::new(Arc::clone(store), &ports, Arc::clone(&hub), settings.tasks)?))
            }
        };
        Ok(Self {
            catalogue,
            identity,
            ports,
            limits: settings.limits,
            lists,
            hub,
            tasks,
            capabilities,
            discovery,
        })
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
}
