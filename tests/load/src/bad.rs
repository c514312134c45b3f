//! Requests that are wrong, each in its way, and the answer that each has to get.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use pm_mcp_acceptance::{call, request};
use serde_json::{Value, json};

use crate::load::{Load, Pace};
use crate::messages::{head, post};
use crate::wire::{PATIENCE, Wire};

/// Bytes beyond what a body may have by default.
const OVERSIZE: usize = (4 << 20) + 1;

/// What a wrong request gets.
#[derive(Clone, Copy, Debug)]
enum Gets {
    /// This status.
    Status(u16),
    /// Status 200 and a result that says that the tool failed.
    ToolError,
    /// This status or the end of the connection, which may overtake the answer.
    StatusOrEnd(u16),
    /// Nobody waits: the peer breaks off after the last byte.
    Nobody,
}

type Row = (&'static str, Vec<u8>, Gets);

fn list() -> Value {
    request(1, "tools/list", json!({}))
}

fn raw(to: SocketAddr, body: &[u8]) -> Vec<u8> {
    let mut bytes = head(to, &list(), &format!("Content-Length: {}\r\n", body.len()));
    bytes.extend_from_slice(body);
    bytes
}

fn replaced(bytes: Vec<u8>, what: &str, by: &str) -> Vec<u8> {
    String::from_utf8_lossy(&bytes).replacen(what, by, 1).into_bytes()
}

fn rows(to: SocketAddr) -> Vec<Row> {
    let good = || post(to, &list());
    let chunked = || {
        let mut bytes = head(to, &list(), "Transfer-Encoding: chunked\r\n");
        for _ in 0..OVERSIZE.div_ceil(1 << 16) {
            bytes.extend_from_slice(b"10000\r\n");
            bytes.resize(bytes.len() + (1 << 16), b' ');
            bytes.extend_from_slice(b"\r\n");
        }
        bytes
    };
    let broken_off = || {
        let mut bytes = good();
        bytes.truncate(bytes.len() - 10);
        bytes
    };
    let nested = || raw(to, ("[".repeat(100_000) + &"]".repeat(100_000)).as_bytes());
    let long_head = || replaced(good(), "Accept:", &format!("X-Long: {}\r\nAccept:", "x".repeat(100_000)));
    let many_headers = || replaced(good(), "Accept:", &format!("{}Accept:", "X-Many: 1\r\n".repeat(200)));
    let smuggled = || replaced(good(), "Content-Length:", "Transfer-Encoding: chunked\r\nContent-Length:");
    let lengths = || replaced(good(), "Content-Length:", "Content-Length: 3\r\nContent-Length:");
    let followed = || [good(), b"what nobody asked for\r\n\r\n".to_vec()].concat();
    let folded = || replaced(good(), "Accept:", "X-Folded: one\r\n two\r\nAccept:");
    vec![
        ("bad: no JSON", raw(to, b"{\"jsonrpc\": "), Gets::Status(400)),
        ("bad: not UTF-8", raw(to, b"{\"jsonrpc\": \"\xff\"}"), Gets::Status(400)),
        ("bad: deep nesting", nested(), Gets::Status(400)),
        (
            "bad: oversize by its length",
            head(to, &list(), &format!("Content-Length: {OVERSIZE}\r\n")),
            Gets::Status(413),
        ),
        ("bad: oversize in chunks", chunked(), Gets::StatusOrEnd(413)),
        ("bad: long head", long_head(), Gets::StatusOrEnd(431)),
        ("bad: many headers", many_headers(), Gets::StatusOrEnd(431)),
        ("bad: other HTTP method", replaced(good(), "POST", "PUT"), Gets::Status(405)),
        ("bad: other path", replaced(good(), "/mcp", "/none"), Gets::Status(404)),
        ("bad: unknown method", post(to, &request(1, "no/such", json!({}))), Gets::Status(404)),
        ("bad: other version", replaced(good(), "2026-07-28", "2031-01-01"), Gets::Status(400)),
        (
            "bad: other method's header",
            replaced(good(), "Mcp-Method: tools/list", "Mcp-Method: prompts/list"),
            Gets::Status(400),
        ),
        (
            "bad: foreign host",
            replaced(good(), &format!("Host: {to}"), "Host: evil.example"),
            Gets::Status(403),
        ),
        (
            "bad: foreign origin",
            replaced(good(), "Accept:", "Origin: http://evil.example\r\nAccept:"),
            Gets::Status(403),
        ),
        ("bad: length and chunks", smuggled(), Gets::StatusOrEnd(400)),
        ("bad: two lengths", lengths(), Gets::StatusOrEnd(400)),
        ("bad: folded header", folded(), Gets::StatusOrEnd(400)),
        (
            "bad: no HTTP",
            vec![0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0xff, b'\r', b'\n', b'\r', b'\n'],
            Gets::StatusOrEnd(400),
        ),
        ("bad: garbage behind a good one", followed(), Gets::Status(200)),
        ("bad: wrong arguments", post(to, &call(1, "pm_get", json!({"id": 7}))), Gets::ToolError),
        ("bad: unknown item", post(to, &call(1, "pm_get", json!({"id": "demo-zzzz"}))), Gets::ToolError),
        ("bad: breaks off", broken_off(), Gets::Nobody),
    ]
}

async fn send(to: SocketAddr, bytes: &[u8], gets: Gets) -> io::Result<Result<(), String>> {
    let mut wire = Wire::open(to).await?;
    // A server that answers before it has read everything may close the connection under it.
    let sent = wire.send(bytes).await;
    if let Gets::Nobody = gets {
        sent?;
        wire.break_off();
        return Ok(Ok(()));
    }
    let reply = match wire.reply().await {
        Ok(reply) => reply,
        Err(_) if matches!(gets, Gets::StatusOrEnd(_)) => return Ok(Ok(())),
        Err(error) => return Err(error),
    };
    let text = String::from_utf8_lossy(&reply.body).chars().take(200).collect::<String>();
    let expected = match gets {
        Gets::Status(status) | Gets::StatusOrEnd(status) => reply.status == status,
        Gets::ToolError => reply.status == 200 && text_is_error(&reply.body),
        Gets::Nobody => true,
    };
    if !expected {
        return Ok(Err(format!("{gets:?} was to come, not status {}: {text}", reply.status)));
    }
    // Whatever the server does with the connection, it does not stay open for good.
    if reply.head.contains("\r\nconnection: close") {
        wire.until_closed(PATIENCE).await?;
    }
    Ok(Ok(()))
}

fn text_is_error(body: &[u8]) -> bool {
    let message: Value = serde_json::from_slice(body).unwrap_or_default();
    message["result"]["isError"] == true || message["error"]["code"].is_number()
}

/// Sends wrong requests, one kind after the other.
pub(crate) async fn be_bad(load: Arc<Load>, number: u64, rate: f64) {
    let rows = rows(load.server);
    let mut pace = Pace::a_second(rate, 9_000 + number);
    let mut at = number as usize * 7;
    while load.goes_on() {
        pace.rest().await;
        let (what, bytes, gets) = &rows[at % rows.len()];
        let begun = Instant::now();
        let outcome = match send(load.server, bytes, *gets).await {
            Ok(outcome) => outcome,
            Err(error) => Err(error.to_string()),
        };
        load.tally.note(what, begun, outcome);
        at += 1;
    }
}
