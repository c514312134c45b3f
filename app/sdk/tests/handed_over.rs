//! A stream that its transport carries on without the request.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use std::future::Future;
use std::num::NonZeroUsize;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use pm_mcp::{
    Binding, Channel, ConcurrencyLimit, Inbound, McpDoor, MessageStream, ObservedRequest, Outbox, Output,
    PeerGone, Principal, RequestEnd, RequestObserver, RequestOutcome, Served, Server, ServerBuilder,
    StreamStep, async_trait, tool,
};
use serde_json::{Value, json};

/// Carries one stream.
#[derive(Default)]
struct Carrier {
    sent: Vec<Vec<u8>>,
    stream: Option<Box<dyn MessageStream>>,
}

#[async_trait]
impl Outbox for Carrier {
    async fn send(&mut self, message: Vec<u8>) -> Result<(), PeerGone> {
        self.sent.push(message);
        Ok(())
    }

    fn carries_streams(&self) -> bool {
        true
    }

    fn carry(&mut self, stream: Box<dyn MessageStream>) {
        self.stream = Some(stream);
    }
}

/// Hears how requests ended; `None` for one that was given up.
#[derive(Clone, Default, Debug)]
struct Ear(Arc<Mutex<Vec<Option<RequestOutcome>>>>);

impl Ear {
    fn heard(&self) -> Vec<Option<RequestOutcome>> {
        self.0.lock().unwrap().clone()
    }
}

impl RequestObserver for Ear {
    fn begin(&self, _: &ObservedRequest<'_>) -> Box<dyn RequestEnd> {
        Box::new(Told { ear: self.clone(), told: false })
    }

    fn refused(&self, _: pm_mcp::ErrorCode) {}
}

struct Told {
    ear: Ear,
    told: bool,
}

impl RequestEnd for Told {
    fn end(mut self: Box<Self>, outcome: RequestOutcome) {
        self.told = true;
        self.ear.0.lock().unwrap().push(Some(outcome));
    }
}

impl Drop for Told {
    fn drop(&mut self) {
        if !self.told {
            self.ear.0.lock().unwrap().push(None);
        }
    }
}

fn server(build: impl FnOnce(ServerBuilder) -> ServerBuilder) -> Server {
    let yes = tool("yes", "Answers.").handler(|_, _: pm_mcp::NoArguments| async { Ok(Output::text("yes")) });
    build(Server::builder("streams", "1").tool(yes)).build().unwrap()
}

fn listen() -> Vec<u8> {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"notifications": {"toolsListChanged": true}, "_meta": meta});
    json!({"jsonrpc": "2.0", "id": 7, "method": "subscriptions/listen", "params": params})
        .to_string()
        .into_bytes()
}

fn serve(door: &dyn McpDoor, carrier: &mut Carrier) -> Poll<Served> {
    let (bytes, principal) = (listen(), Principal::loopback());
    let serving = pin!(door.serve(Inbound::local(&bytes, Binding::Stdio, &principal), carrier));
    let mut serving = serving;
    serving.as_mut().poll(&mut Context::from_waker(Waker::noop()))
}

fn next(stream: &mut dyn MessageStream) -> Poll<(StreamStep, Value)> {
    let mut said = Value::Null;
    let mut say = |pieces: &[&[u8]]| said = serde_json::from_slice(&pieces.concat()).unwrap();
    let step = stream.poll_next(&mut Context::from_waker(Waker::noop()), &mut say);
    step.map(|step| (step, said))
}

#[test]
fn a_request_that_became_a_stream_ends_with_it_and_is_observed_until_then() {
    let ear = Ear::default();
    let server = server(|builder| builder.request_observer(ear.clone()));
    let door = server.service().open(Channel::PerRequest);
    let mut carrier = Carrier::default();
    assert_eq!(serve(&*door, &mut carrier), Poll::Ready(Served::HandedOver));
    let mut stream = carrier.stream.take().unwrap();
    let Poll::Ready((StreamStep::Message, first)) = next(&mut *stream) else { panic!("nothing said") };
    assert_eq!(first["method"], "notifications/subscriptions/acknowledged");
    assert!(next(&mut *stream).is_pending());
    server
        .edit(|offer| {
            assert!(offer.remove_tool("yes"));
            Ok(())
        })
        .unwrap();
    let Poll::Ready((StreamStep::Message, change)) = next(&mut *stream) else { panic!("nothing said") };
    assert_eq!(change["method"], "notifications/tools/list_changed");
    assert_eq!(ear.heard(), [], "the request goes on");
    door.close();
    let Poll::Ready((StreamStep::Answer, answer)) = next(&mut *stream) else { panic!("no answer") };
    assert_eq!((&answer["id"], &answer["result"]["resultType"]), (&json!(7), &json!("complete")));
    drop(stream);
    assert_eq!(ear.heard(), [Some(RequestOutcome::Result)]);
    assert!(carrier.sent.is_empty());
}

#[test]
fn a_stream_that_is_dropped_is_a_request_that_was_given_up() {
    let ear = Ear::default();
    let server = server(|builder| builder.request_observer(ear.clone()));
    let door = server.service().open(Channel::PerRequest);
    let mut carrier = Carrier::default();
    assert_eq!(serve(&*door, &mut carrier), Poll::Ready(Served::HandedOver));
    assert_eq!(ear.heard(), []);
    drop(carrier);
    assert_eq!(ear.heard(), [None]);
}

#[test]
fn a_stream_stays_with_its_request_where_something_has_to_know_of_its_end() {
    let limit = ConcurrencyLimit::new("workers", NonZeroUsize::new(1).unwrap());
    let limited = server(|builder| builder.interceptor(limit));
    let open = server(|builder| builder);
    for (door, what) in [
        (limited.service().open(Channel::PerRequest), "what stands around it"),
        (open.service().open(Channel::Shared), "a channel on which a message cancels it"),
    ] {
        let mut carrier = Carrier::default();
        assert_eq!(serve(&*door, &mut carrier), Poll::Pending, "{what}");
        assert!(carrier.stream.is_none(), "{what}");
        assert_eq!(carrier.sent.len(), 1, "{what}");
    }
}
