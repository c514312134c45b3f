//! What a peer takes of one stream of an HTTP/2 connection.
//!
//! Such a peer makes room for each stream by itself. While one has none, hyper asks its body for nothing, and the
//! connection has nothing to wait for, since others on it go on: what the peer owes is measured where the body is asked.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use warp::reply::Response;

use crate::stall::Writes;

tokio::task_local! {
    /// The writes of the stream whose task is polled.
    static STREAM: Writes;
}

/// How much is handed over at once. The next piece is asked for once there is room for it, which shows that the one before
/// has gone.
const PIECE: usize = 8 << 10;

/// Runs the task of one stream so that the bodies of its responses are measured by `writes`.
pub(crate) fn measured<F: Future>(writes: Writes, stream: F) -> impl Future<Output = F::Output> {
    STREAM.scope(writes, stream)
}

/// A response whose body tells the task that it is polled in what is asked of it.
pub(crate) fn measure(
    response: Response,
) -> http::Response<OwedBody<impl Body<Data = Bytes, Error = warp::Error>>> {
    let writes = STREAM.try_with(Writes::clone).unwrap_or_default();
    response.map(|body| OwedBody { body, rest: Bytes::new(), writes })
}

/// A body that is handed over in pieces, each of which counts as waiting until more is asked for.
pub(crate) struct OwedBody<B> {
    body: B,
    rest: Bytes,
    writes: Writes,
}

impl<B: Body<Data = Bytes> + Unpin> OwedBody<B> {
    /// The next piece of what is there. The last byte of a body goes alone: nobody asks for anything behind it, so what is
    /// before it must have gone when it goes.
    fn piece(&mut self) -> Bytes {
        let is_last = self.rest.len() <= PIECE && self.rest.len() > 1 && self.body.is_end_stream();
        let length = if is_last { self.rest.len() - 1 } else { self.rest.len().min(PIECE) };
        self.writes.note(&Poll::Ready(()));
        self.writes.note(&Poll::<()>::Pending);
        self.rest.split_to(length)
    }
}

impl<B: Body<Data = Bytes> + Unpin> Body for OwedBody<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        if self.rest.is_empty() {
            let polled = Pin::new(&mut self.body).poll_frame(cx);
            // Whatever was handed over before has gone.
            self.writes.note(&Poll::Ready(()));
            match polled {
                Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                    Ok(data) => self.rest = data,
                    Err(other) => return Poll::Ready(Some(Ok(other))),
                },
                other => return other,
            }
        }
        Poll::Ready(Some(Ok(Frame::data(self.piece()))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (rest, hint) = (self.rest.len() as u64, self.body.size_hint());
        let mut whole = SizeHint::new();
        if let Some(upper) = hint.upper() {
            whole.set_upper(upper.saturating_add(rest));
        }
        whole.set_lower(hint.lower().saturating_add(rest));
        whole
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use http_body_util::Full;

    use super::*;

    #[test]
    fn a_body_is_cut_into_pieces_whose_last_is_one_byte() {
        for (length, expected) in [
            (0, vec![]),
            (1, vec![1]),
            (2, vec![1, 1]),
            (PIECE, vec![PIECE - 1, 1]),
            (PIECE + 1, vec![PIECE, 1]),
            (2 * PIECE + 7, vec![PIECE, PIECE, 6, 1]),
        ] {
            let whole: Vec<u8> = (0..length).map(|at| u8::try_from(at % 251).unwrap()).collect();
            let body = Full::new(Bytes::from(whole.clone()));
            let mut body = OwedBody { body, rest: Bytes::new(), writes: Writes::default() };
            assert_eq!(body.size_hint().exact(), Some(length as u64));
            let (mut lengths, mut read) = (Vec::new(), Vec::new());
            while !body.is_end_stream() {
                let polled = Pin::new(&mut body).poll_frame(&mut Context::from_waker(Waker::noop()));
                let Poll::Ready(Some(Ok(frame))) = polled else { break };
                let data = frame.into_data().unwrap();
                lengths.push(data.len());
                read.extend(data);
                assert_eq!(body.size_hint().exact(), Some((length - read.len()) as u64));
            }
            assert_eq!((lengths, read), (expected, whole), "{length}");
        }
    }
}
