//! The handshake of older hosts.

use serde_json::{Value, json};

use crate::finding::Report;
use crate::message::{EARLIER, error_words, initialize, short};
use crate::peer::Peer;

const AREA: &str = "handshake";

/// Begins as older hosts do; says whether one could go on.
pub(crate) async fn earlier(peer: &mut Peer, report: &mut Report) -> bool {
    let heard = match peer.send(&initialize(40)).await {
        Ok(heard) => heard,
        Err(error) => {
            report.wrong(
                AREA,
                format!("asked for a handshake, the server {error}"),
                "answer `initialize` or `server/discover`",
            );
            return false;
        }
    };
    let Some(result) = heard.result(40) else {
        let words = heard.error().map_or_else(
            || heard.status.map_or_else(|| "no answer".to_owned(), |status| format!("HTTP {status}")),
            error_words,
        );
        report.wrong(
            AREA,
            format!("neither discovery nor a handshake is answered: {words}"),
            "answer one of them: no host can go on",
        );
        return false;
    };
    let version = result.get("protocolVersion").and_then(Value::as_str);
    let named = |key: &str| result.get("serverInfo").and_then(|info| info.get(key)).and_then(Value::as_str);
    match version {
        Some(version) => report.fine(
            AREA,
            format!(
                "{} {} speaks {version}",
                named("name").unwrap_or("a nameless server"),
                named("version").unwrap_or("")
            ),
        ),
        None => {
            report.wrong(AREA, "the handshake names no `protocolVersion`", "name the revision that is spoken")
        }
    }
    if named("name").is_none() {
        report.wrong(AREA, "the handshake has no `serverInfo.name`", "say who the server is");
    }
    match result.get("capabilities") {
        Some(Value::Object(_)) => {}
        other => report.wrong(
            AREA,
            format!("`capabilities` is {}", other.map_or_else(|| "missing".to_owned(), short)),
            "make it an object",
        ),
    }
    if let Peer::Http(http) = peer {
        http.session = heard.header("mcp-session-id").map(str::to_owned);
    }
    if let Err(error) = peer.tell(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await {
        report.wrong(
            AREA,
            format!("told that the handshake is done, the server {error}"),
            "take the notification",
        );
        return false;
    }
    true
}

/// Whether a server of the present revision also answers older hosts.
pub(crate) async fn earlier_beside(peer: &mut Peer, report: &mut Report) {
    match peer.send(&initialize(41)).await {
        Ok(heard) => {
            match heard.result(41) {
                Some(result) => {
                    let version = result.get("protocolVersion").map(short).unwrap_or_default();
                    report.note(AREA, format!("older hosts are answered too, with {version}"));
                }
                None if heard.error().is_some() => {
                    report.note(AREA, format!("older hosts (such as of {EARLIER}) are refused with an error, so they can say why"));
                }
                None => report.doubtful(
                    AREA,
                    format!("`initialize` gets HTTP {} and no error", heard.status.unwrap_or_default()),
                    "refuse it with an error object, so that older hosts can say why",
                ),
            }
        }
        Err(error) => report.wrong(
            AREA,
            format!("asked for the handshake of older hosts, the server {error}"),
            "refuse it with an error: older hosts wait for an answer",
        ),
    }
}
