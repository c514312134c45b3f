//! One request and its reply, as bytes on a socket.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};

use serde_json::Value;

use crate::process::PATIENCE;
use crate::wire_schema::wire_schema;

/// A request whose every part can be wrong.
#[derive(Clone, Debug)]
pub struct HttpRequest {
    method: &'static str,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    asked: Option<String>,
}

impl HttpRequest {
    /// A request with the headers that the revision wants for `message`.
    pub fn of(message: &Value) -> Self {
        let mut request = Self::post(message.to_string().into_bytes());
        let method = message["method"].as_str();
        request.asked = method.map(str::to_owned);
        if let Some(version) = message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"].as_str()
        {
            request = request.with("MCP-Protocol-Version", version);
        }
        if let Some(method) = method {
            request = request.with("Mcp-Method", method);
        }
        let name = match method {
            Some("tools/call" | "prompts/get") => &message["params"]["name"],
            Some("resources/read") => &message["params"]["uri"],
            _ => &Value::Null,
        };
        match name.as_str() {
            Some(name) => request.with("Mcp-Name", name),
            None => request,
        }
    }

    /// A POST of these bytes with no header of the protocol but the version's.
    pub fn post(body: Vec<u8>) -> Self {
        let headers = [
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("MCP-Protocol-Version", "2026-07-28"),
        ];
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        Self { method: "POST", path: "/mcp".to_owned(), headers, body, asked: None }
    }

    /// With this header, in place of one of the same name.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self = self.without(name);
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// With this header beside what is there.
    #[must_use]
    pub fn with_another(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Without this header.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self
    }

    /// By another HTTP method.
    #[must_use]
    pub fn by(mut self, method: &'static str) -> Self {
        self.method = method;
        self
    }

    /// To another path.
    #[must_use]
    pub fn to(mut self, path: &str) -> Self {
        path.clone_into(&mut self.path);
        self
    }

    /// Sends it over a connection of its own and reads the reply.
    pub fn send(&self, to: SocketAddr) -> HttpReply {
        let mut stream = connect(to);
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, self.path);
        let own = [("Host", to.to_string()), ("Content-Length", self.body.len().to_string())];
        for (name, value) in own {
            if !self.headers.iter().any(|(known, _)| known.eq_ignore_ascii_case(name)) {
                head.push_str(&format!("{name}: {value}\r\n"));
            }
        }
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str("Connection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("the head is taken");
        // A server that answers before it has read the body may close the connection under it.
        drop(stream.write_all(&self.body));
        let reply = HttpReply::read(BufReader::new(stream), self.method);
        reply.check(self.asked.as_deref());
        reply
    }
}

/// A reply, read to its end.
#[derive(Clone, Debug)]
pub struct HttpReply {
    /// The status.
    pub status: u16,
    /// Headers by their lower-case names; repeated ones are joined with commas.
    pub headers: BTreeMap<String, String>,
    /// The body, taken out of its transfer encoding.
    pub body: Vec<u8>,
}

impl HttpReply {
    /// Sends these bytes as they are over a connection of its own and reads the first final reply. `asked` is the
    /// method of the request in them, where one is to be served.
    pub fn to_bytes(to: SocketAddr, bytes: &[u8], asked: Option<&str>) -> Self {
        let mut stream = connect(to);
        // A server that answers before it has read everything may close the connection under it.
        drop(stream.write_all(bytes));
        let mut stream = BufReader::new(stream);
        loop {
            let reply = Self::read(&mut stream, "POST");
            if reply.status >= 200 {
                reply.check(asked);
                return reply;
            }
        }
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.body)))
    }

    /// A header, or nothing if it is missing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    fn read(mut stream: impl BufRead, method: &str) -> Self {
        let mut line = String::new();
        stream.read_line(&mut line).expect("a status line");
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.unwrap_or_else(|| panic!("no status line: {line:?}"));
        let mut headers = BTreeMap::<String, String>::new();
        loop {
            line.clear();
            stream.read_line(&mut line).expect("a header line");
            let Some((name, value)) = line.trim_end().split_once(':') else { break };
            let known = headers.entry(name.to_ascii_lowercase()).or_default();
            if !known.is_empty() {
                known.push_str(", ");
            }
            known.push_str(value.trim());
        }
        let length = headers.get("content-length").and_then(|length| length.parse::<u64>().ok());
        let mut body = Vec::new();
        if method == "HEAD" || status == 204 || status < 200 {
        } else if headers.get("transfer-encoding").is_some_and(|encoding| encoding == "chunked") {
            body = chunks(stream);
        } else if let Some(length) = length {
            stream.take(length).read_to_end(&mut body).expect("the body");
            assert_eq!(body.len() as u64, length, "the body broke off");
        } else {
            stream.read_to_end(&mut body).expect("the body");
        }
        Self { status, headers, body }
    }

    /// Every message in the reply against the schema; nothing may be stored on the way.
    fn check(&self, asked: Option<&str>) {
        let kind = self.header("content-type");
        let messages: Vec<Value> = match kind {
            _ if self.body.is_empty() => Vec::new(),
            "application/json" => vec![self.json()],
            "text/event-stream" => {
                let text = String::from_utf8(self.body.clone()).expect("a stream is UTF-8");
                let data = text.lines().filter_map(|line| line.strip_prefix("data:"));
                data.map(|data| serde_json::from_str(data).expect("an event is JSON")).collect()
            }
            _ => panic!("a body of the type {kind:?}: {self:?}"),
        };
        assert!(self.header("cache-control").contains("no-store"), "{self:?}");
        for message in messages {
            if let Some(Err(faults)) = wire_schema().map(|schema| schema.check(&message, asked)) {
                panic!("{faults}\nin {message}");
            }
        }
    }
}

fn connect(to: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(to).expect("the server accepts");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout can be set");
    stream.set_write_timeout(Some(PATIENCE)).expect("a timeout can be set");
    stream
}

fn chunks(mut stream: impl BufRead) -> Vec<u8> {
    let mut whole = Vec::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).expect("the size of a chunk");
        let size = u64::from_str_radix(line.trim(), 16).unwrap_or_else(|_| panic!("no chunk size: {line:?}"));
        let before = whole.len() as u64;
        stream.by_ref().take(size).read_to_end(&mut whole).expect("a chunk");
        assert_eq!(whole.len() as u64 - before, size, "the body broke off");
        line.clear();
        stream.read_line(&mut line).expect("the end of a chunk");
        if size == 0 {
            return whole;
        }
    }
}
