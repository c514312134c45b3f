//! Records that count.

use std::sync::Arc;

use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::{TaskId, TaskRecord};
use pm_mcp_ports::driven::{ReplaceError, TaskStore};

use super::dice::Dice;
use super::lives::{CLIENTS, tell};
use crate::law::{Outcome, Violation, ensure};

/// How many records the clients share.
pub(super) const COUNTERS: u8 = 16;

/// What a process tells when another one was faster.
pub(super) const CONFLICT: &str = "conflict";

pub(super) fn counter(number: u8) -> TaskRecord {
    TaskRecord {
        id: TaskId::from_random(&[number; TaskId::RANDOM_BYTES]),
        principal: Principal::local("ann"),
        due: None,
        finished: false,
        body: 0_u64.to_be_bytes().to_vec(),
    }
}

pub(super) fn counted(record: &TaskRecord) -> Result<u64, Violation> {
    Ok(u64::from_be_bytes(record.body.as_slice().try_into()?))
}

/// What a process tells once it has opened the store; it begins when a line comes in.
pub(super) const READY: &str = "ready";

/// Lets the clients share this many additions, once all processes have opened the store.
pub(super) async fn count(store: Arc<dyn TaskStore>, times: usize) -> Outcome {
    tell(READY)?;
    ensure!(std::io::stdin().read_line(&mut String::new())? > 0, "nobody said when to begin");
    let clients: Vec<_> = (0..CLIENTS)
        .map(|client| {
            let store = Arc::clone(&store);
            tokio::spawn(async move { add(&*store, times / usize::from(CLIENTS), client).await })
        })
        .collect();
    for client in clients {
        client.await??;
    }
    Ok(())
}

/// Adds one to one counter after the other and tells each revision.
async fn add(store: &dyn TaskStore, times: usize, client: u8) -> Outcome {
    let mut dice = Dice(u64::from(std::process::id()) << 8 | u64::from(client));
    for _ in 0..times {
        let id = counter(dice.below(u64::from(COUNTERS)).to_le_bytes()[0]).id;
        loop {
            let stored = store.load(&id).await?;
            let mut stored = stored.ok_or_else(|| Violation::new("a counter is not there"))?;
            stored.record.body = (counted(&stored.record)? + 1).to_be_bytes().to_vec();
            match store.replace(&stored.record, stored.revision).await {
                Ok(revision) => break tell(&format!("revision {revision}"))?,
                Err(ReplaceError::Conflict) => tell(CONFLICT)?,
                Err(fault) => return Err(fault.into()),
            }
        }
    }
    Ok(())
}
