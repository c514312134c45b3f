//! What operators see of `pm-mcp-http`: probes, a scrape after known traffic, and the spans that a collector gets.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

use crate::session::{command, project, request};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "b7ad6b7169203331";

/// A server and the addresses that it says.
struct Running {
    child: Child,
    mcp: String,
    metrics: String,
    _folder: tempfile::TempDir,
}

impl Running {
    fn start(settings: &[(&str, &str)]) -> Self {
        let folder = project();
        let mut all = vec![("PM_MCP_HTTP_PORT", "0"), ("PM_MCP_METRICS_ADDR", "127.0.0.1:0")];
        all.extend(settings);
        let mut child = command(env!("CARGO_BIN_EXE_pm-mcp-http"), folder.path(), &all).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut told = |before: &str, after: &str| {
            let line = lines.next().unwrap().unwrap();
            let rest = line.strip_prefix(before).unwrap_or_else(|| panic!("{line}"));
            rest.strip_suffix(after).unwrap_or_else(|| panic!("{line}")).to_owned()
        };
        let metrics = told("measures are at http://", "/metrics");
        let mcp = told("listening on http://", "/mcp");
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, mcp, metrics, _folder: folder }
    }

    fn call(&self, message: &Value, more: &str) -> String {
        let method = message["method"].as_str().unwrap();
        let name = message["params"]["name"].as_str().map(|name| format!("Mcp-Name: {name}\r\n"));
        send(
            &self.mcp,
            &format!(
                "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
                 Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n\
                 Mcp-Method: {method}\r\n{}{more}",
                self.mcp,
                name.unwrap_or_default()
            ),
            &message.to_string(),
        )
    }

    /// Ends the server in good order.
    fn stop(mut self) {
        assert!(
            Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap().success()
        );
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
    }
}

fn send(address: &str, head: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "{head}Content-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn get(address: &str, path: &str) -> String {
    send(address, &format!("GET {path} HTTP/1.1\r\nHost: probe.internal\r\n"), "")
}

#[test]
fn a_scrape_tells_what_was_served_and_probes_tell_that_it_is_ready() {
    let server = Running::start(&[("PM_MCP_JSON_DEPTH", "20")]);
    for path in ["/livez", "/readyz"] {
        let answer = get(&server.mcp, path);
        assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("ok\n"), "{path}: {answer}");
        assert!(get(&server.metrics, path).starts_with("HTTP/1.1 404"), "{path} is where the protocol is");
    }
    assert!(get(&server.mcp, "/metrics").starts_with("HTTP/1.1 403"), "measures are elsewhere");
    for _ in 0..3 {
        server.call(&request(1, "tools/list", json!({})), "");
    }
    let secret = "s3cr3t-argument";
    server.call(&request(2, "tools/call", json!({"name": "pm_get", "arguments": {"id": secret}})), "");
    server.call(&request(3, "tools/call", json!({"name": "no-such-tool", "arguments": {}})), "");
    let deep = (0..30).fold(json!(1), |inner, _| json!([inner]));
    let refused = server.call(&request(4, "tools/list", json!({"deep": deep})), "");
    assert!(refused.contains("20 levels (limit json_depth)"), "{refused}");
    let page = get(&server.metrics, "/metrics");
    for line in [
        r#"pm_mcp_requests_total{binding="http",method="tools/list",outcome="result"} 3"#,
        r#"pm_mcp_requests_total{binding="http",method="tools/call",outcome="result"} 1"#,
        r#"pm_mcp_requests_total{binding="http",method="tools/call",outcome="error"} 1"#,
        r#"pm_mcp_request_duration_seconds_count{method="tools/list"} 3"#,
        r#"pm_mcp_limit_reached_total{limit="json_depth"} 1"#,
        r#"pm_mcp_limit_reached_total{limit="requests"} 0"#,
        r#"pm_mcp_messages_refused_total{code="-32600"} 1"#,
        r#"pm_mcp_tasks_total{state="created"} 0"#,
        r#"pm_mcp_streams_ended_total{reason="write_deadline"} 0"#,
        "pm_mcp_streams_open 0",
        "pm_mcp_requests_in_service 0",
    ] {
        assert!(page.lines().any(|found| found == line), "{line} is missing:\n{page}");
    }
    assert!(!page.contains(secret) && !page.contains("no-such-tool") && !page.contains("loopback"), "{page}");
    server.stop();
}

/// Takes what one exporter sends, and answers it.
fn collector() -> (String, Receiver<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (sender, received) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") {
                assert_ne!(stream.read_line(&mut head).unwrap(), 0, "{head}");
            }
            let length = head.lines().find_map(|line| {
                line.to_ascii_lowercase()
                    .strip_prefix("content-length: ")
                    .map(|length| length.parse().unwrap())
            });
            let mut body = vec![0; length.unwrap_or(0)];
            stream.read_exact(&mut body).unwrap();
            stream
                .get_mut()
                .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                .unwrap();
            assert!(head.starts_with("POST /v1/traces HTTP/1.1"), "{head}");
            if sender.send(body).is_err() {
                return;
            }
        }
    });
    (url, received)
}

fn bytes(hex: &str) -> Vec<u8> {
    let (pairs, _) = hex.as_bytes().as_chunks::<2>();
    pairs.iter().map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

#[test]
fn a_collector_gets_spans_that_are_children_of_their_requests() {
    let (url, received) = collector();
    let server = Running::start(&[("PM_MCP_OTLP_URL", &url)]);
    let header = format!("traceparent: 00-{TRACE}-{PARENT}-01\r\n");
    server.call(&request(1, "tools/list", json!({})), &header);
    let secret = "s3cr3t-argument";
    server.call(&request(2, "tools/call", json!({"name": "pm_get", "arguments": {"id": secret}})), "");
    // The end sends what is left.
    server.stop();
    let mut all = Vec::new();
    while let Ok(body) = received.recv_timeout(Duration::from_secs(1)) {
        all.extend(body);
    }
    let has = |part: &[u8]| all.windows(part.len()).any(|window| window == part);
    // Members of a span: 1 is the trace id of 16 bytes, 4 the span id of its parent of 8.
    assert!(has(&[&[0x0a, 16], bytes(TRACE).as_slice()].concat()), "the trace goes on");
    assert!(has(&[&[0x22, 8], bytes(PARENT).as_slice()].concat()), "the span has its parent");
    assert!(has(b"tools/list") && has(b"tools/call") && has(b"pm-mcp"));
    assert!(!has(secret.as_bytes()), "no argument is part of a span");
}

#[test]
fn an_address_that_is_taken_or_none_stops_the_start_with_a_line() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let folder = project();
    for (value, part) in [(address.as_str(), "cannot be bound"), ("nowhere", "is no address with a port")] {
        let settings = [("PM_MCP_HTTP_PORT", "0"), ("PM_MCP_METRICS_ADDR", value)];
        let output = command(env!("CARGO_BIN_EXE_pm-mcp-http"), folder.path(), &settings).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("PM_MCP_METRICS_ADDR") && said.contains(part), "{said}");
    }
}
