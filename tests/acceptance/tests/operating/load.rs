//! Clients that ask again when a request fails.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use pm_mcp_acceptance::{PATIENCE, call, meta, request};
use serde_json::{Value, json};

/// How clients address the server.
pub(crate) const HOST: &str = "tracker.example.com";

/// The server failed, not the request.
const INTERNAL: i64 = -32603;

/// A message of a client that knows tasks.
pub(crate) fn with_tasks(mut message: Value) -> Value {
    let mut meta = meta();
    meta["io.modelcontextprotocol/clientCapabilities"] =
        json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
    message["params"]["_meta"] = meta;
    message
}

/// What clients met.
#[derive(Default, Debug)]
pub(crate) struct Tally {
    pub(crate) calls: AtomicUsize,
    pub(crate) tasks: AtomicUsize,
    /// Requests that were asked again.
    pub(crate) again: AtomicUsize,
    /// Tasks whose worker was lost, and which were started again.
    pub(crate) lost: AtomicUsize,
    slowest_ms: AtomicUsize,
}

impl Tally {
    pub(crate) fn slowest(&self) -> Duration {
        Duration::from_millis(self.slowest_ms.load(Ordering::Relaxed) as u64)
    }
}

/// A client of one address.
#[derive(Debug)]
pub(crate) struct Client<'a> {
    pub(crate) to: SocketAddr,
    pub(crate) token: &'a str,
    pub(crate) tally: &'a Tally,
}

impl Client<'_> {
    /// One call and one task, to their ends.
    pub(crate) fn round(&self) {
        let begun = Instant::now();
        let answer = self.ask(&call(1, "pm_get", json!({"id": "demo-f100"})));
        assert!(answer["result"]["structuredContent"].is_object(), "{answer}");
        self.tally.calls.fetch_add(1, Ordering::Relaxed);
        self.slower(begun);
        let begun = Instant::now();
        while !self.task() {
            self.tally.lost.fetch_add(1, Ordering::Relaxed);
            assert!(begun.elapsed() < PATIENCE, "the task is lost again and again");
        }
        self.tally.tasks.fetch_add(1, Ordering::Relaxed);
        self.slower(begun);
    }

    fn slower(&self, begun: Instant) {
        let took = usize::try_from(begun.elapsed().as_millis()).unwrap();
        self.tally.slowest_ms.fetch_max(took, Ordering::Relaxed);
    }

    /// Begins a task and polls it; says whether it completed.
    fn task(&self) -> bool {
        let begun = self.ask(&with_tasks(call(2, "pm_health", json!({}))));
        let task =
            begun["result"]["taskId"].as_str().unwrap_or_else(|| panic!("no task: {begun}")).to_owned();
        loop {
            let found = self.ask(&with_tasks(request(3, "tasks/get", json!({"taskId": task}))));
            match found["result"]["status"].as_str() {
                Some("working") => {}
                Some("completed") => return true,
                Some("failed") => {
                    let message = found["result"]["error"]["message"].as_str().unwrap();
                    assert!(message.contains("start"), "{message}");
                    return false;
                }
                _ => panic!("{found}"),
            }
        }
    }

    /// Asks until there is an answer.
    pub(crate) fn ask(&self, message: &Value) -> Value {
        let begun = Instant::now();
        loop {
            match self.try_ask(message) {
                // Such as when the database does not answer in time.
                Ok(answer) if answer["error"]["code"] != INTERNAL => return answer,
                Ok(failed) => {
                    assert!(begun.elapsed() < PATIENCE, "{message}: {failed}");
                    self.tally.again.fetch_add(1, Ordering::Relaxed);
                }
                Err(why) => {
                    assert!(begun.elapsed() < PATIENCE, "{message}: {why}");
                    self.tally.again.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
    }

    fn try_ask(&self, message: &Value) -> Result<Value, String> {
        let body = message.to_string();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let method = text(&message["method"]);
        let name = match text(&message["params"]["name"]) {
            name if name.is_empty() => name,
            name => format!("Mcp-Name: {name}\r\n"),
        };
        let request = format!(
            "POST /mcp HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: {method}\r\n\
             {name}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.token,
            body.len(),
        );
        let mut reply = String::new();
        let mut stream = TcpStream::connect(self.to).map_err(|fault| fault.to_string())?;
        stream.set_read_timeout(Some(PATIENCE)).map_err(|fault| fault.to_string())?;
        stream.write_all(request.as_bytes()).map_err(|fault| fault.to_string())?;
        stream.read_to_string(&mut reply).map_err(|fault| fault.to_string())?;
        let (head, body) = reply.split_once("\r\n\r\n").ok_or("no whole reply")?;
        match head.split(' ').nth(1) {
            Some("200") => serde_json::from_str(body).map_err(|fault| format!("{fault} in {reply}")),
            Some("502" | "503" | "504") => Err(head.lines().next().unwrap_or_default().to_owned()),
            _ => panic!("{message} was answered with {reply}"),
        }
    }
}
