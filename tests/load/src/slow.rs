//! Peers that are slow, silent or do not read, and how long the server bears them.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use pm_mcp_acceptance::request;
use serde_json::json;
use tokio::time::timeout;

use crate::load::Load;
use crate::messages::{head, post};
use crate::wire::Wire;

/// Between two bytes of a slow peer.
const DRIP: Duration = Duration::from_millis(500);

/// What a loaded machine may take beyond the server's own times.
const SLACK: Duration = Duration::from_secs(15);

/// How a peer is slow, and for how long the server bears it by default.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Slow {
    Head,
    Body,
    Idle,
    Reader,
}

impl Slow {
    const ALL: [Self; 4] = [Self::Head, Self::Body, Self::Idle, Self::Reader];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Head => "slow: head",
            Self::Body => "slow: body",
            Self::Idle => "slow: idle",
            Self::Reader => "slow: reader",
        }
    }

    /// The server's default limits: 10 s for a first head, 30 s for a body, 10 s in which nothing is read, one to two times
    /// 60 s without a request.
    fn borne(self) -> Duration {
        match self {
            Self::Head => Duration::from_secs(10),
            Self::Body => Duration::from_secs(30),
            Self::Idle => Duration::from_secs(120),
            // Ten seconds without room, and what it takes until there is none.
            Self::Reader => Duration::from_secs(30),
        }
    }
}

/// Peers of every kind of slowness, one after the other; each has to be ended by the server in time.
pub(crate) async fn be_slow(load: Arc<Load>, number: u64) {
    let (mut at, there) = (number as usize, AtomicUsize::new(0));
    while load.goes_on() {
        let slow = Slow::ALL[at % Slow::ALL.len()];
        let begun = Instant::now();
        let ended = tokio::select! {
            ended = bear(&load, slow, &there) => ended,
            // What the end of the run cuts short says nothing.
            () = load.end() => return,
        };
        let took = begun.elapsed();
        let outcome = match ended {
            Err(error) => Err(error.to_string()),
            Ok(()) if took > slow.borne() + SLACK => Err(format!("borne for {took:?}")),
            Ok(()) => Ok(()),
        };
        load.tally.timed(slow.name(), took, outcome);
        at += 1;
    }
}

/// Is slow in one way until the server has had enough; `there` is told once it is.
pub(crate) async fn bear(load: &Load, slow: Slow, there: &AtomicUsize) -> io::Result<()> {
    let list = request(1, "tools/list", json!({}));
    let mut wire = Wire::open_with(load.server, Some(4_096)).await?;
    match slow {
        Slow::Head => {
            wire.send(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: ").await?;
            there.fetch_add(1, Ordering::Relaxed);
            drip(&mut wire, slow).await
        }
        Slow::Body => {
            wire.send(&head(load.server, &list, "Content-Length: 100000\r\n")).await?;
            there.fetch_add(1, Ordering::Relaxed);
            drip(&mut wire, slow).await
        }
        Slow::Idle => {
            wire.exchange(&post(load.server, &request(1, "server/discover", json!({})))).await?;
            there.fetch_add(1, Ordering::Relaxed);
            wire.until_closed(slow.borne() + SLACK).await.map(drop)
        }
        Slow::Reader => {
            // More is asked for than the sockets hold, and nothing read, until the server gives the connection up.
            let bytes = post(load.server, &list);
            let asked = async {
                while let Ok(sent) = timeout(DRIP, wire.send_for_good(&bytes)).await {
                    if sent.is_err() {
                        return;
                    }
                }
                there.fetch_add(1, Ordering::Relaxed);
                // The last request may have been cut in two; the server does not read it.
                while wire.send_for_good(&bytes).await.is_ok() {}
            };
            timeout(slow.borne() + SLACK, asked).await.map_err(io::Error::from)
        }
    }
}

/// Sends a byte now and then until the server has had enough.
async fn drip(wire: &mut Wire, slow: Slow) -> io::Result<()> {
    let begun = Instant::now();
    while begun.elapsed() < slow.borne() + SLACK {
        if wire.send(b"x").await.is_err() {
            return Ok(());
        }
        match wire.until_closed(DRIP).await {
            Ok(_) => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::TimedOut => {}
            Err(_) => return Ok(()),
        }
    }
    Err(io::Error::new(io::ErrorKind::TimedOut, "the server bears it for too long"))
}
