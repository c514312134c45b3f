//! What comes from the peer of a connection, and whether the peer has left.
//!
//! hyper finds out that a peer leaves before its answer by reading on, for which it makes room for the next request while
//! the one at hand is being served: eight kilobytes that each request would pay for. So it is told to leave that alone, and
//! the connection looks itself, for which it shares what it reads from with hyper.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead as _, ReadBuf};
use tokio::net::tcp::OwnedReadHalf;

/// The half of a connection that is read. Clones are the same; all are used in the task of the connection.
#[derive(Clone, Debug)]
pub(crate) struct Peer(Arc<Mutex<Reading>>);

#[derive(Debug)]
struct Reading {
    half: OwnedReadHalf,
    /// Whether a reader waits for more, and so will notice the end.
    is_awaited: bool,
}

impl Peer {
    pub(crate) fn new(half: OwnedReadHalf) -> Self {
        Self(Arc::new(Mutex::new(Reading { half, is_awaited: false })))
    }

    pub(crate) fn poll_read(&self, cx: &mut Context<'_>, space: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let mut reading = self.reading();
        let read = Pin::new(&mut reading.half).poll_read(cx, space);
        reading.is_awaited = read.is_pending();
        read
    }

    /// What comes next stays to be read.
    pub(crate) fn poll_peek(&self, cx: &mut Context<'_>, space: &mut ReadBuf<'_>) -> Poll<io::Result<usize>> {
        self.reading().half.poll_peek(cx, space)
    }

    /// Ready when the peer has left while nobody waits for it and nothing that it sent is unread; while something is, it is
    /// not known.
    pub(crate) fn poll_leave(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut reading = self.reading();
        if reading.is_awaited {
            return Poll::Pending;
        }
        let mut byte = [0; 1];
        match ready!(reading.half.poll_peek(cx, &mut ReadBuf::new(&mut byte))) {
            Ok(1..) => Poll::Pending,
            Ok(0) | Err(_) => Poll::Ready(()),
        }
    }

    fn reading(&self) -> MutexGuard<'_, Reading> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
