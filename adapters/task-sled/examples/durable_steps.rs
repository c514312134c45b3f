//! How many durable steps a second the store does, beside what the disk allows in the same run: an append to one file
//! with a `fdatasync` for all who wait.
//!
//! ```text
//! cargo run --release -p pm-mcp-task-sled --example durable_steps [SECONDS [FOLDER]]
//! ```
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a measurement reads the clock, prints, and stops at the first surprise"
)]

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::{TaskId, TaskRecord};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::TaskStore;
use pm_mcp_task_sled::{SledDatabase, SledOptions};
use tokio::sync::{mpsc, oneshot};

const BODY: usize = 512;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let seconds = arguments.next().map_or(5, |text| text.parse().unwrap());
    let span = Duration::from_secs(seconds);
    let folder = arguments.next().map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = tempfile::tempdir_in(folder).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    for callers in [1_u8, 64] {
        for round in 0..3 {
            let place = folder.path().join(format!("{callers}-{round}"));
            std::fs::create_dir(&place).unwrap();
            let bare = runtime.block_on(bare(&place.join("bare"), callers, span));
            let store = runtime.block_on(store(&place.join("store"), callers, span));
            println!(
                "{callers} callers: {bare:.0} appends/s, {store:.0} durable replaces/s, {:.0} %",
                store / bare * 100.0
            );
        }
    }
}

/// Counts what the callers do until the time is over.
async fn count<F: Future<Output = ()> + Send>(
    callers: u8,
    span: Duration,
    step: impl Fn(u8) -> F + Clone + Send + 'static,
) -> f64 {
    let done = Arc::new(AtomicU64::new(0));
    let start = Instant::now();
    let callers: Vec<_> = (0..callers)
        .map(|caller| {
            let (done, step) = (Arc::clone(&done), step.clone());
            tokio::spawn(async move {
                while start.elapsed() < span {
                    step(caller).await;
                    done.fetch_add(1, Ordering::Relaxed);
                }
            })
        })
        .collect();
    for caller in callers {
        caller.await.unwrap();
    }
    f64::from(u32::try_from(done.load(Ordering::Relaxed)).unwrap()) / start.elapsed().as_secs_f64()
}

/// The group-commit limit: the same callers, one appending thread, one sync for all who wait.
async fn bare(path: &Path, callers: u8, span: Duration) -> f64 {
    let mut file = File::create(path).unwrap();
    let (sender, mut receiver) = mpsc::channel::<oneshot::Sender<()>>(1024);
    let appender = std::thread::spawn(move || {
        while let Some(first) = receiver.blocking_recv() {
            let mut waiting = vec![first];
            while let Ok(more) = receiver.try_recv() {
                waiting.push(more);
            }
            file.write_all(&vec![7; (BODY + 100) * waiting.len()]).unwrap();
            file.sync_data().unwrap();
            waiting.into_iter().for_each(|caller| caller.send(()).unwrap());
        }
    });
    let steps = count(callers, span, move |_| {
        let sender = sender.clone();
        async move {
            let (answer, answered) = oneshot::channel();
            sender.send(answer).await.unwrap();
            answered.await.unwrap();
        }
    })
    .await;
    appender.join().unwrap();
    steps
}

async fn store(folder: &Path, callers: u8, span: Duration) -> f64 {
    let database = SledDatabase::open(folder, SledOptions::default()).unwrap();
    let store = database.task_store();
    let record = |caller: u8| TaskRecord {
        id: TaskId::from_random(&[caller; TaskId::RANDOM_BYTES]),
        principal: Principal::local("ann"),
        due: Some(Timestamp::from_unix_ms(1_000)),
        finished: false,
        body: vec![caller; BODY],
    };
    let revisions: Arc<Vec<AtomicU64>> = {
        let mut revisions = Vec::new();
        for caller in 0..callers {
            revisions.push(AtomicU64::new(store.create(&record(caller)).await.unwrap().as_u64()));
        }
        Arc::new(revisions)
    };
    let steps = count(callers, span, move |caller| {
        let (store, revisions) = (store.clone(), Arc::clone(&revisions));
        async move {
            let revision = revisions.get(usize::from(caller)).unwrap();
            let expected = pm_mcp_ports::driven::Revision::from_u64(revision.load(Ordering::Relaxed));
            let next = store.replace(&record(caller), expected).await.unwrap();
            revision.store(next.as_u64(), Ordering::Relaxed);
        }
    })
    .await;
    let bytes = database.bytes_on_disk().await.unwrap();
    println!("  the log has {} KiB", bytes >> 10);
    steps
}
