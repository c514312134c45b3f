//! What the HTTP binding asks of headers.

use http::Method;
use serde_json::{Value, json};

use crate::finding::Report;
use crate::message::{error_code, error_words, request};
use crate::peer::{Headers, Heard, HttpPeer};

const AREA: &str = "headers";
const MISMATCH: i64 = -32020;

/// Sends requests whose headers are wrong in one way each.
pub(crate) async fn headers(peer: &HttpPeer, report: &mut Report) {
    let before = report.findings.len();
    let list = request(30, "server/discover", json!({}));
    let call = request(30, "tools/call", json!({"name": "doctor-no-such-tool", "arguments": {}}));
    let cases: [(&str, &Value, Headers); 5] = [
        ("without MCP-Protocol-Version", &list, Headers::default().without("mcp-protocol-version")),
        (
            "with another revision in MCP-Protocol-Version than in the body",
            &list,
            Headers::default().with("mcp-protocol-version", "2025-11-25"),
        ),
        ("without Mcp-Method", &list, Headers::default().without("mcp-method")),
        (
            "with another method in Mcp-Method than in the body",
            &list,
            Headers::default().with("mcp-method", "tools/list"),
        ),
        (
            "with another name in Mcp-Name than in the body",
            &call,
            Headers::default().with("mcp-name", "another"),
        ),
    ];
    for (what, message, change) in cases {
        match peer.post(&message.to_string(), Some(30), &change).await {
            Ok(heard) => parity(what, &heard, report),
            Err(error) => report.wrong(AREA, format!("a request {what}: the server {error}"), "answer it"),
        }
    }
    foreign_origin(peer, report, &list).await;
    media_types(peer, report, &list).await;
    other_methods(peer, report).await;
    notification(peer, report).await;
    if report.findings.len() == before {
        report.fine(AREA, "headers are compared with the body, foreign origins and other methods refused");
    }
}

/// Gateways route by headers, so a body that says otherwise must be refused.
fn parity(what: &str, heard: &Heard, report: &mut Report) {
    let change = "refuse it with status 400 and error -32020: gateways route and limit by these headers";
    let status = heard.status.unwrap_or_default();
    match heard.error() {
        None => report.wrong(AREA, format!("a request {what} is answered (HTTP {status})"), change),
        Some(error) if error_code(error) == Some(MISMATCH) && status == 400 => {}
        Some(error) => {
            // A revision that is not spoken may be refused before it is compared.
            if error_code(error) == Some(-32022) && status == 400 {
                return;
            }
            report.wrong(
                AREA,
                format!("a request {what} is refused with HTTP {status}, {}", error_words(error)),
                change,
            );
        }
    }
}

async fn foreign_origin(peer: &HttpPeer, report: &mut Report, message: &Value) {
    let text = message.to_string();
    let origin = Headers::default().with("origin", "https://doctor.invalid");
    match peer.post(&text, Some(30), &origin).await {
        Ok(heard) if heard.status == Some(403) => {}
        Ok(heard) => report.wrong(
            AREA,
            format!("a page of https://doctor.invalid may call (HTTP {})", heard.status.unwrap_or_default()),
            "answer 403 where Origin is not one that is allowed: pages could reach the server through a browser",
        ),
        Err(error) => report.doubtful(AREA, format!("a request with a foreign Origin: the server {error}"), "answer 403"),
    }
    if peer.url().is_loopback() {
        let host = Headers::default().with("host", "doctor.invalid");
        match peer.post(&text, Some(30), &host).await {
            Ok(heard) if heard.status.is_some_and(|status| (400..500).contains(&status)) => {}
            Ok(_) => report.wrong(
                AREA,
                "a request for the host doctor.invalid is answered on loopback",
                "refuse foreign Host headers on loopback: names that lead there let pages in (DNS rebinding)",
            ),
            Err(_) => {}
        }
    }
}

async fn media_types(peer: &HttpPeer, report: &mut Report, message: &Value) {
    let kind = Headers::default().with("content-type", "text/plain");
    if let Ok(heard) = peer.post(&message.to_string(), Some(30), &kind).await
        && heard.result(30).is_some()
    {
        report.doubtful(
            AREA,
            "a body of the media type text/plain is read",
            "refuse it (415): browsers send such bodies without asking first",
        );
    }
    if let Ok(heard) = peer.post(&message.to_string(), Some(30), &Headers::default()).await
        && heard.header("mcp-session-id").is_some()
    {
        report.doubtful(
            AREA,
            "the answer carries Mcp-Session-Id",
            "leave it out: the revision has no sessions, and every request stands for itself",
        );
    }
}

async fn other_methods(peer: &HttpPeer, report: &mut Report) {
    for method in [Method::GET, Method::DELETE] {
        let name = method.clone();
        match peer.request(method, "text/event-stream").await {
            Ok(heard) if heard.status == Some(405) => {}
            Ok(heard) => report.doubtful(
                AREA,
                format!("{name} is answered with HTTP {}", heard.status.unwrap_or_default()),
                "answer 405: the endpoint takes POST alone",
            ),
            // A stream that stays open answers nothing within the time.
            Err(error) => report.doubtful(AREA, format!("asked by {name}, the server {error}"), "answer 405"),
        }
    }
}

async fn notification(peer: &HttpPeer, report: &mut Report) {
    let message = json!({
        "jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": {"requestId": 999_999, "_meta": request(0, "x", json!({})).pointer("/params/_meta")},
    });
    match peer.post(&message.to_string(), None, &Headers::default()).await {
        Ok(heard) if heard.status == Some(202) => {}
        Ok(heard) => report.doubtful(
            AREA,
            format!("a notification is answered with HTTP {}", heard.status.unwrap_or_default()),
            "take notifications with status 202 and no body",
        ),
        Err(error) => report.doubtful(AREA, format!("sent a notification, the server {error}"), "answer 202"),
    }
}
