//! The bus in memory against every law.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::sync::Arc;

use pm_mcp_contract::{ChangeBusHarness, HarnessError, async_trait, change_bus_contract};
use pm_mcp_memory::MemoryChangeBus;
use pm_mcp_ports::driven::ChangeBus;

change_bus_contract!(InMemory);

const WAITING: usize = 128;

struct InMemory;

#[async_trait]
impl ChangeBusHarness for InMemory {
    type Guard = ();

    async fn fresh(&self) -> Result<([Arc<dyn ChangeBus>; 2], ()), HarnessError> {
        let bus = MemoryChangeBus::with_waiting(WAITING.try_into()?);
        Ok(([Arc::new(bus.member()), Arc::new(bus)], ()))
    }

    fn most_waiting(&self) -> usize {
        WAITING
    }
}
