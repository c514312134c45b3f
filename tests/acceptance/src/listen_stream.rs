//! A stream of changes over HTTP.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Instant;

use serde_json::{Value, json};

use crate::message::request;
use crate::process::PATIENCE;

/// A stream that has been acknowledged.
#[derive(Debug)]
pub struct ListenStream {
    lines: BufReader<TcpStream>,
}

impl ListenStream {
    /// Opens a stream of what `notifications` asks for, and waits for the acknowledgement.
    pub fn open(to: SocketAddr, notifications: &Value) -> Self {
        Self::open_with(to, notifications, &[("Host", &to.to_string())])
    }

    /// The same under an id of its own.
    pub fn open_as(id: &str, to: SocketAddr, notifications: &Value) -> Self {
        Self::begin(id, to, notifications, &[("Host", &to.to_string())])
    }

    /// The same with these headers beside those of the protocol.
    pub fn open_with(to: SocketAddr, notifications: &Value, headers: &[(&str, &str)]) -> Self {
        Self::begin("s", to, notifications, headers)
    }

    fn begin(id: &str, to: SocketAddr, notifications: &Value, headers: &[(&str, &str)]) -> Self {
        let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let mut listen = request(id, "subscriptions/listen", json!({"notifications": notifications}));
        // Without it nobody hears of tasks.
        listen["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] =
            json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
        let listen = listen.to_string();
        let mut stream = TcpStream::connect(to).expect("the server takes connections");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout above zero");
        write!(
            stream,
            "POST /mcp HTTP/1.1\r\n{headers}Content-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n\
             Mcp-Method: subscriptions/listen\r\nContent-Length: {}\r\n\r\n{listen}",
            listen.len(),
        )
        .expect("the server reads");
        let mut stream = Self { lines: BufReader::new(stream) };
        let acknowledged = stream.next_event().expect("an acknowledgement");
        assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged", "{acknowledged}");
        stream
    }

    /// The next message of the stream; `None` when the stream ends or breaks off. Heads, comments and the lines of the
    /// transfer encoding are passed over.
    pub fn next_event(&mut self) -> Option<Value> {
        let begun = Instant::now();
        loop {
            assert!(begun.elapsed() < PATIENCE, "nothing is heard but signs of life");
            let mut line = String::new();
            match self.lines.read_line(&mut line) {
                Ok(0) => return None,
                Ok(_) => {}
                Err(fault) if fault.kind() == std::io::ErrorKind::ConnectionReset => return None,
                Err(fault) => panic!("nothing is heard: {fault}"),
            }
            if let Some(data) = line.strip_prefix("data:") {
                return Some(serde_json::from_str(data).expect("a message"));
            }
        }
    }
}
