//! Workers in memory against every law.

use std::sync::Arc;

use pm_mcp_contract::{HarnessError, WorkerLivenessHarness, async_trait, worker_liveness_contract};
use pm_mcp_memory::MemoryWorkerLiveness;
use pm_mcp_ports::driven::WorkerLiveness;

worker_liveness_contract!(InMemory);

struct InMemory;

#[async_trait]
impl WorkerLivenessHarness for InMemory {
    type Guard = ();

    async fn fresh(&self) -> Result<([Arc<dyn WorkerLiveness>; 2], ()), HarnessError> {
        let liveness = MemoryWorkerLiveness::default();
        Ok(([Arc::new(liveness.clone()), Arc::new(liveness)], ()))
    }
}
