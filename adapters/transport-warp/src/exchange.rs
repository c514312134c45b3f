//! One request being served, in a form that can begin as a plain answer and go on as a stream.

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker, ready};

use async_trait::async_trait;
use bytes::Bytes;
use http::HeaderMap;
use pm_mcp_domain::header::HeaderSource;
use pm_mcp_domain::http::credential;
use pm_mcp_domain::request::Binding;
use pm_mcp_ports::driving::{Answer, Inbound, MessageStream, Outbox, PeerGone, Served, StreamStep};

use crate::endpoint::Endpoint;
use crate::headers::RequestHeaders;
use crate::sse;

/// The answer to a request whose handler panicked.
const PANICKED: &[u8] = br#"{"jsonrpc":"2.0","error":{"code":-32603,"message":"internal error"}}"#;

/// What a request came to.
pub(crate) enum Step {
    /// An event with a message that precedes the answer.
    Event(Bytes),
    /// An event with the answer; nothing follows.
    LastEvent(Bytes),
    /// The end, which is not told as an event yet, and the headers of the request, which nobody reads any more; nothing
    /// follows.
    Ended(Served, HeaderMap),
}

/// A request and its service at work. Dropping it cancels the request.
pub(crate) struct Exchange {
    work: Work,
    slot: Option<Arc<Slot>>,
}

/// What has to be polled for an exchange to go on.
enum Work {
    Serving(Pin<Box<dyn Future<Output = (Served, HeaderMap)> + Send>>),
    /// The service has ended; what it sent before comes first.
    Ended(Served),
    Carrying(Box<dyn MessageStream>),
    Over,
}

impl Exchange {
    /// Has `body` served. Without `streaming`, what precedes the answer is dropped.
    pub(crate) fn new(endpoint: Arc<Endpoint>, headers: HeaderMap, body: Bytes, streaming: bool) -> Self {
        let slot = streaming.then(Arc::<Slot>::default);
        let outbox = SlotOutbox { slot: slot.clone() };
        let serving = Box::pin(async move {
            let served = serve(&endpoint, &RequestHeaders::new(&headers), &body, outbox).await;
            (served, headers)
        });
        Self { work: Work::Serving(serving), slot }
    }

    /// Whether the service has ended and left a stream to be carried.
    pub(crate) fn is_carrying(&self) -> bool {
        matches!(self.work, Work::Carrying(_))
    }

    /// Goes on to the next message or the end. Not to be polled after the end.
    pub(crate) fn poll_step(&mut self, cx: &mut Context<'_>) -> Poll<Step> {
        let mut headers = HeaderMap::new();
        if let Work::Serving(serving) = &mut self.work
            && let Poll::Ready(ended) = caught(|| serving.as_mut().poll(cx), panicked)
        {
            let served;
            (served, headers) = ended;
            self.work = Work::Ended(served);
        }
        if let Some(slot) = &self.slot
            && let Some(message) = slot.take()
        {
            return Poll::Ready(Step::Event(sse::event(&[&message])));
        }
        if let Work::Ended(Served::HandedOver) = &self.work
            && let Some(stream) = self.slot.take().and_then(|slot| slot.lock().stream.take())
        {
            self.work = Work::Carrying(stream);
        }
        match &mut self.work {
            Work::Serving(_) => Poll::Pending,
            Work::Ended(_) | Work::Over => match std::mem::replace(&mut self.work, Work::Over) {
                Work::Ended(served) => Poll::Ready(Step::Ended(served, headers)),
                Work::Serving(_) | Work::Carrying(_) | Work::Over => {
                    Poll::Ready(Step::Ended(Served::Cancelled, headers))
                }
            },
            Work::Carrying(stream) => {
                let step = ready!(poll_event(&mut **stream, cx));
                if !matches!(step, Step::Event(_)) {
                    self.work = Work::Over;
                }
                Poll::Ready(step)
            }
        }
    }
}

fn poll_event(stream: &mut dyn MessageStream, cx: &mut Context<'_>) -> Poll<Step> {
    let mut event = Bytes::new();
    let mut say = |message: &[&[u8]]| event = sse::event(message);
    caught(|| stream.poll_next(cx, &mut say), || StreamStep::Cancelled).map(|step| match step {
        StreamStep::Message => Step::Event(event),
        StreamStep::Answer => Step::LastEvent(event),
        StreamStep::Cancelled => Step::Ended(Served::Cancelled, HeaderMap::new()),
    })
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
fn caught<T>(poll: impl FnOnce() -> Poll<T>, instead: impl FnOnce() -> T) -> Poll<T> {
    catch_unwind(AssertUnwindSafe(poll)).unwrap_or_else(|_| {
        tracing::error!("a request panicked");
        Poll::Ready(instead())
    })
}

fn panicked() -> (Served, HeaderMap) {
    (Served::Answered(Answer::new(500, PANICKED.to_vec())), HeaderMap::new())
}

/// Room for one message on its way from the service to the response.
#[derive(Default)]
struct Slot(Mutex<Held>);

#[derive(Default)]
struct Held {
    message: Option<Vec<u8>>,
    stream: Option<Box<dyn MessageStream>>,
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

    fn carries_streams(&self) -> bool {
        self.slot.is_some()
    }

    fn carry(&mut self, stream: Box<dyn MessageStream>) {
        if let Some(slot) = &self.slot {
            slot.lock().stream = Some(stream);
        }
    }
}
