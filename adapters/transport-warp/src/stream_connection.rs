//! A connection that carries one stream and nothing else any more.
//!
//! For as long as hyper has a connection, it keeps room for the next request, several times what an open stream needs. So a
//! connection is taken from hyper once the head of the stream's response is written. What is left to do is to write each
//! event as a chunk ([RFC 9112 section 7.1](https://www.rfc-editor.org/rfc/rfc9112#section-7.1)) and to notice that the
//! peer leaves. The connection closes behind the stream, which the head says.

use std::fmt::Write as _;
use std::future::{Future, poll_fn};
use std::io;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Buf as _, BytesMut};
use futures_util::Stream as _;
use tokio::io::{AsyncRead as _, AsyncWrite as _, ReadBuf};

use crate::bell::Bell;
use crate::event_stream::EventStream;
use crate::lingering::Lingering;
use crate::stall::Stall;

/// How many bytes of events are taken before they are written. What a peer leaves unread beyond them waits in the service,
/// which bounds it.
const BATCH: usize = 2 << 10;

/// The end of a body.
const LAST_CHUNK: &[u8] = b"0\r\n\r\n";

/// Carries `events` to their end, until the peer leaves or takes nothing for `write_time`, or the grace of the server ends.
/// `has_heard` says that the peer has sent something behind its request, which nobody will answer.
pub(crate) fn carry(
    tcp: Lingering,
    events: EventStream,
    has_heard: bool,
    write_time: Duration,
) -> impl Future<Output = ()> + Send {
    let lifetime = tcp.lifetime().clone();
    let mut stall = Stall::new(tcp.writes(), write_time);
    let mut carried = Carried { tcp, events, unsent: BytesMut::new(), has_heard, is_over: false };
    // Not an async function: its arguments would be kept twice.
    async move {
        let mut cut_off = pin!(lifetime.cut_off.cancelled());
        let bell = Bell::new();
        let ended = poll_fn(|cx| {
            if let Poll::Ready(ended) = carried.poll(cx) {
                return Poll::Ready(End::Ended(ended));
            }
            if stall.poll(cx).is_ready() {
                return Poll::Ready(End::Stalled);
            }
            bell.answer(cx, |cx| cut_off.as_mut().poll(cx)).map(|()| End::CutOff)
        });
        match ended.await {
            End::Ended(Ok(())) => {}
            End::Ended(Err(error)) => {
                tracing::debug!(%error, "the connection of a stream ended with an error")
            }
            End::Stalled => stall.tell(&lifetime.limit_counts),
            End::CutOff => tracing::debug!("a connection was cut off at the end of the grace"),
        }
    }
}

enum End {
    /// The stream has ended, or its peer has.
    Ended(io::Result<()>),
    /// The peer takes nothing.
    Stalled,
    CutOff,
}

struct Carried {
    tcp: Lingering,
    events: EventStream,
    /// Chunks that wait for the peer. A stream that is silent has no room for them.
    unsent: BytesMut,
    has_heard: bool,
    /// Whether nothing follows what is unsent.
    is_over: bool,
}

impl Carried {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.poll_leave(cx)?.is_ready() {
            return Poll::Ready(Ok(()));
        }
        loop {
            let is_silent = self.take_events(cx);
            while !self.unsent.is_empty() {
                match ready!(Pin::new(&mut self.tcp).poll_write(cx, &self.unsent))? {
                    0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                    count => self.unsent.advance(count),
                }
            }
            self.unsent = BytesMut::new();
            if self.is_over {
                return Pin::new(&mut self.tcp).poll_shutdown(cx);
            }
            if is_silent {
                return Poll::Pending;
            }
        }
    }

    /// Ready when the peer leaves. It is not known any more of a peer that sends something first, which is left unread, so
    /// that nobody can keep the server reading.
    fn poll_leave(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.has_heard {
            return Poll::Pending;
        }
        let mut byte = [0; 1];
        let mut space = ReadBuf::new(&mut byte);
        ready!(Pin::new(&mut self.tcp).poll_read(cx, &mut space))?;
        self.has_heard = !space.filled().is_empty();
        if self.has_heard { Poll::Pending } else { Poll::Ready(Ok(())) }
    }

    /// Takes the events that are there, while there is room for them, and says whether the next one will wake the task.
    fn take_events(&mut self, cx: &mut Context<'_>) -> bool {
        while !self.is_over && self.unsent.len() < BATCH {
            match Pin::new(&mut self.events).poll_next(cx) {
                Poll::Ready(Some(Ok(event))) => put_chunk(&mut self.unsent, &event),
                Poll::Ready(None) => {
                    self.is_over = true;
                    self.unsent.extend_from_slice(LAST_CHUNK);
                }
                Poll::Pending => return true,
            }
        }
        false
    }
}

fn put_chunk(chunks: &mut BytesMut, data: &[u8]) {
    /// The digits of the longest length, and two line ends.
    const FRAME: usize = 2 * size_of::<usize>() + 4;
    chunks.reserve(data.len() + FRAME);
    let framed = write!(chunks, "{:X}\r\n", data.len());
    debug_assert!(framed.is_ok(), "memory takes whatever is written");
    chunks.extend_from_slice(data);
    chunks.extend_from_slice(b"\r\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_says_its_length_in_hexadecimal_digits() {
        let mut chunks = BytesMut::new();
        put_chunk(&mut chunks, b":\n\n");
        put_chunk(&mut chunks, &[b'x'; 300]);
        assert_eq!(chunks, format!("3\r\n:\n\n\r\n12C\r\n{}\r\n", "x".repeat(300)));
    }
}
