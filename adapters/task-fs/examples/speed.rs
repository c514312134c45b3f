//! Measures the store against the bare file protocol, in one run and one folder.
//!
//! `cargo run --release -p pm-mcp-task-fs --example speed -- [FOLDER [RECORDS]]`: the folder must lie on the disk to
//! measure, and a folder in it is made and removed. With a number of records, reading and opening are measured with so
//! many finished ones as well.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "a measurement stops at the first surprise, reads the clock and prints what it found"
)]

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::{TaskId, TaskRecord};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{Page, TaskStore};
use pm_mcp_task_fs::FsTaskStore;

/// Short and many, in turn, so that what else the machine does weighs on both alike.
const ROUNDS: usize = 15;
const WRITES: u32 = 160;
const BODY: usize = 1_000;

fn record(caller: u32, number: u32) -> TaskRecord {
    let mut random = [0; TaskId::RANDOM_BYTES];
    random[0] = (number.wrapping_mul(31).wrapping_add(caller)) as u8;
    random[4..8].copy_from_slice(&caller.to_be_bytes());
    random[8..12].copy_from_slice(&number.to_be_bytes());
    TaskRecord {
        id: TaskId::from_random(&random),
        principal: Principal::local("ann"),
        due: Some(Timestamp::from_unix_ms(i64::from(number))),
        finished: true,
        body: vec![7; BODY],
    }
}

/// Write a file, synchronise it, rename it, synchronise the folder: what no store of files can leave out.
fn bare(folder: &Path, caller: u32, numbers: u32) {
    let bytes = vec![7; BODY + 80];
    for number in 0..numbers {
        let temporary = folder.join(format!("new-{caller}-{number}"));
        let mut file = File::create_new(&temporary).unwrap();
        file.write_all(&bytes).unwrap();
        file.sync_all().unwrap();
        drop(file);
        fs::rename(&temporary, folder.join(record(caller, number).id.as_str())).unwrap();
        File::open(folder).unwrap().sync_all().unwrap();
    }
}

fn rate(count: u32, took: Duration) -> f64 {
    f64::from(count) / took.as_secs_f64()
}

/// Of new files, and of files in the place of others.
fn bare_rates(folder: &Path, callers: u32) -> (f64, f64) {
    let run = || {
        let start = Instant::now();
        std::thread::scope(|scope| {
            for caller in 0..callers {
                scope.spawn(move || bare(folder, caller, WRITES / callers));
            }
        });
        rate(WRITES, start.elapsed())
    };
    (run(), run())
}

async fn store_rates(folder: &Path, callers: u32) -> (f64, f64) {
    let store = Arc::new(FsTaskStore::open(folder).unwrap());
    let mut rates = [0.0; 2];
    for (rate_of, creates) in rates.iter_mut().zip([true, false]) {
        let start = Instant::now();
        let clients: Vec<_> = (0..callers)
            .map(|caller| {
                let store = Arc::clone(&store);
                tokio::spawn(async move {
                    for number in 0..WRITES / callers {
                        let record = record(caller, number);
                        if creates {
                            store.create(&record).await.unwrap();
                        } else {
                            let stored = store.load(&record.id).await.unwrap().unwrap();
                            store.replace(&record, stored.revision).await.unwrap();
                        }
                    }
                })
            })
            .collect();
        for client in clients {
            client.await.unwrap();
        }
        *rate_of = rate(WRITES, start.elapsed());
    }
    (rates[0], rates[1])
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args_os().skip(1);
    let place = arguments.next().map_or_else(std::env::temp_dir, PathBuf::from);
    for callers in [1, 8] {
        let mut rates: [Vec<f64>; 4] = Default::default();
        // Files are removed after the last round: the disk's work for that would weigh on whoever comes next.
        let folders: Vec<_> = (0..2 * ROUNDS).map(|_| tempfile::tempdir_in(&place).unwrap()).collect();
        for (round, pair) in folders.chunks_exact(2).enumerate() {
            let (bare, store) = if round % 2 == 0 {
                let bare = bare_rates(pair[0].path(), callers);
                (bare, store_rates(pair[1].path(), callers).await)
            } else {
                let store = store_rates(pair[1].path(), callers).await;
                (bare_rates(pair[0].path(), callers), store)
            };
            for (rates, rate) in rates.iter_mut().zip([bare.0, store.0, bare.1, store.1]) {
                rates.push(rate);
            }
        }
        let [bare_create, create, bare_replace, replace] = rates.map(median);
        println!(
            "{callers} callers: create {create:.0}/s, bare {bare_create:.0}/s ({:.0} %); \
             load and replace {replace:.0}/s, bare {bare_replace:.0}/s ({:.0} %)",
            100.0 * create / bare_create,
            100.0 * replace / bare_replace
        );
    }
    if let Some(records) = arguments.next().and_then(|text| text.to_str()?.parse().ok()) {
        many(&place, records).await;
    }
}

/// Reading, listing and opening with many finished records.
async fn many(place: &Path, records: u32) {
    let folder = tempfile::tempdir_in(place).unwrap();
    let store = Arc::new(FsTaskStore::open(folder.path()).unwrap());
    let mut stored = 0;
    for total in [100, records] {
        let callers = 64;
        let clients: Vec<_> = (0..callers)
            .map(|caller| {
                let store = Arc::clone(&store);
                tokio::spawn(async move {
                    for number in (stored..total).filter(|number| number % callers == caller) {
                        store.create(&record(0, number)).await.unwrap();
                    }
                })
            })
            .collect();
        for client in clients {
            client.await.unwrap();
        }
        stored = total;
        let start = Instant::now();
        for number in 0..10_000 {
            let record = record(0, number * 7919 % total);
            assert!(store.load(&record.id).await.unwrap().is_some());
        }
        let load = start.elapsed() / 10_000;
        let start = Instant::now();
        let page = Page::first(100.try_into().unwrap());
        for _ in 0..100 {
            store.due(Timestamp::from_unix_ms(i64::MAX), page.clone()).await.unwrap();
        }
        let due = start.elapsed() / 100;
        let start = Instant::now();
        FsTaskStore::open(folder.path()).unwrap();
        println!("{total} records: load {load:?}, a page of 100 due {due:?}, open {:?}", start.elapsed());
    }
}
