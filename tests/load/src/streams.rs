//! Streams of changes that open and vanish, and some that stay.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pm_mcp_acceptance::request;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::calls::EDITED_URI;
use crate::dice::Dice;
use crate::load::Load;
use crate::messages::post;
use crate::wire::{PATIENCE, Wire};

/// How long a stream may hear nothing of the edits: far more than is between two of them.
const SILENCE: Duration = Duration::from_secs(120);

/// A stream that was acknowledged.
pub(crate) struct Stream {
    wire: Wire,
    /// What came of an event that is not whole yet.
    rest: Vec<u8>,
}

impl Stream {
    async fn open(load: &Load, number: u64) -> io::Result<Self> {
        Self::open_with(load.server, &format!("s{number}"), &[EDITED_URI], None).await
    }

    /// To some resources, under this id, and with room for about so many unread bytes, where it is told.
    pub(crate) async fn open_with(
        server: SocketAddr,
        id: &str,
        resources: &[&str],
        room: Option<u32>,
    ) -> io::Result<Self> {
        let wanted = json!({"notifications": {"toolsListChanged": true, "resourceSubscriptions": resources}});
        let listen = request(id, "subscriptions/listen", wanted);
        let mut wire = Wire::open_with(server, room).await?;
        wire.send(&post(server, &listen)).await?;
        let head = wire.reply_head().await?;
        if head.status != 200 {
            return Err(io::Error::other(format!("a stream got status {}", head.status)));
        }
        let mut stream = Self { wire, rest: Vec::new() };
        let first = timeout(PATIENCE, stream.event()).await.map_err(io::Error::from)??;
        if first["method"] != "notifications/subscriptions/acknowledged" {
            return Err(io::Error::other(format!("a stream began with {first}")));
        }
        Ok(stream)
    }

    /// The next message; comments are passed over.
    pub(crate) async fn event(&mut self) -> io::Result<Value> {
        loop {
            if let Some(end) = self.rest.windows(2).position(|pair| pair == b"\n\n") {
                let event: Vec<u8> = self.rest.drain(..end + 2).collect();
                let text = String::from_utf8_lossy(&event);
                if let Some(data) = text.lines().find_map(|line| line.strip_prefix("data:")) {
                    return serde_json::from_str(data).map_err(io::Error::from);
                }
                continue;
            }
            match self.wire.chunk().await? {
                Some(chunk) => self.rest.extend(chunk),
                None => {
                    return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the server ended a stream"));
                }
            }
        }
    }
}

/// Opens streams that live for some seconds and vanish in every way that peers do.
pub(crate) async fn come_and_go(load: Arc<Load>, number: u64, longest: Duration) {
    let mut dice = Dice::seeded(5_000 + number);
    while load.goes_on() {
        let begun = Instant::now();
        let opened = Stream::open(&load, number).await;
        let stream = match opened {
            Ok(stream) => stream,
            Err(error) => {
                load.tally.note("stream opened", begun, Err(error.to_string()));
                sleep(Duration::from_secs(1)).await;
                continue;
            }
        };
        load.tally.note("stream opened", begun, Ok(()));
        live(stream, longest.mul_f64((10 + dice.below(91)) as f64 / 100.0), dice.below(4)).await;
    }
}

/// Lives for a while; what comes is read, except in one of the ways, and then it ends in one of them.
async fn live(mut stream: Stream, long: Duration, way: u64) {
    match way {
        0 => sleep(long).await,
        _ => {
            let heard = async {
                // A stream that the server ended is found by those that stay.
                while stream.event().await.is_ok() {}
            };
            // Ends by the time, as nothing else ends it.
            drop(timeout(long, heard).await);
        }
    }
    match way {
        0 | 1 => stream.wire.break_off(),
        2 => {
            // Closes its half and is silent for a moment before it goes.
            drop(stream.wire.finish().await);
            sleep(Duration::from_millis(500)).await;
        }
        _ => {}
    }
}

/// A stream that stays for the whole run and has to hear of the edits.
pub(crate) async fn stay(load: Arc<Load>, number: u64) {
    let begun = Instant::now();
    let mut stream = match Stream::open(&load, number).await {
        Ok(stream) => stream,
        Err(error) => return load.tally.note("change heard", begun, Err(error.to_string())),
    };
    let hearing = async {
        loop {
            let heard = timeout(SILENCE, stream.event()).await;
            let edited = load.edited();
            match heard {
                Ok(Ok(_)) => load.tally.note("change heard", edited, Ok(())),
                Ok(Err(error)) => return load.tally.note("change heard", edited, Err(error.to_string())),
                Err(_) => {
                    let fault = format!("nothing heard for {SILENCE:?}");
                    return load.tally.note("change heard", edited, Err(fault));
                }
            }
        }
    };
    tokio::select! {
        () = hearing => {}
        () = load.end() => {}
    }
}
