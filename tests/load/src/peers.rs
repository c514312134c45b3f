//! What good clients notice of crowds that are slow, silent or wrong.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use pm_mcp_acceptance::{HttpServer, Project};
use tokio::runtime::Builder;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::figures::Times;
use crate::load::{Load, setting};
use crate::process::{look, machine, mebibytes};
use crate::slow::{Slow, bear};
use crate::verdict::Verdict;
use crate::{bad, calls};

/// Good calls a second, and the connections that they come over.
const RATE: f64 = 200.0;
const CALLERS: u64 = 8;

/// Wrong requests a second of one client, and how many of them there are.
const WRONG: u32 = 10;
const WRONG_ONES: u32 = 8;

/// For how long a crowd may gather, and how long its end may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a figure may grow by on a machine that is shared.
const SLACK: Duration = Duration::from_millis(100);

/// Who is there beside the good clients.
#[derive(Clone, Copy, Debug)]
enum Crowd {
    Nobody,
    /// Connections of one kind, so many of a hundred of the size that was asked for.
    Slow(Slow, usize),
    Wrong,
}

const CROWDS: [Crowd; 7] = [
    Crowd::Nobody,
    Crowd::Slow(Slow::Idle, 100),
    Crowd::Slow(Slow::Head, 20),
    Crowd::Slow(Slow::Body, 20),
    Crowd::Slow(Slow::Reader, 2),
    Crowd::Wrong,
    Crowd::Nobody,
];

impl Crowd {
    fn name(self, number: usize) -> String {
        match self {
            Self::Nobody => "nobody else".to_owned(),
            Self::Slow(slow, _) => format!("{number} connections, {}", slow.name()),
            Self::Wrong => format!("{number} wrong requests a second"),
        }
    }

    fn number(self, size: usize) -> usize {
        match self {
            Self::Nobody => 0,
            Self::Slow(_, share) => (size * share / 100).max(1),
            Self::Wrong => (WRONG * WRONG_ONES) as usize,
        }
    }
}

pub(crate) fn run() -> Verdict {
    let size = usize::try_from(setting("PM_LOAD_PEERS", 1_000)).expect("a number of connections");
    let phase = Duration::from_secs(setting("PM_LOAD_PHASE", 8));
    let server = HttpServer::of(&Project::paged());
    println!(
        "load peers: up to {size} connections, {RATE} good calls a second for {phase:?} each, {}",
        machine()
    );
    let mut verdict = Verdict::of("peers");
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let before = look(server.id());
        let mut calm: Option<Times> = None;
        for crowd in CROWDS {
            let number = crowd.number(size);
            let name = crowd.name(number);
            settle(server.id(), before.sockets).await;
            match beside(&server, crowd, number, phase).await {
                Ok(times) => {
                    compare(&name, calm.as_ref(), &times, &mut verdict);
                    calm.get_or_insert(times);
                }
                Err(error) => verdict.promise(false, &format!("{name}: {error}")),
            }
        }
        settle(server.id(), before.sockets).await;
        let after = look(server.id());
        verdict.promise(
            after.sockets <= before.sockets,
            &format!("{} sockets once all have gone, {} before", after.sockets, before.sockets),
        );
    });
    drop(runtime);
    let end = server.terminate();
    verdict.promise(end.status.code() == Some(0), &format!("it ended at SIGTERM with {}", end.status));
    verdict.promise(!end.stderr.contains("panicked"), "no panic in the log");
    verdict
}

/// Waits until those who have gone are seen off; what is still there then is told by the promises.
async fn settle(process: u32, sockets: usize) {
    let begun = Instant::now();
    while look(process).sockets > sockets && begun.elapsed() < PATIENCE {
        sleep(Duration::from_millis(200)).await;
    }
}

/// How long good calls take beside a crowd.
async fn beside(server: &HttpServer, crowd: Crowd, number: usize, phase: Duration) -> io::Result<Times> {
    let others = Arc::new(Load::new(server.address(), Duration::MAX));
    let mut actors = JoinSet::new();
    let there = Arc::new(AtomicUsize::new(0));
    match crowd {
        Crowd::Nobody => {}
        Crowd::Slow(slow, _) => {
            let coming = Callers::start(server.address(), Duration::MAX);
            let begun = Instant::now();
            for _ in 0..number {
                let (others, there) = (Arc::clone(&others), Arc::clone(&there));
                actors.spawn(async move { drop(bear(&others, slow, &there).await) });
            }
            while there.load(Ordering::Relaxed) < number {
                if begun.elapsed() > PATIENCE || actors.len() < number {
                    return Err(io::Error::other(
                        "the crowd does not gather; see that `ulimit -n` is above its size",
                    ));
                }
                sleep(Duration::from_millis(20)).await;
            }
            let took = begun.elapsed();
            let times = coming.end()?;
            println!(
                "{} came in {took:.1?}; meanwhile good calls took {:.1?} at the median, {:.1?} at the 99th of a hundred",
                crowd.name(number),
                times.permille(500),
                times.permille(990)
            );
        }
        Crowd::Wrong => {
            for number in 0..u64::from(WRONG_ONES) {
                actors.spawn(bad::be_bad(Arc::clone(&others), number, f64::from(WRONG)));
            }
        }
    }
    let now = look(server.id());
    let callers = Callers::start(server.address(), phase);
    sleep(phase).await;
    let times = callers.end()?;
    if let Some(fault) = others.tally.kinds().values().find_map(|kind| kind.first.first()) {
        return Err(io::Error::other(fault.clone()));
    }
    println!("{}: memory {:.1} MiB, {} sockets", crowd.name(number), mebibytes(now.resident), now.sockets);
    // Those that are left vanish all at once.
    drop(actors);
    Ok(times)
}

/// Good clients, on a thread of their own, so that what a crowd costs the driver is not measured as the server's.
struct Callers {
    load: Arc<Load>,
    thread: JoinHandle<()>,
}

impl Callers {
    fn start(server: SocketAddr, length: Duration) -> Self {
        let load = Arc::new(Load::new(server, length));
        let shared = Arc::clone(&load);
        let thread = thread::spawn(move || {
            let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let mut callers = JoinSet::new();
                for number in 0..CALLERS {
                    callers.spawn(calls::call_on(Arc::clone(&shared), number, RATE / CALLERS as f64));
                }
                while callers.join_next().await.is_some() {}
            });
        });
        Self { load, thread }
    }

    /// How long their calls took, all of which had good answers.
    fn end(self) -> io::Result<Times> {
        self.load.stop();
        self.thread.join().map_err(|_panic| io::Error::other("the good clients stopped unexpectedly"))?;
        let kinds = self.load.tally.kinds();
        if let Some(fault) = kinds.values().find_map(|kind| kind.first.first()) {
            return Err(io::Error::other(fault.clone()));
        }
        let mut times = Times::default();
        kinds.values().for_each(|kind| times.join(&kind.took));
        Ok(times)
    }
}

fn compare(name: &str, calm: Option<&Times>, times: &Times, verdict: &mut Verdict) {
    let (half, most) = (times.permille(500), times.permille(990));
    let bound = calm.map_or(Duration::MAX, |calm| calm.permille(990) * 4 + SLACK);
    verdict.promise(
        most <= bound,
        &format!(
            "{name}: good calls took {half:.1?} at the median, {most:.1?} at the 99th of a hundred, no fault"
        ),
    );
}
