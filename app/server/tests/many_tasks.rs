//! Many finished tasks in each durable store: looking at one costs the same, memory stays, and their removal holds up
//! nobody.
//!
//! `PM_MANY_TASKS` says how many, 1,500 unless set, and `PM_MANY_TASKS_STORES` in which of `fs`, `sled` and `postgres`, all
//! unless set; what was measured is in `docs/performance.md`.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise; this one measures and tells what it found"
)]

#[expect(dead_code, reason = "this test gives the database no orders")]
#[path = "../../../adapters/postgres/tests/cluster/server.rs"]
mod cluster;

use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cluster::Cluster;
use pm_mcp::{
    Clock, Context, Execution, LifetimeLimits, McpService, NoArguments, Output, Server, Shutdown, TaskQuota,
    TaskSettings, TaskStore, TimeToLive, ToolError, Transport, async_trait, tool,
};
use pm_mcp_contract::VirtualClock;
use pm_mcp_contract::client::{Client, Outcome};
use pm_mcp_ports::driven::Page;
use pm_mcp_postgres::{PgDatabase, PgSettings, PgTaskStore};
use pm_mcp_task_fs::FsTaskStore;
use pm_mcp_task_sled::{SledDatabase, SledOptions};
use serde_json::json;

/// How many clients create tasks at the same time.
const CLIENTS: usize = 32;
const LOOKS: usize = 200;
const YOUNGER: usize = 50;
const LIFETIME: Duration = Duration::from_secs(3_600);

/// What memory may grow by: the places of 100,000 records in memory, and what caches are allowed.
const GROWTH: usize = 64 << 20;

/// The slowest answer while records are removed; far more than is ever needed, as machines are shared.
const SLOWEST: Duration = Duration::from_secs(5);

/// A transport that never ends, under which expired tasks are removed.
struct Idle;

#[async_trait]
impl Transport for Idle {
    type Error = Infallible;

    async fn serve(self, _: Arc<dyn McpService>, shutdown: Shutdown) -> Result<(), Infallible> {
        shutdown.await;
        Ok(())
    }
}

fn server(store: &Arc<dyn TaskStore>, clock: &VirtualClock) -> Server {
    let lifetime = TimeToLive::from_ms(u64::try_from(LIFETIME.as_millis()).unwrap());
    let settings = TaskSettings {
        lifetime: LifetimeLimits::new(lifetime, lifetime).unwrap(),
        quota: TaskQuota { per_principal: usize::MAX },
        ..TaskSettings::default()
    };
    let quick = |_: Context, _: NoArguments| async { Ok::<_, ToolError>(Output::text("done")) };
    Server::builder("many", "1")
        .tool(tool("quick", "Is done at once.").execution(Execution::TaskOnly).handler(quick))
        .task_settings(settings)
        .clock(Arc::new(clock.clone()))
        .task_store(Arc::clone(store))
        .build()
        .unwrap()
}

/// A task that has ended.
async fn finished(client: &Client) -> String {
    let Outcome::Task(task) = client.call_tool("quick", json!({})).await.unwrap() else { panic!("no task") };
    let id = task.id().to_owned();
    while client.task(&id).await.unwrap().status() != "completed" {
        tokio::task::yield_now().await;
    }
    id
}

/// Creates this many tasks.
async fn fill(server: &Server, many: usize) -> Vec<String> {
    let clients: Vec<_> = (0..CLIENTS)
        .map(|number| {
            let client = Client::memory(server.service()).accepting_tasks();
            let share = many / CLIENTS + usize::from(number < many % CLIENTS);
            tokio::spawn(async move {
                let mut ids = Vec::with_capacity(share);
                for _ in 0..share {
                    ids.push(finished(&client).await);
                }
                ids
            })
        })
        .collect();
    let mut ids = Vec::with_capacity(many);
    for client in clients {
        ids.extend(client.await.unwrap());
    }
    ids
}

/// How long it takes to look at a task, in the middle of many looks.
async fn look(client: &Client, ids: &[String]) -> Duration {
    let mut took = Vec::with_capacity(LOOKS);
    for number in 0..LOOKS {
        let id = &ids[number * 7_919 % ids.len()];
        let begun = Instant::now();
        assert_eq!(client.task(id).await.unwrap().status(), "completed");
        took.push(begun.elapsed());
    }
    took.sort();
    took[LOOKS / 2]
}

/// Bytes of memory that the process holds.
fn resident() -> usize {
    let told = std::fs::read_to_string("/proc/self/statm").unwrap();
    told.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4_096
}

async fn many(name: &str, store: Arc<dyn TaskStore>, many: usize) {
    let clock = VirtualClock::default();
    let server = server(&store, &clock);
    let client = Client::memory(server.service()).accepting_tasks();
    let few = fill(&server, many / 10).await;
    let (quick, small) = (look(&client, &few).await, resident());
    let begun = Instant::now();
    let mut ids = fill(&server, many - few.len()).await;
    let filled = begun.elapsed();
    ids.extend(few);
    let (among_many, large) = (look(&client, &ids).await, resident());
    clock.advance(LIFETIME / 2);
    let younger = fill(&server, YOUNGER).await;

    // All but the younger ones expire at once.
    clock.advance(LIFETIME / 2);
    let serving = tokio::spawn(async move { server.serve(Idle).await });
    let (begun, mut asked, mut slowest) = (Instant::now(), 0_usize, Duration::ZERO);
    let first = || Page::first(NonZeroUsize::MIN);
    loop {
        let one = Instant::now();
        assert_eq!(client.task(&younger[asked % YOUNGER]).await.unwrap().status(), "completed");
        (asked, slowest) = (asked + 1, slowest.max(one.elapsed()));
        if asked % 16 == 0 && store.due(clock.now(), first()).await.unwrap().is_empty() {
            break;
        }
    }
    let removed = begun.elapsed();
    let after = resident();
    serving.abort();
    assert!(client.task(&ids[0]).await.is_err(), "an expired task is still there");
    eprintln!(
        "{name}: {many} tasks, filled in {filled:.1?}; a look takes {quick:.1?} among a tenth and {among_many:.1?} among \
         all; removed in {removed:.1?} while {asked} looks were answered, the slowest in {slowest:.1?}; memory {} MiB with \
         a tenth, {} with all, {} afterwards",
        small >> 20,
        large >> 20,
        after >> 20
    );
    assert!(among_many < quick * 5 + Duration::from_millis(2), "{name}: {quick:?} became {among_many:?}");
    assert!(
        large.saturating_sub(small) < GROWTH && after.saturating_sub(small) < GROWTH,
        "{name}: memory grows"
    );
    assert!(slowest < SLOWEST, "{name}: an answer took {slowest:?} while records were removed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_finished_tasks_cost_those_who_look_nothing_and_go_in_small_steps() {
    let number = std::env::var("PM_MANY_TASKS").map_or(1_500, |text| text.parse().unwrap());
    let stores = std::env::var("PM_MANY_TASKS_STORES").unwrap_or_else(|_| "fs,sled,postgres".to_owned());
    let is_wanted = |name: &str| stores.split(',').any(|store| store == name);
    let folder = tempfile::tempdir().unwrap();
    if is_wanted("fs") {
        many("fs", Arc::new(FsTaskStore::open(folder.path().join("fs")).unwrap()), number).await;
    }
    if is_wanted("sled") {
        let options = SledOptions { cache: 16 << 20, ..SledOptions::default() };
        let database = SledDatabase::open(folder.path().join("sled"), options).unwrap();
        many("sled", Arc::new(database.task_store()), number).await;
    }
    if !is_wanted("postgres") {
        return;
    }
    match cluster::programs() {
        Ok(bin) => {
            let cluster = Cluster::start(&bin);
            let database = PgDatabase::connect(PgSettings::parse(&cluster.url()).unwrap()).await.unwrap();
            many("postgres", Arc::new(PgTaskStore::new(&database)), number).await;
        }
        Err(why) => eprintln!("SKIPPED many tasks in PostgreSQL: {why}"),
    }
}
