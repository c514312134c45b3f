//! One request being served, in a form that can begin as a plain answer and go on as a stream.

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use async_trait::async_trait;
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue};
use pm_mcp_domain::header::HeaderSource;
use pm_mcp_domain::http::credential;
use pm_mcp_domain::request::Binding;
use pm_mcp_ports::driving::{Answer, Inbound, Outbox, PeerGone, Served};

use crate::endpoint::Endpoint;
use crate::headers::RequestHeaders;

/// The answer to a request whose handler panicked.
const PANICKED: &[u8] = br#"{"jsonrpc":"2.0","error":{"code":-32603,"message":"internal error"}}"#;

/// What a request came to.
pub(crate) enum Step {
    /// A message that precedes the answer.
    Message(Vec<u8>),
    /// The end; nothing follows.
    Ended(Served),
}

/// A request and its service at work. Dropping it cancels the request.
pub(crate) struct Exchange {
    serving: Option<Pin<Box<dyn Future<Output = Served> + Send>>>,
    slot: Option<Arc<Slot>>,
    ended: Option<Served>,
}

impl Exchange {
    /// Has `body` served. Without `streaming`, what precedes the answer is dropped.
    pub(crate) fn new(endpoint: Arc<Endpoint>, headers: HeaderMap, body: Bytes, streaming: bool) -> Self {
        let slot = streaming.then(Arc::<Slot>::default);
        let outbox = SlotOutbox { slot: slot.clone() };
        let serving = Box::pin(async move {
            let source = RequestHeaders::new(&headers);
            serve(&endpoint, &source, &body, outbox).await
        });
        Self { serving: Some(serving), slot, ended: None }
    }

    /// Has `body` served as [`new`](Self::new) does, for a request that will be at work for long: it keeps copies of what it
    /// needs, so that the buffer that the request was read into is given back.
    pub(crate) fn lasting(
        endpoint: Arc<Endpoint>,
        headers: &HeaderMap,
        body: &[u8],
        streaming: bool,
    ) -> Self {
        let slot = streaming.then(Arc::<Slot>::default);
        let outbox = SlotOutbox { slot: slot.clone() };
        let kept = |(name, value): (&HeaderName, &HeaderValue)| (name.clone(), Box::from(value.as_bytes()));
        let source: Vec<(HeaderName, Box<[u8]>)> = headers.iter().map(kept).collect();
        let body: Box<[u8]> = Box::from(body);
        let serving = Box::pin(async move { serve(&endpoint, &source, &body, outbox).await });
        Self { serving: Some(serving), slot, ended: None }
    }

    /// Goes on to the next message or the end. Not to be polled after the end.
    pub(crate) fn poll_step(&mut self, cx: &mut Context<'_>) -> Poll<Step> {
        if let Some(serving) = &mut self.serving
            && let Some(served) = poll_caught(serving.as_mut(), cx)
        {
            self.serving = None;
            self.ended = Some(served);
        }
        if let Some(message) = self.slot.as_ref().and_then(|slot| slot.take()) {
            return Poll::Ready(Step::Message(message));
        }
        match self.ended.take() {
            Some(served) => Poll::Ready(Step::Ended(served)),
            None => Poll::Pending,
        }
    }
}

async fn serve(
    endpoint: &Endpoint,
    source: &dyn HeaderSource,
    body: &[u8],
    mut outbox: SlotOutbox,
) -> Served {
    let inbound = Inbound {
        bytes: body,
        binding: Binding::Http(source),
        principal: &endpoint.principal,
        credential: credential(source),
    };
    endpoint.service.serve(inbound, &mut outbox).await
}

/// A panic would close the connection without a word, and on HTTP/2 take the other streams along.
fn poll_caught(
    serving: Pin<&mut (dyn Future<Output = Served> + Send)>,
    cx: &mut Context<'_>,
) -> Option<Served> {
    match catch_unwind(AssertUnwindSafe(|| serving.poll(cx))) {
        Ok(Poll::Pending) => None,
        Ok(Poll::Ready(served)) => Some(served),
        Err(_) => {
            tracing::error!("a request panicked");
            Some(Served::Answered(Answer::new(500, PANICKED.to_vec())))
        }
    }
}

/// Room for one message on its way from the service to the response.
#[derive(Default)]
struct Slot(Mutex<Held>);

#[derive(Default)]
struct Held {
    message: Option<Vec<u8>>,
    sender: Option<Waker>,
}

impl Slot {
    fn poll_put(&self, message: &mut Vec<u8>, cx: &Context<'_>) -> Poll<()> {
        let mut held = self.lock();
        if held.message.is_some() {
            held.sender = Some(cx.waker().clone());
            return Poll::Pending;
        }
        held.message = Some(std::mem::take(message));
        Poll::Ready(())
    }

    fn take(&self) -> Option<Vec<u8>> {
        let mut held = self.lock();
        let message = held.message.take()?;
        let sender = held.sender.take();
        drop(held);
        if let Some(sender) = sender {
            sender.wake();
        }
        Some(message)
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Hands messages over one by one. It is polled within [`Exchange::poll_step`], which looks for a message afterwards,
/// so nobody needs to be told of one. When the peer goes, the service that holds this is dropped.
struct SlotOutbox {
    slot: Option<Arc<Slot>>,
}

#[async_trait]
impl Outbox for SlotOutbox {
    async fn send(&mut self, mut message: Vec<u8>) -> Result<(), PeerGone> {
        if let Some(slot) = &self.slot {
            poll_fn(|cx| slot.poll_put(&mut message, cx)).await;
        }
        Ok(())
    }
}
