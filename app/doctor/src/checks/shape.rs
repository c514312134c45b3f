//! What every result and every answer has.

use serde_json::Value;

use crate::finding::Report;
use crate::message::short;
use crate::peer::Heard;

/// Checks what the revision asks of every result that may be kept.
pub(super) fn kept_result(result: &Value, method: &str, report: &mut Report) {
    complete(result, method, report);
    match result.get("ttlMs") {
        Some(time) if time.as_u64().is_some() => {}
        Some(other) => report.wrong(
            "caching",
            format!("`ttlMs` of {method} is {}", short(other)),
            "make it a whole number of milliseconds, 0 for not at all",
        ),
        None => report.wrong(
            "caching",
            format!("the result of {method} has no `ttlMs`"),
            "say how long it may be kept, 0 for not at all",
        ),
    }
    match result.get("cacheScope").and_then(Value::as_str) {
        Some("public" | "private") => {}
        Some(other) => report.wrong(
            "caching",
            format!("`cacheScope` of {method} is {other:?}"),
            "make it \"public\" or \"private\"",
        ),
        None => report.wrong(
            "caching",
            format!("the result of {method} has no `cacheScope`"),
            "add it: \"private\" is always safe",
        ),
    }
}

/// Checks that a result says that it is whole.
pub(super) fn complete(result: &Value, method: &str, report: &mut Report) {
    match result.get("resultType").and_then(Value::as_str) {
        Some("complete") => {}
        Some(other) => report.wrong(
            "results",
            format!("`resultType` of {method} is {other:?}"),
            "a finished result says \"complete\"",
        ),
        None => report.wrong(
            "results",
            format!("the result of {method} has no `resultType`"),
            "add \"resultType\": \"complete\"; clients of the revision need it to tell results apart",
        ),
    }
}

/// Checks how an answer over HTTP is wrapped.
pub(super) fn wrapping(heard: &Heard, method: &str, report: &mut Report) {
    if heard.status.is_none() {
        if !heard.stray.is_empty() {
            report.wrong(
                "output",
                format!("there is text on standard output that is no message: {}", first_line(&heard.stray)),
                "write logs to standard error; standard output belongs to the protocol",
            );
        }
        return;
    }
    match heard.header("content-type") {
        Some(kind) if kind.starts_with("application/json") || kind.starts_with("text/event-stream") => {}
        Some(kind) => report.wrong(
            "transport",
            format!("the answer to {method} has the media type {kind}"),
            "answer with application/json or text/event-stream",
        ),
        None => report.wrong(
            "transport",
            format!("the answer to {method} has no media type"),
            "set Content-Type to application/json or text/event-stream",
        ),
    }
}

pub(super) fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().chars().take(120).collect()
}
