//! What the processes do.

use std::io::Write as _;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::{TaskId, TaskRecord};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{ReplaceError, Revision, TaskStore};
use pm_mcp_postgres::{PgDatabase, PgTaskStore};

use crate::Dice;
use crate::laws::settings;
use crate::shared::COUNTERS;

const ROLE: &str = "PM_PG_ROLE";
const URL: &str = "PM_PG_URL";
const SCHEMA: &str = "PM_PG_SCHEMA";
const NUMBER: &str = "PM_PG_NUMBER";

/// How many clients a process has.
pub(crate) const CLIENTS: u8 = 4;

/// How many steps a record has: created, changed, finished.
pub(crate) const STEPS: u8 = 5;

/// What a process is started for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Role {
    /// Lives of records, until it is killed; `NUMBER` tells the rounds apart.
    Lives,
    /// Adding to counters, `NUMBER` times.
    Counting,
}

pub(crate) fn start(role: Role, url: &str, schema: &str, number: usize) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .env(ROLE, format!("{role:?}"))
        .env(URL, url)
        .env(SCHEMA, schema)
        .env(NUMBER, number.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

pub(crate) fn is_child() -> bool {
    std::env::var_os(ROLE).is_some()
}

pub(crate) fn child() {
    let settings = settings(&std::env::var(URL).unwrap(), &std::env::var(SCHEMA).unwrap());
    let number: usize = std::env::var(NUMBER).unwrap().parse().unwrap();
    let runtime = crate::runtime();
    let role = std::env::var(ROLE).unwrap();
    runtime.block_on(async {
        let store = Arc::new(PgTaskStore::new(&PgDatabase::connect(settings).await.unwrap()));
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let store = Arc::clone(&store);
                let share = number / usize::from(CLIENTS);
                match role.as_str() {
                    "Lives" => tokio::spawn(async move { lives(&store, number, client).await }),
                    _ => tokio::spawn(async move { count(&store, share, client).await }),
                }
            })
            .collect();
        for client in clients {
            client.await.unwrap();
        }
    });
}

/// A line in one write, so that a killed process leaves whole lines.
fn tell(line: &str) {
    std::io::stdout().lock().write_all(format!("{line}\n").as_bytes()).unwrap();
}

/// The record `life` of a client, at a step.
pub(crate) fn record(round: usize, client: u8, life: u32, step: u8) -> TaskRecord {
    let mut random = [0; TaskId::RANDOM_BYTES];
    random[0] = u8::try_from(life % 256).unwrap();
    random[1] = client;
    random[2..6].copy_from_slice(&life.to_be_bytes());
    random[6..14].copy_from_slice(&u64::try_from(round).unwrap().to_be_bytes());
    let seed = u64::from(life) << 16 | u64::from(client) << 8 | u64::from(step);
    let mut dice = Dice(seed);
    let length = dice.below(20_000);
    let body = (0..length).map(|_| u8::try_from(dice.below(256)).unwrap()).collect();
    let finished = step + 1 == STEPS;
    TaskRecord {
        id: TaskId::from_random(&random),
        principal: Principal::local("ann"),
        due: Some(Timestamp::from_unix_ms(i64::from(step))),
        finished,
        body,
    }
}

/// Creates records, changes, finishes and at times removes them. Each step is told before it is tried and when it is
/// acknowledged.
async fn lives(store: &PgTaskStore, round: usize, client: u8) {
    for life in 0.. {
        let mut revision = Revision::from_u64(0);
        for step in 0..STEPS {
            let record = record(round, client, life, step);
            tell(&format!("try {client} {life} {step}"));
            revision = match step {
                0 => store.create(&record).await.unwrap(),
                _ => store.replace(&record, revision).await.unwrap(),
            };
            tell(&format!("did {client} {life} {step} {revision}"));
        }
        if life % 3 == 0 {
            let id = record(round, client, life, 0).id;
            tell(&format!("try {client} {life} {STEPS}"));
            store.remove(&id, revision).await.unwrap();
            tell(&format!("did {client} {life} {STEPS} 0"));
        }
    }
}

pub(crate) fn counter(number: u64) -> TaskRecord {
    let number = u8::try_from(number).unwrap();
    TaskRecord {
        id: TaskId::from_random(&[number; TaskId::RANDOM_BYTES]),
        principal: Principal::local("ann"),
        due: None,
        finished: false,
        body: 0_u64.to_be_bytes().to_vec(),
    }
}

pub(crate) fn counted(record: &TaskRecord) -> u64 {
    u64::from_be_bytes(record.body.as_slice().try_into().unwrap())
}

/// Adds one to one counter after the other and tells each revision.
async fn count(store: &PgTaskStore, times: usize, client: u8) {
    let mut dice = Dice(u64::from(std::process::id()) << 8 | u64::from(client));
    for _ in 0..times {
        let id = counter(dice.below(COUNTERS)).id;
        loop {
            let mut stored = store.load(&id).await.unwrap().unwrap();
            stored.record.body = (counted(&stored.record) + 1).to_be_bytes().to_vec();
            match store.replace(&stored.record, stored.revision).await {
                Ok(revision) => break tell(&revision.to_string()),
                Err(ReplaceError::Conflict) => tell("conflict"),
                Err(fault) => panic!("{fault}"),
            }
        }
    }
}
