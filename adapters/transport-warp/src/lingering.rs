//! Closes connections so that the last answer arrives.
//!
//! When a socket is closed while bytes of its peer are unread, the system resets the connection, and the peer may lose
//! an answer that it has not read yet: the very one that says why its body was not wanted. So what still comes is read
//! and thrown away for a moment.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Buf as _, Bytes};
use pm_mcp_domain::http::HttpRefusal;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedWriteHalf;
use tokio::runtime::Handle;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

use crate::connection::Lifetime;
use crate::long_head;
use crate::peer::Peer;
use crate::stall::Writes;

/// How long a peer may go on sending after its last answer.
const LINGER: Duration = Duration::from_secs(2);

/// A connection that takes its leave in a task of its own when it is dropped, and holds its place until then.
pub(crate) struct Lingering {
    peer: Peer,
    held: Option<(OwnedWriteHalf, OwnedSemaphorePermit)>,
    lifetime: Lifetime,
    peer_closed: bool,
    writes: Writes,
    /// What is said to a head that is too long.
    head_refusal: HttpRefusal,
    /// What is left of the refusal that is written in place of hyper's. Boxed, because few connections have one.
    refusing: Option<Box<Bytes>>,
}

impl Lingering {
    pub(crate) fn new(
        tcp: TcpStream,
        place: OwnedSemaphorePermit,
        lifetime: Lifetime,
        head_refusal: HttpRefusal,
    ) -> Self {
        let (read_half, write_half) = tcp.into_split();
        Self {
            peer: Peer::new(read_half),
            held: Some((write_half, place)),
            lifetime,
            peer_closed: false,
            writes: Writes::default(),
            head_refusal,
            refusing: None,
        }
    }

    /// The life of the server that it belongs to.
    pub(crate) fn lifetime(&self) -> &Lifetime {
        &self.lifetime
    }

    /// What will be known of its writes.
    pub(crate) fn writes(&self) -> Writes {
        self.writes.clone()
    }

    /// Who is at the other end.
    pub(crate) fn peer(&self) -> Peer {
        self.peer.clone()
    }

    /// Waits for the first bytes, which stay to be read, and says whether `text` may be going to be what they begin with.
    pub(crate) async fn begins_like(&self, text: &[u8; 24]) -> io::Result<bool> {
        let mut first = [0; 24];
        let mut space = ReadBuf::new(&mut first);
        poll_fn(|cx| self.peer.poll_peek(cx, &mut space)).await?;
        Ok(text.starts_with(space.filled()))
    }

    /// Writes a refusal with words in place of hyper's, which is taken as written once they are.
    fn poll_refuse(&mut self, cx: &mut Context<'_>, wordless: &[u8]) -> Poll<io::Result<usize>> {
        let told = || Box::new(Bytes::from(long_head::told(wordless, &self.head_refusal)));
        let mut rest = self.refusing.take().unwrap_or_else(told);
        let refused = loop {
            if rest.is_empty() {
                break Poll::Ready(Ok(wordless.len()));
            }
            match self.half()?.poll_write(cx, &rest) {
                Poll::Ready(Ok(0)) => break Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                Poll::Ready(Ok(count)) => rest.advance(count),
                Poll::Ready(Err(error)) => break Poll::Ready(Err(error)),
                Poll::Pending => break Poll::Pending,
            }
        };
        self.refusing = Some(rest);
        refused
    }

    fn half(&mut self) -> io::Result<Pin<&mut OwnedWriteHalf>> {
        match &mut self.held {
            Some((half, _)) => Ok(Pin::new(half)),
            None => Err(io::ErrorKind::NotConnected.into()),
        }
    }
}

impl Drop for Lingering {
    fn drop(&mut self) {
        let Some((half, place)) = self.held.take() else { return };
        if self.peer_closed || self.lifetime.stop.is_cancelled() || Handle::try_current().is_err() {
            return;
        }
        let (stop, peer) = (self.lifetime.stop.clone(), self.peer.clone());
        self.lifetime.tasks.spawn(async move {
            let _left = stop.run_until_cancelled(timeout(LINGER, take_leave(half, peer))).await;
            drop(place);
        });
    }
}

async fn take_leave(mut half: OwnedWriteHalf, peer: Peer) {
    let mut unwanted = vec![0; 16 << 10];
    let mut is_over = half.shutdown().await.is_err();
    while !is_over {
        let mut space = ReadBuf::new(&mut unwanted);
        let read = poll_fn(|cx| peer.poll_read(cx, &mut space)).await;
        is_over = read.is_err() || space.filled().is_empty();
    }
}

impl AsyncRead for Lingering {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        space: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = space.filled().len();
        let read = self.peer.poll_read(cx, space);
        if matches!(read, Poll::Ready(Ok(()))) && space.filled().len() == before && space.remaining() > 0 {
            self.peer_closed = true;
        }
        read
    }
}

impl AsyncWrite for Lingering {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = match long_head::is_wordless(bytes) {
            true => self.poll_refuse(cx, bytes),
            false => self.half()?.poll_write(cx, bytes),
        };
        self.writes.note(&written);
        written
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = match slices {
            [only] if long_head::is_wordless(only) => self.poll_refuse(cx, only),
            _ => self.half()?.poll_write_vectored(cx, slices),
        };
        self.writes.note(&written);
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.held.as_ref().is_some_and(|(half, _)| half.is_write_vectored())
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = self.half()?.poll_flush(cx);
        self.writes.note_flush(&flushed);
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.half()?.poll_shutdown(cx)
    }
}
