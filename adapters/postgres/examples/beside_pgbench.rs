//! Measures replacing records through the store against `pgbench` with the same statement, in one run on one server.
//!
//! `cargo run --release -p pm-mcp-postgres --example beside_pgbench -- [ROUNDS [SECONDS]]`: a server of its own is started in the
//! folder for temporary files, which must lie on the disk to measure.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::cast_precision_loss,
    reason = "a measurement stops at the first surprise, reads the clock and prints what it found"
)]

#[expect(dead_code, reason = "a measurement gives the server no orders")]
#[path = "../tests/cluster/server.rs"]
mod cluster;

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cluster::Cluster;
use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::{TaskId, TaskRecord};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{Revision, TaskStore};
use pm_mcp_postgres::{PgDatabase, PgLimits, PgSettings, PgTaskStore};

const CLIENTS: [u8; 2] = [1, 8];
const BODY: usize = 1_000;

/// The store's own statement; each client has a row to itself, and keeps the revision that it got.
const SCRIPT: &str = "UPDATE pm_mcp.tasks
    SET revision = nextval('pm_mcp.task_revisions'), principal = :principal, due = :due, finished = :finished, body = :body
    WHERE id = 'task-' || lpad(to_hex(:client_id::bigint), 40, '0') AND revision = :revision RETURNING revision \\gset
";

/// The record of a client, under the id that the script makes.
fn record(client: u8) -> TaskRecord {
    let mut bytes = [0; TaskId::RANDOM_BYTES];
    *bytes.last_mut().unwrap() = client;
    TaskRecord {
        id: TaskId::from_random(&bytes),
        principal: Principal::local("ann"),
        due: Some(Timestamp::from_unix_ms(1_000)),
        finished: false,
        body: vec![7; BODY],
    }
}

/// Transactions a second of `pgbench`.
fn pgbench(bin: &Path, socket: &str, script: &Path, clients: u8, seconds: u64) -> f64 {
    let hexadecimal = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let record = record(0);
    let beside = bin.join("pgbench");
    let told = Command::new(if beside.is_file() { beside } else { "pgbench".into() })
        .args(["-n", "-M", "prepared", "-U", "tester", "-h", socket, "-T", &seconds.to_string()])
        .args([
            "-c",
            &clients.to_string(),
            "-j",
            &clients.min(2).to_string(),
            "-D",
            "revision=1",
            "-D",
            "due=1000",
        ])
        .args(["-D", "finished=false", "-D", &format!("body=\\x{}", hexadecimal(&record.body))])
        .args(["-D", &format!("principal=\\x{}", hexadecimal(record.principal.as_str().as_bytes()))])
        .arg("-f")
        .arg(script)
        .arg("postgres")
        .output()
        .unwrap();
    let (text, faults) = (String::from_utf8(told.stdout).unwrap(), String::from_utf8(told.stderr).unwrap());
    assert!(told.status.success() && text.contains("failed transactions: 0 "), "{text}{faults}");
    let rate = text.lines().find_map(|line| line.strip_prefix("tps = ")).unwrap();
    rate.split(' ').next().unwrap().parse().unwrap()
}

/// Replaced records a second through the store.
async fn replacing(store: &Arc<PgTaskStore>, clients: u8, seconds: u64) -> f64 {
    let begin = Instant::now();
    let until = begin + Duration::from_secs(seconds);
    let working: Vec<_> = (0..clients)
        .map(|client| {
            let (store, record) = (Arc::clone(store), record(client));
            tokio::spawn(async move {
                let mut revision = Revision::from_u64(1);
                let mut count = 0_u32;
                while Instant::now() < until {
                    revision = store.replace(&record, revision).await.unwrap();
                    count += 1;
                }
                count
            })
        })
        .collect();
    let mut count = 0;
    for work in working {
        count += work.await.unwrap();
    }
    f64::from(count) / begin.elapsed().as_secs_f64()
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap()
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse::<u64>().unwrap());
    let (rounds, seconds) = (numbers.next().unwrap_or(7), numbers.next().unwrap_or(3));
    let bin = cluster::programs().unwrap();
    let cluster = Cluster::start(&bin);
    let url = cluster.url();
    let socket = url.split(' ').find_map(|pair| pair.strip_prefix("host=")).unwrap();
    let place = tempfile::tempdir().unwrap();
    let script = place.path().join("replace.sql");
    std::fs::write(&script, SCRIPT).unwrap();

    let (operator, connection) = tokio_postgres::connect(&url, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    println!("clients  pgbench/s  store/s  share (medians of {rounds} rounds of {seconds} s, in turn)");
    for clients in CLIENTS {
        let limits = PgLimits { connections: usize::from(clients), ..PgLimits::default() };
        let settings = PgSettings::parse(&url).unwrap().with_limits(limits).unwrap();
        let store = Arc::new(PgTaskStore::new(&PgDatabase::connect(settings).await.unwrap()));
        for client in 0..clients {
            store.create(&record(client)).await.ok();
        }
        let afresh = "UPDATE pm_mcp.tasks SET revision = 1; VACUUM ANALYZE pm_mcp.tasks; CHECKPOINT";
        let (mut bare, mut stored, mut shares) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..rounds {
            for statement in afresh.split(';') {
                operator.batch_execute(statement).await.unwrap();
            }
            let one = tokio::task::block_in_place(|| pgbench(&bin, socket, &script, clients, seconds));
            for statement in afresh.split(';') {
                operator.batch_execute(statement).await.unwrap();
            }
            let other = replacing(&store, clients, seconds).await;
            bare.push(one);
            stored.push(other);
            shares.push(other / one);
        }
        println!(
            "{clients:>7}  {:>9.0}  {:>7.0}  {:>4.0} %",
            median(bare),
            median(stored),
            100.0 * median(shares)
        );
    }
}
