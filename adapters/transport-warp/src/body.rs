//! Reads the body of a request within its bounds.

use std::fmt::Display;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::Poll;

use bytes::{Buf, Bytes};
use http::HeaderMap;
use http::header::CONTENT_LENGTH;
use http_body::Body;
use pm_mcp_domain::http::HttpRefusal;
use tokio::time::timeout;

use crate::limits::HttpLimits;

/// Reads a body to its end. One that came in one piece is passed on without a copy.
///
/// # Errors
///
/// When the body is declared to be too long (nothing is read then), becomes too long, is too slow or breaks off.
pub(crate) async fn read<B>(
    headers: &HeaderMap,
    body: Pin<&mut B>,
    limits: &HttpLimits,
) -> Result<Bytes, HttpRefusal>
where
    B: Body,
    B::Error: Display,
{
    let limit = limits.body_bytes;
    if declared_length(headers, &*body).is_some_and(|length| length > limit as u64) {
        return Err(HttpRefusal::BodyTooLarge { limit });
    }
    let mut reading = pin!(collect(body, limit));
    // Most bodies are there along with their head; only the others need a timer, and room for one.
    match poll_fn(|cx| Poll::Ready(reading.as_mut().poll(cx))).await {
        Poll::Ready(read) => read,
        Poll::Pending => Box::pin(timeout(limits.body_read_time, reading)).await.unwrap_or_else(|_| {
            let limit_ms = u64::try_from(limits.body_read_time.as_millis()).unwrap_or(u64::MAX);
            Err(HttpRefusal::BodyTimeout { limit_ms })
        }),
    }
}

/// A body that has been taken out of its request may not know any more what the head declared.
fn declared_length<B: Body>(headers: &HeaderMap, body: &B) -> Option<u64> {
    body.size_hint().exact().or_else(|| headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok())
}

async fn collect<B>(mut body: Pin<&mut B>, limit: usize) -> Result<Bytes, HttpRefusal>
where
    B: Body,
    B::Error: Display,
{
    let Some(first) = piece(body.as_mut()).await? else { return Ok(Bytes::new()) };
    within(first.len(), limit)?;
    if body.is_end_stream() {
        return Ok(first);
    }
    let Some(mut next) = piece(body.as_mut()).await? else { return Ok(first) };
    let mut whole = Vec::from(first);
    loop {
        within(whole.len().saturating_add(next.len()), limit)?;
        whole.extend_from_slice(&next);
        match piece(body.as_mut()).await? {
            Some(piece) => next = piece,
            None => return Ok(whole.into()),
        }
    }
}

/// The next piece of a body. What may follow its last one, trailers, is passed over.
async fn piece<B>(mut body: Pin<&mut B>) -> Result<Option<Bytes>, HttpRefusal>
where
    B: Body,
    B::Error: Display,
{
    loop {
        match poll_fn(|cx| body.as_mut().poll_frame(cx)).await {
            Some(Ok(frame)) => {
                if let Ok(mut piece) = frame.into_data() {
                    return Ok(Some(piece.copy_to_bytes(piece.remaining())));
                }
            }
            Some(Err(error)) => {
                tracing::debug!(%error, "a request body broke off");
                return Err(HttpRefusal::BodyIncomplete);
            }
            None => return Ok(None),
        }
    }
}

fn within(length: usize, limit: usize) -> Result<(), HttpRefusal> {
    match length > limit {
        true => Err(HttpRefusal::BodyTooLarge { limit }),
        false => Ok(()),
    }
}
