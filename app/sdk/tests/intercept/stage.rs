//! A server without a transport, a clock that is moved by hand, and interceptors that write down what they see.

use std::fmt;
use std::future::{Future, poll_fn};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use std::time::Duration;

use pm_mcp::{
    Binding, Channel, Clock, Context, HandlerFault, Inbound, Interceptor, McpDoor, NoArguments, Operation,
    Outbox, Outcome, Output, Pass, PeerGone, Principal, ResultMut, Served, Server, ServerBuilder, Timestamp,
    ToolDraft, ToolEntry, async_trait, tool,
};
use serde_json::{Value, json};
use tokio::sync::Notify;

/// What happened, in order.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<(Mutex<Vec<String>>, Notify)>);

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Log")
    }
}

impl Log {
    pub(crate) fn push(&self, line: impl Into<String>) {
        self.0.0.lock().unwrap().push(line.into());
        self.0.1.notify_one();
    }

    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.0.lock().unwrap())
    }

    /// Waits until a line was written.
    pub(crate) async fn until(&self, line: &str) {
        while !self.0.0.lock().unwrap().iter().any(|known| known == line) {
            self.0.1.notified().await;
        }
    }
}

/// Where a probe does something else than to let pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Quirk {
    None,
    Refuses,
    HidesAll,
    PanicsBefore,
    PanicsAtResult,
    PanicsAfter,
}

/// Writes down what it sees.
#[derive(Debug)]
pub(crate) struct Probe {
    name: &'static str,
    log: Log,
    quirk: Quirk,
}

impl Probe {
    pub(crate) fn new(name: &'static str, log: &Log) -> Self {
        Self { name, log: log.clone(), quirk: Quirk::None }
    }

    pub(crate) fn with(self, quirk: Quirk) -> Self {
        Self { quirk, ..self }
    }
}

/// Tells the log when it is dropped.
struct Held(&'static str, Log);

impl Drop for Held {
    fn drop(&mut self) {
        self.1.push(format!("{} lets go", self.0));
    }
}

#[async_trait]
impl Interceptor for Probe {
    async fn before(&self, operation: &Operation) -> Result<Pass, HandlerFault> {
        let about = operation.name.as_deref().unwrap_or("-");
        self.log.push(format!("{} before {} {about}", self.name, operation.method.as_str()));
        match self.quirk {
            Quirk::Refuses => Err(HandlerFault::Busy("not today".to_owned())),
            Quirk::HidesAll => Err(HandlerFault::NotFound),
            Quirk::PanicsBefore => panic!("a probe"),
            _ => Ok(Pass::new().holding(Held(self.name, self.log.clone()))),
        }
    }

    fn result(&self, _: &Operation, _: &mut ResultMut<'_>) -> Result<(), HandlerFault> {
        assert!(self.quirk != Quirk::PanicsAtResult, "a probe");
        self.log.push(format!("{} result", self.name));
        Ok(())
    }

    fn after(&self, operation: &Operation, outcome: &Outcome, took: Duration) {
        let part = if operation.task.is_some() { "task after" } else { "after" };
        let code = outcome.code().map_or(String::new(), |code| format!(" {}", code.0));
        self.log.push(format!("{} {part} {}{code} {}ms", self.name, outcome.as_str(), took.as_millis()));
        assert!(self.quirk != Quirk::PanicsAfter, "a probe");
    }
}

/// A clock that stands still until it is moved, and counts how often it is read.
#[derive(Default, Debug)]
pub(crate) struct HandClock {
    state: Mutex<(i64, Vec<Waker>)>,
    reads: AtomicUsize,
}

impl HandClock {
    pub(crate) fn advance(&self, ms: i64) {
        let mut state = self.state.lock().unwrap();
        state.0 += ms;
        state.1.drain(..).for_each(Waker::wake);
    }

    pub(crate) fn reads(&self) -> usize {
        self.reads.load(Ordering::Relaxed)
    }
}

#[async_trait]
impl Clock for HandClock {
    fn now(&self) -> Timestamp {
        self.reads.fetch_add(1, Ordering::Relaxed);
        Timestamp::from_unix_ms(self.state.lock().unwrap().0)
    }

    async fn sleep_until(&self, instant: Timestamp) {
        poll_fn(|task| {
            let mut state = self.state.lock().unwrap();
            if state.0 >= instant.as_unix_ms() {
                return Poll::Ready(());
            }
            state.1.push(task.waker().clone());
            Poll::Pending
        })
        .await;
    }
}

#[derive(Default)]
struct Peer;

#[async_trait]
impl Outbox for Peer {
    async fn send(&mut self, _: Vec<u8>) -> Result<(), PeerGone> {
        Ok(())
    }
}

/// A server and one peer on a shared channel.
pub(crate) struct Stage {
    pub(crate) clock: Arc<HandClock>,
    pub(crate) door: Arc<dyn McpDoor>,
    principal: Principal,
}

impl Stage {
    pub(crate) fn new(build: impl FnOnce(ServerBuilder) -> ServerBuilder) -> Self {
        let clock = Arc::new(HandClock::default());
        let server =
            build(Server::builder("stage", "1.0.0").clock(Arc::clone(&clock) as Arc<_>)).build().unwrap();
        let door = server.service().open(Channel::Shared);
        Self { clock, door, principal: Principal::local("somebody") }
    }

    /// Serves one message; `None` when nothing is answered.
    pub(crate) async fn serve(&self, message: Value) -> Option<Value> {
        let bytes = serde_json::to_vec(&message).unwrap();
        let inbound = Inbound::local(&bytes, Binding::Stdio, &self.principal);
        match self.door.serve(inbound, &mut Peer).await {
            Served::Answered(answer) => Some(serde_json::from_slice(&answer.body).unwrap()),
            Served::Accepted | Served::Cancelled | Served::HandedOver => None,
        }
    }

    pub(crate) async fn request(&self, method: &str, params: Value) -> Value {
        self.serve(request(1, method, params)).await.expect("an answer")
    }

    pub(crate) async fn call(&self, tool: &str) -> Value {
        self.request("tools/call", json!({"name": tool})).await
    }
}

pub(crate) fn request(id: u64, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "tester", "version": "1.0.0"},
        "io.modelcontextprotocol/clientCapabilities": {
            "elicitation": {"form": {}},
            "extensions": {"io.modelcontextprotocol/tasks": {}},
        },
    });
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

pub(crate) fn call(id: u64, tool: &str) -> Value {
    request(id, "tools/call", json!({"name": tool}))
}

/// A tool that writes down that it ran.
pub(crate) fn logging(draft: ToolDraft, log: &Log) -> ToolEntry {
    let log = log.clone();
    draft.handler(move |_: Context, _: NoArguments| {
        log.push("handler");
        async { Ok(Output::text("the secret is 42")) }
    })
}

/// A tool that says when it begins and ends when it is told to.
pub(crate) fn waiting(draft: ToolDraft, log: &Log, release: &Arc<Notify>) -> ToolEntry {
    let (log, release) = (log.clone(), Arc::clone(release));
    draft.handler(move |_: Context, _: NoArguments| {
        let (log, release) = (log.clone(), Arc::clone(&release));
        async move {
            log.push("begins");
            let _dropped = Held("handler", log);
            release.notified().await;
            Ok(Output::text("the secret is 42"))
        }
    })
}

pub(crate) fn plain(name: &str) -> ToolDraft {
    tool(name, "A tool.")
}

/// Lets a future work as far as it gets.
pub(crate) async fn poll_once<F: Future + Unpin>(future: &mut F) -> Poll<F::Output> {
    poll_fn(|task| Poll::Ready(std::pin::Pin::new(&mut *future).poll(task))).await
}

/// The same as the message of an error.
pub(crate) fn message(answer: &Value) -> &str {
    answer["error"]["message"].as_str().unwrap_or_else(|| panic!("no error: {answer}"))
}
