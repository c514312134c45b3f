//! Records that are created, changed, finished and removed, for as long as the process lives.

use std::io::Write as _;
use std::sync::Arc;

use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::{TaskId, TaskRecord};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{Revision, TaskStore};

use super::dice::Dice;
use crate::law::{Outcome, Violation};

/// How many clients a process has.
pub(super) const CLIENTS: u8 = 4;

/// How many steps a record has: created, changed, finished.
pub(super) const STEPS: u8 = 5;

/// A record: which round, which client, and which one of that client's.
pub(super) type Name = (u64, u8, u32);

/// A line in one write, so that a killed process leaves whole lines.
pub(super) fn tell(line: &str) -> std::io::Result<()> {
    std::io::stdout().lock().write_all(format!("{line}\n").as_bytes())
}

pub(super) fn id((round, client, life): Name) -> TaskId {
    let mut random = [0; TaskId::RANDOM_BYTES];
    let [.., spread] = life.to_be_bytes();
    let parts = [spread, client].into_iter().chain(life.to_be_bytes()).chain(round.to_be_bytes());
    for (byte, part) in random.iter_mut().zip(parts) {
        *byte = part;
    }
    TaskId::from_random(&random)
}

/// The record at a step. Some bodies are longer than what stores keep beside the record's columns.
pub(super) fn record(name: Name, step: u8) -> TaskRecord {
    let (_, client, life) = name;
    let mut dice = Dice(u64::from(life) << 16 | u64::from(client) << 8 | u64::from(step));
    let length = if dice.below(16) == 0 { 66_000 + dice.below(20_000) } else { dice.below(12_000) };
    let body = (0..length).map(|_| dice.below(256).to_le_bytes()[0]).collect();
    TaskRecord {
        id: id(name),
        principal: Principal::local("ann"),
        due: (step != 1).then(|| Timestamp::from_unix_ms(i64::from(step))),
        finished: step + 1 == STEPS,
        body,
    }
}

/// Lets every client live until the process is killed.
pub(super) async fn live(store: Arc<dyn TaskStore>, round: u64) -> Outcome {
    let clients: Vec<_> = (0..CLIENTS)
        .map(|client| {
            let store = Arc::clone(&store);
            tokio::spawn(async move { lives(&*store, round, client).await })
        })
        .collect();
    for client in clients {
        client.await??;
    }
    Ok(())
}

/// Each step is told before it is tried and when it is acknowledged.
async fn lives(store: &dyn TaskStore, round: u64, client: u8) -> Result<(), Violation> {
    for life in 0..u32::MAX {
        let name = (round, client, life);
        let mut revision = Revision::from_u64(0);
        for step in 0..STEPS {
            let record = record(name, step);
            tell(&format!("try {client} {life} {step}"))?;
            revision = match step {
                0 => store.create(&record).await?,
                _ => store.replace(&record, revision).await?,
            };
            tell(&format!("did {client} {life} {step} {revision}"))?;
        }
        if life % 3 == 0 {
            tell(&format!("try {client} {life} {STEPS}"))?;
            store.remove(&id(name), revision).await?;
            tell(&format!("did {client} {life} {STEPS} 0"))?;
        }
    }
    Ok(())
}
