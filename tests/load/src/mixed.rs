//! Everything that clients do, at the same time, for long.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use pm_mcp_acceptance::{HttpServer, Project};
use tokio::runtime::Builder;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::load::{Load, setting};
use crate::process::{Sample, look, machine, mebibytes};
use crate::verdict::Verdict;
use crate::{bad, calls, slow, streams, tasks};

/// For how long tasks are kept: so short that the last ones are gone soon after the run.
const TASK_LIFETIME: Duration = Duration::from_secs(60);

/// How long what is left may take to go once all clients have gone: idle connections are the last, after up to 120 s.
const AFTERWARDS: Duration = Duration::from_secs(180);

/// What the memory of a warm server may grow by without a reason: the allocator's own places for bursts.
const ALLOCATOR: usize = 12 << 20;

/// Files that the server opens once it has something to do, and keeps.
const OPENED_LATER: usize = 6;

/// What the number of threads may differ by once all clients have gone: what is done now and then keeps some that wait for it.
const THREADS: usize = 12;

/// What one edit may leave in memory: its entry in the item's history as it is kept for searching.
const AN_EDIT: usize = 2 << 10;

/// Clients that call, and connections of each other kind.
const CALLERS: u64 = 8;
const TASKERS: u64 = 6;
const STAYING: u64 = 20;
const VANISHING: u64 = 40;
const BAD: u64 = 4;
const SLOW: u64 = 12;
const CLIENTS: u64 = CALLERS + 1 + TASKERS + STAYING + VANISHING + BAD + SLOW;

pub(crate) fn run() -> Verdict {
    let length = Duration::from_secs(setting("PM_LOAD_SECONDS", 180));
    let rate = setting("PM_LOAD_RATE", 60) as f64;
    let store = std::env::var("PM_LOAD_STORE").unwrap_or_else(|_| "fs".to_owned());
    let project = Project::paged();
    outside_edit(&project);
    let lifetime = TASK_LIFETIME.as_millis().to_string();
    let settings = [
        ("PM_MCP_TASK_STORE", store.as_str()),
        ("PM_MCP_TASK_TTL_MS", lifetime.as_str()),
        ("PM_MCP_TASK_POLL_MS", "100"),
    ];
    let server = HttpServer::start(project.root(), &settings);
    println!("load mixed: {length:?}, {rate} good calls a second, tasks in {store}, {}", machine());
    let load = Arc::new(Load::new(server.address(), length));
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    let before = look(server.id());
    let samples = runtime.block_on(drive(&load, rate, server.id()));
    let ended = look(server.id());
    drop(runtime);
    load.tally.print();

    let mut verdict = Verdict::of("mixed");
    exchanges(&load, &mut verdict);
    let edits = load.tally.kinds().get("call pm_update").map_or(0, |kind| kind.done);
    memory(&samples, usize::try_from(edits).unwrap_or(usize::MAX), &mut verdict);
    threads(before, &samples, &mut verdict);
    left_over(&server, before, &project.file("runtime/mcp-tasks"), &mut verdict);
    let used = ended.used.saturating_sub(before.used);
    println!("processor time of the server: {used:.1?} in {length:?}; {}", machine());
    let end = server.terminate();
    verdict.promise(end.status.code() == Some(0), &format!("it ended at SIGTERM with {}", end.status));
    log(&end.stderr, &mut verdict);
    verdict
}

/// An item that was changed by other means than the server's, which is something to ask about.
fn outside_edit(project: &Project) {
    let name = "tasks/demo-w2m8.toon";
    let text = project.read(name);
    let edited = text.replace("priority: 2", "priority: 3");
    assert_ne!(edited, text, "the item is another one than was thought");
    project.write(name, &edited);
}

async fn drive(load: &Arc<Load>, rate: f64, process: u32) -> Vec<Sample> {
    let chosen = std::env::var("PM_LOAD_ACTORS").unwrap_or_default();
    let number = |name: &str, all: u64| match chosen.is_empty() || chosen.split(',').any(|one| one == name) {
        true => 0..all,
        false => 0..0,
    };
    let mut actors = JoinSet::new();
    for number in number("calls", CALLERS) {
        actors.spawn(calls::call_on(Arc::clone(load), number, rate / CALLERS as f64));
    }
    for _ in number("edits", 1) {
        actors.spawn(calls::edit_on(Arc::clone(load), rate / 120.0));
    }
    for number in number("tasks", TASKERS) {
        actors.spawn(tasks::task_on(Arc::clone(load), number, rate / 60.0));
    }
    for number in number("staying", STAYING) {
        actors.spawn(streams::stay(Arc::clone(load), number));
    }
    for number in number("vanishing", VANISHING) {
        actors.spawn(streams::come_and_go(Arc::clone(load), number, Duration::from_secs(10)));
    }
    for number in number("bad", BAD) {
        actors.spawn(bad::be_bad(Arc::clone(load), number, rate / 40.0));
    }
    for number in number("slow", SLOW) {
        actors.spawn(slow::be_slow(Arc::clone(load), number));
    }
    let (mut samples, pause) = (Vec::new(), (load.length / 120).max(Duration::from_secs(1)));
    let mut told = Instant::now();
    while load.goes_on() {
        sleep(pause.min(load.length.saturating_sub(load.begun.elapsed()))).await;
        let sample = look(process);
        samples.push(sample);
        if told.elapsed() > load.length / 12 {
            told = Instant::now();
            println!(
                "after {:>5.0?}: {} MiB, {} descriptors, {} threads, processor {:.1?}",
                load.begun.elapsed(),
                sample.resident >> 20,
                sample.descriptors,
                sample.threads,
                sample.used
            );
        }
    }
    while let Some(ended) = actors.join_next().await {
        ended.expect("an actor ends by itself");
    }
    samples
}

/// Good requests got good answers, and bad ones theirs.
fn exchanges(load: &Load, verdict: &mut Verdict) {
    let kinds = load.tally.kinds();
    let sum = |bad: bool| {
        let of =
            kinds.iter().filter(|(name, _)| bad == (name.starts_with("bad") || name.starts_with("slow")));
        of.fold((0, 0), |(done, faults), (_, kind)| (done + kind.done, faults + kind.faults))
    };
    let (done, faults) = sum(false);
    verdict
        .promise(faults == 0 && done > 0, &format!("{done} good exchanges, {faults} without a good answer"));
    let (done, faults) = sum(true);
    verdict.promise(
        faults == 0 && done > 0,
        &format!("{done} bad and slow ones, {faults} with another end than promised"),
    );
    let heard = kinds.get("change heard").map_or(0, |kind| kind.done);
    verdict.promise(heard > 0, &format!("{heard} changes heard by the {STAYING} streams that stayed"));
}

/// Memory is flat from when the server is warm.
fn memory(samples: &[Sample], edits: usize, verdict: &mut Verdict) {
    let part = samples.len() / 6;
    let most = |range: &[Sample]| range.iter().map(|sample| sample.resident).max().unwrap_or_default();
    let (warm, last) = (most(&samples[part..part * 2 + 1]), most(&samples[part * 5..]));
    let bound = ALLOCATOR + edits * AN_EDIT;
    verdict.promise(
        last <= warm + bound,
        &format!(
            "memory {:.1} MiB in the second sixth of the run, {:.1} MiB in the last, may grow by {:.1} MiB",
            mebibytes(warm),
            mebibytes(last),
            mebibytes(bound)
        ),
    );
}

/// Work that blocks gets threads as it comes, the more of them the busier the machine is: one for each client at the most.
fn threads(before: Sample, samples: &[Sample], verdict: &mut Verdict) {
    let most = samples.iter().map(|sample| sample.threads).max().unwrap_or_default();
    verdict.promise(
        most <= before.threads + CLIENTS as usize,
        &format!("{most} threads at the most for {CLIENTS} clients, {} before the first", before.threads),
    );
}

/// Nothing is left of clients that have gone.
fn left_over(server: &HttpServer, before: Sample, tasks: &Path, verdict: &mut Verdict) {
    let begun = Instant::now();
    let (mut now, mut kept) = (look(server.id()), records(tasks));
    let is_quiet = |now: Sample| now.sockets <= before.sockets && now.threads <= before.threads + THREADS;
    while begun.elapsed() < AFTERWARDS && (!is_quiet(now) || kept > 0) {
        thread::sleep(Duration::from_secs(1));
        (now, kept) = (look(server.id()), records(tasks));
    }
    let took = begun.elapsed();
    verdict.promise(
        now.sockets <= before.sockets && now.descriptors <= before.descriptors + OPENED_LATER,
        &format!(
            "{} descriptors, {} of them sockets, {took:.0?} after the last client; {} and {} before the first",
            now.descriptors, now.sockets, before.descriptors, before.sockets
        ),
    );
    verdict.promise(
        now.threads <= before.threads + THREADS,
        &format!(
            "{} threads {took:.0?} after the last client, {} before the first",
            now.threads, before.threads
        ),
    );
    verdict.promise(kept == 0, &format!("{kept} tasks left in the store {took:.0?} after the last client"));
    println!(
        "memory {:.1} MiB before the first client, {:.1} MiB after the last",
        mebibytes(before.resident),
        mebibytes(now.resident)
    );
}

/// Records of tasks in a folder; none where there is no folder.
fn records(folder: &Path) -> usize {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    entries.flatten().filter(|entry| entry.path().extension().is_some_and(|end| end == "record")).count()
}

fn log(stderr: &str, verdict: &mut Verdict) {
    let panics = stderr.lines().filter(|line| line.contains("panicked")).count();
    let errors: Vec<&str> = stderr.lines().filter(|line| line.contains("ERROR")).collect();
    println!("the server logged {} lines", stderr.lines().count());
    for line in stderr.lines().take(10) {
        println!("    {line}");
    }
    verdict.promise(panics == 0, &format!("{panics} panics in the log"));
    verdict.promise(errors.is_empty(), &format!("{} errors in the log", errors.len()));
}
