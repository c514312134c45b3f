//! A client that sends single messages to a server's service.

use std::sync::Arc;
use std::time::Duration;

use pm_mcp::{
    Binding, Channel, Clock, CursorSigner, Inbound, McpDoor, Outbox, PROTOCOL_VERSION, PeerGone, Principal,
    Served, Server, ServerBuilder, Timestamp, async_trait,
};
use pm_tracker::tools::{ToolName, tools};
use pm_tracker::{Tracker, Vocabulary};
use pm_tracker_ports::WorkspaceRepository;
use serde_json::{Value, json};

use crate::memory::Memory;
use crate::sample;

/// 2026-03-10T12:00:00Z.
pub(crate) const NOW: i64 = 1_773_144_000_000;

#[derive(Debug)]
struct Still;

#[async_trait]
impl Clock for Still {
    fn now(&self) -> Timestamp {
        Timestamp::from_unix_ms(NOW)
    }

    /// Its time never comes.
    async fn sleep_until(&self, _: Timestamp) {
        std::future::pending().await
    }
}

struct Silent;

#[async_trait]
impl Outbox for Silent {
    async fn send(&mut self, _: Vec<u8>) -> Result<(), PeerGone> {
        Ok(())
    }
}

/// A signer whose cursors every process accepts, as signers with one configured key do.
#[derive(Debug)]
struct Shared;

impl CursorSigner for Shared {
    fn sign(&self, payload: &[u8]) -> String {
        payload.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn open(&self, token: &str) -> Option<Vec<u8>> {
        let byte = |at: usize| u8::from_str_radix(token.get(at..at + 2)?, 16).ok();
        (0..token.len()).step_by(2).map(byte).collect()
    }
}

pub(crate) struct Client {
    door: Arc<dyn McpDoor>,
    principal: Principal,
}

impl Client {
    /// A server over the sample alone.
    pub(crate) async fn sample() -> (Self, Arc<Memory>) {
        let memory = Arc::new(Memory::new(sample::workspace()));
        (Self::over(vec![("default", Arc::clone(&memory))]).await, memory)
    }

    /// A server over the sample that offers these tools.
    pub(crate) async fn with_tools(chosen: &[ToolName]) -> Self {
        let memory = Arc::new(Memory::new(sample::workspace()));
        let workspaces = vec![("default", memory)];
        Self::choosing(workspaces, chosen, |tracker| tracker, |builder| builder).await
    }

    /// A server over the sample that shares its cursor key with others made in this way.
    pub(crate) async fn with_shared_key() -> Self {
        let memory = Arc::new(Memory::new(sample::workspace()));
        Self::built(vec![("default", memory)], |builder| builder.cursor_signer(Shared)).await
    }

    pub(crate) async fn over(workspaces: Vec<(&str, Arc<Memory>)>) -> Self {
        Self::built(workspaces, |builder| builder).await
    }

    /// A server over the sample that keeps tasks, whose foreground work has no time at all.
    pub(crate) async fn impatient() -> (Self, Arc<Memory>) {
        let memory = Arc::new(Memory::new(sample::workspace()));
        let limited = |tracker: Tracker| tracker.with_foreground_limit(Duration::from_millis(1));
        let workspaces = vec![("default", Arc::clone(&memory))];
        (Self::made(workspaces, limited, ServerBuilder::volatile_tasks).await, memory)
    }

    async fn built(
        workspaces: Vec<(&str, Arc<Memory>)>,
        adjust: impl FnOnce(ServerBuilder) -> ServerBuilder,
    ) -> Self {
        Self::made(workspaces, |tracker| tracker, adjust).await
    }

    async fn made(
        workspaces: Vec<(&str, Arc<Memory>)>,
        set: impl FnOnce(Tracker) -> Tracker,
        adjust: impl FnOnce(ServerBuilder) -> ServerBuilder,
    ) -> Self {
        Self::choosing(workspaces, &ToolName::ALL, set, adjust).await
    }

    async fn choosing(
        workspaces: Vec<(&str, Arc<Memory>)>,
        chosen: &[ToolName],
        set: impl FnOnce(Tracker) -> Tracker,
        adjust: impl FnOnce(ServerBuilder) -> ServerBuilder,
    ) -> Self {
        let named = workspaces
            .into_iter()
            .map(|(name, memory)| (name.to_owned(), memory as Arc<dyn WorkspaceRepository>));
        let tracker = Arc::new(set(Tracker::new(named).unwrap()));
        let vocabulary = Vocabulary::gather(&tracker).await;
        let mut builder = Server::builder("tracker", "1").clock(Arc::new(Still));
        for tool in tools(&tracker, &vocabulary, chosen) {
            builder = builder.tool(tool);
        }
        let server = adjust(builder).build().unwrap();
        Self { door: server.service().open(Channel::PerRequest), principal: Principal::local("tester") }
    }

    pub(crate) async fn request(&self, method: &str, params: Value) -> Value {
        self.request_as(method, params, json!({})).await
    }

    /// A request of a client that knows tasks.
    pub(crate) async fn request_with_tasks(&self, method: &str, params: Value) -> Value {
        let capabilities = json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
        self.request_as(method, params, capabilities).await
    }

    async fn request_as(&self, method: &str, mut params: Value, capabilities: Value) -> Value {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": PROTOCOL_VERSION,
            "io.modelcontextprotocol/clientCapabilities": capabilities,
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"}
        });
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        let inbound = Inbound::local(message.as_bytes(), Binding::Stdio, &self.principal);
        match self.door.serve(inbound, &mut Silent).await {
            Served::Answered(answer) => serde_json::from_slice(&answer.body).unwrap(),
            Served::Accepted | Served::Cancelled | Served::HandedOver => panic!("a request has no answer"),
        }
    }

    /// The structured content of a call that succeeds, which the text repeats.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Value {
        let answer = self.request("tools/call", json!({"name": tool, "arguments": arguments})).await;
        let result = &answer["result"];
        assert!(result.is_object() && result.get("isError").is_none(), "{tool}: {answer}");
        let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, result["structuredContent"], "{tool}");
        text
    }

    /// The failure that the text of a failed call holds.
    pub(crate) async fn failure(&self, tool: &str, arguments: Value) -> Value {
        let answer = self.request("tools/call", json!({"name": tool, "arguments": arguments})).await;
        assert_eq!(answer["result"]["isError"], true, "{tool}: {answer}");
        serde_json::from_str(answer["result"]["content"][0]["text"].as_str().unwrap()).unwrap()
    }

    /// The error of a call that is refused.
    pub(crate) async fn refusal(&self, tool: &str, arguments: Value) -> Value {
        let answer = self.request("tools/call", json!({"name": tool, "arguments": arguments})).await;
        assert!(answer["error"].is_object(), "{tool}: {answer}");
        answer["error"].clone()
    }
}

/// The ids of rows, or of the items inside entries, joined by blanks.
pub(crate) fn ids(list: &Value) -> String {
    let id = |entry: &Value| {
        let row = entry.get("item").unwrap_or(entry);
        row.get("id").or_else(|| row.get("item_id")).and_then(Value::as_str).unwrap().to_owned()
    };
    list.as_array().unwrap().iter().map(id).collect::<Vec<_>>().join(" ")
}
