//! A client in the same process, which sees what a transport sees.

use std::collections::HashSet;
use std::sync::{Arc, LazyLock, Mutex};

use pm_mcp::{
    Answer, Binding, Channel, Inbound, McpDoor, Outbox, PeerGone, Principal, Served, Server, async_trait,
};
use pm_mcp_acceptance::wire_schema;
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

/// A client at one door of a server.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    door: Arc<dyn McpDoor>,
    principal: Principal,
    http: bool,
    capabilities: Value,
}

/// What a client hears of one request.
#[derive(Debug)]
pub(crate) struct Heard {
    /// Messages before the answer.
    pub(crate) before: Vec<Value>,
    /// Status and answer; `None` when nothing was answered.
    pub(crate) answer: Option<(u16, Value)>,
}

impl Heard {
    pub(crate) fn answer(&self) -> &Value {
        &self.answer.as_ref().expect("an answer").1
    }

    pub(crate) fn status(&self) -> u16 {
        self.answer.as_ref().expect("an answer").0
    }

    pub(crate) fn result(&self) -> &Value {
        let answer = self.answer();
        answer.get("result").unwrap_or_else(|| panic!("no result: {answer}"))
    }

    pub(crate) fn error(&self) -> &Value {
        let answer = self.answer();
        answer.get("error").unwrap_or_else(|| panic!("no error: {answer}"))
    }

    pub(crate) fn code(&self) -> i64 {
        self.error()["code"].as_i64().unwrap()
    }

    pub(crate) fn message(&self) -> &str {
        self.error()["message"].as_str().unwrap()
    }

    /// The first text of a tool's result.
    pub(crate) fn text(&self) -> &str {
        let text = self.result()["content"][0]["text"].as_str();
        text.unwrap_or_else(|| panic!("no text: {:?}", self.answer))
    }

    pub(crate) fn state(&self) -> String {
        assert_eq!(self.result()["resultType"], "input_required", "{:?}", self.answer);
        self.result()["requestState"].as_str().unwrap().to_owned()
    }
}

impl Peer {
    /// One channel for all requests.
    pub(crate) fn stdio(server: &Server) -> Self {
        Self::at(server, Channel::Shared)
    }

    /// A response for each request.
    pub(crate) fn http(server: &Server) -> Self {
        Self::at(server, Channel::PerRequest)
    }

    /// One of each kind.
    pub(crate) fn both(server: &Server) -> [Self; 2] {
        [Self::stdio(server), Self::http(server)]
    }

    fn at(server: &Server, channel: Channel) -> Self {
        let capabilities = json!({"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}});
        Self {
            door: server.service().open(channel),
            principal: Principal::local("ann"),
            http: channel == Channel::PerRequest,
            capabilities,
        }
    }

    /// The same door for somebody else.
    pub(crate) fn acting_for(&self, user: &str) -> Self {
        Self { principal: Principal::local(user), ..self.clone() }
    }

    /// With these capabilities and no others.
    pub(crate) fn able(&self, capabilities: Value) -> Self {
        Self { capabilities, ..self.clone() }
    }

    /// With tasks beside what it can do.
    pub(crate) fn with_tasks(&self) -> Self {
        let mut capabilities = self.capabilities.clone();
        capabilities["extensions"] = json!({"io.modelcontextprotocol/tasks": {}});
        self.able(capabilities)
    }

    /// The transport takes no more messages.
    pub(crate) fn close(&self) {
        self.door.close();
    }

    /// A request with what it has to say of itself.
    pub(crate) fn request(&self, id: impl Into<Value>, method: &str, mut params: Value) -> Value {
        let meta = params.as_object_mut().unwrap().entry("_meta").or_insert_with(|| json!({}));
        meta["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
        meta["io.modelcontextprotocol/clientCapabilities"] = self.capabilities.clone();
        json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params})
    }

    /// Sends a message and lets it be served beside the test.
    pub(crate) fn send(&self, message: Value) -> Exchange {
        self.send_text(message.to_string())
    }

    /// The same with a text of the test's own.
    pub(crate) fn send_text(&self, text: String) -> Exchange {
        let (said, heard) = unbounded_channel();
        let message: Value = serde_json::from_str(&text).unwrap();
        let method = message["method"].as_str().map(str::to_owned);
        let peer = self.clone();
        let serving = tokio::spawn(async move { peer.serve(&text, said).await });
        Exchange { heard, serving, method }
    }

    async fn serve(&self, text: &str, said: UnboundedSender<Value>) -> Served {
        self.serve_to(text, &mut Ear(said)).await
    }

    /// Has a message served by the hand of an outbox of the test's own.
    pub(crate) async fn serve_to(&self, text: &str, outbox: &mut dyn Outbox) -> Served {
        let message: Value = serde_json::from_str(text).unwrap();
        let name = match message["method"].as_str() {
            Some("tools/call" | "prompts/get") => message["params"]["name"].as_str(),
            Some("resources/read") => message["params"]["uri"].as_str(),
            _ => None,
        };
        let method = message["method"].as_str().unwrap_or_default();
        let mut headers = vec![("mcp-protocol-version", "2026-07-28"), ("mcp-method", method)];
        headers.extend(name.map(|name| ("mcp-name", name)));
        let binding = if self.http { Binding::Http(&headers) } else { Binding::Stdio };
        let inbound = Inbound::local(text.as_bytes(), binding, &self.principal);
        self.door.serve(inbound, outbox).await
    }

    /// Sends a request and waits for what comes of it.
    pub(crate) async fn ask(&self, id: impl Into<Value>, method: &str, params: Value) -> Heard {
        self.send(self.request(id, method, params)).end().await
    }

    /// Calls a tool.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Heard {
        self.ask(1, "tools/call", json!({"name": tool, "arguments": arguments})).await
    }

    /// Calls a tool again with answers and the state that came with the questions.
    pub(crate) async fn retry(&self, tool: &str, arguments: Value, state: &str, answers: Value) -> Heard {
        let params =
            json!({"name": tool, "arguments": arguments, "requestState": state, "inputResponses": answers});
        self.ask(2, "tools/call", params).await
    }

    /// Cancels a request.
    pub(crate) async fn cancel(&self, id: impl Into<Value>) {
        let params = json!({"requestId": id.into()});
        let message = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
        let (said, mut heard) = unbounded_channel();
        // Served on the spot, so that the server knows of it when this returns.
        assert_eq!(self.serve(&message.to_string(), said).await, Served::Accepted);
        assert!(heard.try_recv().is_err());
    }

    /// `tasks/get`.
    pub(crate) async fn task(&self, id: &str) -> Heard {
        self.ask(90, "tasks/get", json!({"taskId": id})).await
    }

    /// `tasks/update`.
    pub(crate) async fn update(&self, id: &str, answers: Value) -> Heard {
        self.ask(91, "tasks/update", json!({"taskId": id, "inputResponses": answers})).await
    }

    /// `tasks/cancel`.
    pub(crate) async fn cancel_task(&self, id: &str) -> Heard {
        self.ask(92, "tasks/cancel", json!({"taskId": id})).await
    }

    /// Calls a tool that becomes a task, and gives the task's id.
    pub(crate) async fn start(&self, tool: &str, arguments: Value) -> String {
        let heard = self.call(tool, arguments).await;
        assert_eq!(heard.result()["resultType"], "task", "{heard:?}");
        heard.result()["taskId"].as_str().unwrap().to_owned()
    }
}

/// One message on its way. Dropping it is what closing a response does.
#[derive(Debug)]
pub(crate) struct Exchange {
    heard: UnboundedReceiver<Value>,
    serving: JoinHandle<Served>,
    method: Option<String>,
}

impl Exchange {
    /// The next message before the answer.
    pub(crate) async fn next(&mut self) -> Value {
        let message = self.heard.recv().await.expect("one more message");
        check(&message, self.method.as_deref());
        message
    }

    /// A message that is there already.
    pub(crate) fn waiting(&mut self) -> Option<Value> {
        let message = self.heard.try_recv().ok()?;
        check(&message, self.method.as_deref());
        Some(message)
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.serving.is_finished()
    }

    /// Waits for the end.
    pub(crate) async fn end(mut self) -> Heard {
        let served = (&mut self.serving).await.unwrap();
        let mut before = Vec::new();
        while let Some(message) = self.waiting() {
            before.push(message);
        }
        let answer = match served {
            Served::Answered(Answer { status, body, .. }) => {
                let answer: Value = serde_json::from_slice(&body).unwrap();
                check(&answer, self.method.as_deref());
                Some((status, answer))
            }
            Served::Accepted | Served::Cancelled | Served::HandedOver => None,
        };
        Heard { before, answer }
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// Against the schemas. Messages that differ in numbers and hexadecimal ids only are looked at once, for the sake of the
/// scenes that go on for thousands of them.
fn check(message: &Value, method: Option<&str>) {
    static SEEN: LazyLock<Mutex<HashSet<String>>> = LazyLock::new(Mutex::default);
    let mut shape = format!("{method:?} {message}");
    shape.retain(|sign| !matches!(sign, '0'..='9' | 'a'..='f'));
    if !SEEN.lock().unwrap().insert(shape) {
        return;
    }
    if let Some(Err(faults)) = wire_schema().map(|schema| schema.check(message, method)) {
        panic!("{faults}\nin {message}");
    }
}

struct Ear(UnboundedSender<Value>);

#[async_trait]
impl Outbox for Ear {
    async fn send(&mut self, message: Vec<u8>) -> Result<(), PeerGone> {
        self.0.send(serde_json::from_slice(&message).unwrap()).map_err(|_| PeerGone)
    }
}
