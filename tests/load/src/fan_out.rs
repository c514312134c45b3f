//! Many streams of changes on one server, some of whose peers do not read.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use pm_mcp_acceptance::{HttpServer, Project, call};
use tokio::runtime::Builder;
use tokio::sync::Notify;
use tokio::task::{JoinError, JoinSet};
use tokio::time::{sleep, timeout};

use crate::calls::{EDITED_URI, ask, edit};
use crate::figures::Times;
use crate::load::{Load, setting};
use crate::messages::post;
use crate::process::{Sample, look, machine, mebibytes};
use crate::streams::Stream;
use crate::verdict::Verdict;
use crate::wire::{PATIENCE, Wire};

/// Streams that are being opened at the same time.
const AT_ONCE: usize = 64;

/// Streams that one caller may have unless a setting says otherwise.
const ONE_CALLER: usize = 1_024;

/// Changes that are timed before anybody stalls, and while some do.
const ROUNDS: usize = 20;

/// The server's default for how long a peer may take to accept one message.
const DEADLINE: Duration = Duration::from_secs(10);

/// What a loaded machine may take beyond the server's own times.
const SLACK: Duration = Duration::from_secs(20);

/// What changes with each edit: streams that hear of all of it fill up soon.
const ALL_OF_IT: [&str; 4] =
    [EDITED_URI, "pm://workspace/next", "pm://workspace/context", "pm://workspace/claims"];

/// Edits after which peers that do not read are behind by more than a connection holds.
const EDITS_TO_STALL: usize = 120;

/// What every stream that is read has heard.
#[derive(Default, Debug)]
struct Heard {
    changes: AtomicUsize,
    lost: AtomicUsize,
    one: Notify,
}

impl Heard {
    fn changes(&self) -> usize {
        self.changes.load(Ordering::Acquire)
    }

    /// Waits until so many have been heard in all.
    async fn until(&self, wanted: usize) -> io::Result<Instant> {
        let all = async {
            while self.changes() < wanted {
                self.one.notified().await;
            }
        };
        timeout(PATIENCE, all).await.map_err(|_| {
            io::Error::other(format!("{} changes of {wanted} heard after {PATIENCE:?}", self.changes()))
        })?;
        Ok(Instant::now())
    }
}

/// A stream that was opened, or why not.
type Opened = Result<io::Result<(Stream, Arc<Heard>)>, JoinError>;

/// What a change took.
#[derive(Default, Debug)]
struct Rounds {
    /// From the edit's first byte to the last stream.
    whole: Times,
    /// From the first stream to the last one.
    spread: Times,
    used: Duration,
}

struct Run {
    load: Load,
    process: u32,
    heard: Arc<Heard>,
    readers: JoinSet<()>,
    streams: usize,
    editor: Option<Wire>,
    edits: u64,
}

pub(crate) fn run() -> Verdict {
    let all = usize::try_from(setting("PM_LOAD_STREAMS", 1_000)).expect("a number of streams");
    let stalled = all / 10;
    let project = Project::paged();
    let most = (all + 100).to_string();
    let mut settings = vec![("PM_MCP_TASK_STORE", "memory")];
    // By default one caller may have as many as are opened unless told.
    if all > ONE_CALLER {
        settings.push(("PM_MCP_STREAMS_PER_PRINCIPAL", most.as_str()));
    }
    let server = HttpServer::start(project.root(), &settings);
    println!("load streams: {} that are read and {stalled} that are not, {}", all - stalled, machine());
    let mut verdict = Verdict::of("streams");
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    let driven = runtime.block_on(drive(&server, all - stalled, stalled, &mut verdict));
    if let Err(error) = driven {
        verdict.promise(false, &error.to_string());
    }
    drop(runtime);
    let end = server.terminate();
    verdict.promise(end.status.code() == Some(0), &format!("it ended at SIGTERM with {}", end.status));
    // The transport finds out on the connection, or the hub by what waits for a stream, whichever is first.
    let dropped: Vec<_> =
        end.stderr.lines().filter(|line| line.contains("dropped a") && line.contains("limit ")).collect();
    if let Some(line) = dropped.first() {
        println!("    {line}");
    }
    verdict
        .promise(dropped.len() == stalled, &format!("{} drops in the log, with their reason", dropped.len()));
    verdict.promise(!end.stderr.contains("panicked"), "no panic in the log");
    verdict
}

async fn drive(server: &HttpServer, streams: usize, stalled: usize, verdict: &mut Verdict) -> io::Result<()> {
    let mut run = Run {
        load: Load::new(server.address(), Duration::MAX),
        process: server.id(),
        heard: Arc::default(),
        readers: JoinSet::new(),
        streams,
        editor: None,
        edits: 0,
    };
    run.edit().await?;
    let before = look(run.process);
    let begun = Instant::now();
    run.open().await?;
    let open = look(run.process);
    println!(
        "{streams} streams opened in {:.1?}; memory {:.1} MiB before and {:.1} MiB with them, {:.1} KiB a stream",
        begun.elapsed(),
        mebibytes(before.resident),
        mebibytes(open.resident),
        (open.resident.saturating_sub(before.resident)) as f64 / 1_024.0 / streams as f64
    );
    let calm = run.rounds(ROUNDS).await?;
    tell("one change, nobody stalled", &calm, streams);
    let before = look(run.process);

    let silent = silent(run.load.server, stalled).await?;
    let behind = run.rounds(EDITS_TO_STALL).await?;
    tell("one change, while some fall behind", &behind, streams);
    let full = look(run.process);
    let stuck = Instant::now();
    let slow = run.rounds(ROUNDS).await?;
    tell("one change, while some are stalled", &slow, streams);
    let bound = calm.whole.most() * 3 + Duration::from_millis(500);
    verdict.promise(
        slow.whole.permille(500) <= bound && behind.whole.permille(500) <= bound,
        &format!(
            "while {stalled} are stalled a change needs {:.1?} and {:.1?} to the last of the others, at the median; at the \
             most {bound:.1?}",
            behind.whole.permille(500),
            slow.whole.permille(500)
        ),
    );

    let mut now = look(run.process);
    while now.sockets > before.sockets && stuck.elapsed() < DEADLINE + SLACK {
        sleep(Duration::from_millis(200)).await;
        now = look(run.process);
    }
    gone(now, full, before, stuck.elapsed(), stalled, verdict);
    drop(silent);
    // Those that are left still hear.
    let after = run.rounds(3).await?;
    tell("one change, once the stalled are gone", &after, streams);
    let lost = run.heard.lost.load(Ordering::Acquire);
    verdict.promise(lost == 0, &format!("{lost} of {streams} streams that are read were lost"));
    Ok(())
}

fn tell(what: &str, rounds: &Rounds, streams: usize) {
    println!(
        "{what}: to the last stream {:.1?} at the median and {:.1?} at the most, of which between the first and the last \
         stream {:.1?} and {:.1?}; processor {:.2} µs a stream and change",
        rounds.whole.permille(500),
        rounds.whole.most(),
        rounds.spread.permille(500),
        rounds.spread.most(),
        rounds.used.as_secs_f64() * 1e6 / streams as f64
    );
}

fn gone(now: Sample, full: Sample, before: Sample, took: Duration, stalled: usize, verdict: &mut Verdict) {
    verdict.promise(
        now.sockets <= before.sockets,
        &format!(
            "{} sockets {took:.1?} after the last edit, {} before {stalled} stalled peers came",
            now.sockets, before.sockets
        ),
    );
    // Between the two lie the edits, whose history is kept, and what the allocator keeps of a burst.
    let bound = before.resident + before.resident / 10 + (4 << 20);
    verdict.promise(
        now.resident <= bound,
        &format!(
            "memory {:.1} MiB before they came, {:.1} MiB with them, {:.1} MiB once they were dropped",
            mebibytes(before.resident),
            mebibytes(full.resident),
            mebibytes(now.resident)
        ),
    );
}

/// Streams whose peers read the acknowledgement and nothing more.
async fn silent(server: SocketAddr, number: usize) -> io::Result<Vec<Stream>> {
    let mut silent = Vec::with_capacity(number);
    for at in 0..number {
        // A long id makes every event long.
        let id = format!("{at:0>1000}");
        silent.push(Stream::open_with(server, &id, &ALL_OF_IT, Some(4_096)).await?);
    }
    Ok(silent)
}

impl Run {
    async fn open(&mut self) -> io::Result<()> {
        let mut opening = JoinSet::new();
        for number in 0..self.streams {
            let (server, heard) = (self.load.server, Arc::clone(&self.heard));
            opening.spawn(async move {
                let stream = Stream::open_with(server, &format!("s{number}"), &[EDITED_URI], None).await?;
                Ok::<_, io::Error>((stream, heard))
            });
            if opening.len() >= AT_ONCE {
                self.take_over(opening.join_next().await);
            }
        }
        while let Some(opened) = opening.join_next().await {
            self.take_over(Some(opened));
        }
        match self.readers.len() == self.streams {
            true => Ok(()),
            false => Err(io::Error::other(format!(
                "{} of {} streams could be opened; see that `ulimit -n` is above their number",
                self.readers.len(),
                self.streams
            ))),
        }
    }

    /// Reads a stream that was opened; one that was not is missed later.
    fn take_over(&mut self, opened: Option<Opened>) {
        let Some(Ok(Ok((mut stream, heard)))) = opened else { return };
        self.readers.spawn(async move {
            while stream.event().await.is_ok() {
                heard.changes.fetch_add(1, Ordering::AcqRel);
                heard.one.notify_one();
            }
            heard.lost.fetch_add(1, Ordering::AcqRel);
        });
    }

    async fn edit(&mut self) -> io::Result<()> {
        let change = call(1, "pm_update", edit(self.edits));
        self.edits += 1;
        let bytes = post(self.load.server, &change);
        ask(&self.load, &mut self.editor, &bytes).await.map(drop).map_err(io::Error::other)
    }

    /// So many changes, each heard by every stream that is read before the next one is made.
    async fn rounds(&mut self, number: usize) -> io::Result<Rounds> {
        let mut rounds = Rounds::default();
        let used = look(self.process).used;
        for _ in 0..number {
            let (heard, streams) = (Arc::clone(&self.heard), self.streams);
            let (sofar, begun) = (heard.changes(), Instant::now());
            let listening = tokio::spawn(async move {
                let first = heard.until(sofar + 1).await?;
                Ok::<_, io::Error>((first, heard.until(sofar + streams).await?))
            });
            self.edit().await?;
            let (first, last) = listening.await.map_err(io::Error::other)??;
            rounds.whole.add(last.duration_since(begun));
            rounds.spread.add(last.duration_since(first));
        }
        rounds.used = (look(self.process).used.saturating_sub(used)) / u32::try_from(number).unwrap_or(1);
        Ok(rounds)
    }
}
