//! What hosts ask first: who are you, what can you do, which revisions do you speak.

use pm_mcp_domain::version::PROTOCOL_VERSION;
use serde_json::{Value, json};

use super::Era;
use super::shape;
use crate::finding::Report;
use crate::message::{error_code, error_words, of_version, request, short};
use crate::peer::{Heard, Peer};

const AREA: &str = "discovery";
const METHOD: &str = "server/discover";
/// A revision that never was.
const NEVER: &str = "1999-12-31";
const UNSUPPORTED_VERSION: i64 = -32022;

/// Asks for discovery and says which kind of client the server answers.
pub(crate) async fn discovery(peer: &mut Peer, report: &mut Report) -> Era {
    let heard = match peer.send(&request(1, METHOD, json!({}))).await {
        Ok(heard) => heard,
        Err(error) => {
            let change = match peer {
                Peer::Stdio(_) => {
                    "the server must read one message a line and answer each request; a host would give up here and try the older handshake"
                }
                Peer::Http(_) => "check that the server runs, and the host, port and path of the URL",
            };
            report.wrong(AREA, error.to_string(), change);
            return match error {
                crate::peer::Unheard::Silent(_) | crate::peer::Unheard::Ended(_) => Era::Earlier,
                crate::peer::Unheard::Unreachable(_)
                | crate::peer::Unheard::TooLong
                | crate::peer::Unheard::NoHttp(_) => Era::None,
            };
        }
    };
    match heard.result(1) {
        Some(result) => {
            described(&heard, result, report);
            Era::Present
        }
        None => refused(&heard, report),
    }
}

fn described(heard: &Heard, result: &Value, report: &mut Report) {
    shape::wrapping(heard, METHOD, report);
    shape::kept_result(result, METHOD, report);
    let info = result.get("_meta").and_then(|meta| meta.get("io.modelcontextprotocol/serverInfo"));
    let word = |key: &str| info.and_then(|info| info.get(key)).and_then(Value::as_str);
    match (word("name"), word("version")) {
        (Some(name), Some("")) => {
            report.fine(AREA, format!("{name} answered in {} ms", heard.took.as_millis()));
            report.doubtful(
                AREA,
                "its version is empty",
                "say the version, or nobody can tell two releases apart",
            );
        }
        (Some(name), Some(version)) => {
            report.fine(AREA, format!("{name} {version} answered in {} ms", heard.took.as_millis()));
        }
        (None | Some(_), _) => report.wrong(
            AREA,
            "the result does not say who the server is",
            "put name and version into `_meta` under io.modelcontextprotocol/serverInfo",
        ),
    }
    match result.get("supportedVersions").and_then(Value::as_array) {
        Some(versions) if versions.iter().any(|known| known == PROTOCOL_VERSION) => {
            report.fine(AREA, format!("speaks {}", list(versions)));
        }
        Some(versions) => report.wrong(
            AREA,
            format!("answers {PROTOCOL_VERSION} and lists only {}", list(versions)),
            format!("name {PROTOCOL_VERSION} among `supportedVersions`"),
        ),
        None => {
            report.wrong(AREA, "there is no list `supportedVersions`", "list the revisions that are spoken")
        }
    }
    match result.get("capabilities") {
        Some(Value::Object(known)) => {
            let names: Vec<&str> = known.keys().map(String::as_str).collect();
            let names = if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
            report.fine(AREA, format!("offers {names}"));
        }
        Some(_) | None => {
            report.wrong(AREA, "`capabilities` is no object", "make it an object, if an empty one")
        }
    }
    match result.get("instructions") {
        None => report.note(AREA, "has no `instructions`; models then have only the tools' descriptions"),
        Some(Value::String(text)) if text.chars().count() > 4_000 => report.doubtful(
            AREA,
            format!("the instructions have {} characters", text.chars().count()),
            "keep them short: every conversation pays for them",
        ),
        Some(Value::String(_)) => {}
        Some(_) => report.wrong(AREA, "`instructions` is no text", "make it a text or leave it out"),
    }
}

fn refused(heard: &Heard, report: &mut Report) -> Era {
    let Some(error) = heard.error() else {
        let status = heard.status.map_or(String::new(), |status| format!(" (HTTP {status})"));
        // Servers with a handshake answer unknown first messages in ways of their own.
        if heard.status.is_some_and(|status| matches!(status, 400 | 404 | 405 | 406 | 415 | 422)) {
            report.doubtful(
                AREA,
                format!("does not know {METHOD}{status}: {}", shape::first_line(&heard.stray)),
                format!("speak {PROTOCOL_VERSION} too; until then only hosts that fall back to the handshake can use it"),
            );
            return Era::Earlier;
        }
        report.wrong(
            AREA,
            format!("the answer{status} is no message: {}", shape::first_line(&heard.stray)),
            "answer every request with one JSON-RPC message; check the path of the URL",
        );
        return Era::None;
    };
    if error_code(error) == Some(UNSUPPORTED_VERSION) {
        let known =
            error.get("error").and_then(|error| error.get("data")).and_then(|data| data.get("supported"));
        report.doubtful(
            AREA,
            format!("refuses {PROTOCOL_VERSION} and speaks {}", known.map(short).unwrap_or_default()),
            format!("speak {PROTOCOL_VERSION} too"),
        );
        return Era::None;
    }
    report.doubtful(
        AREA,
        format!("does not know {METHOD}: {}", error_words(error)),
        format!(
            "speak {PROTOCOL_VERSION} too; until then only hosts that fall back to the handshake can use it"
        ),
    );
    Era::Earlier
}

/// Asks under the name of a revision that never was.
pub(crate) async fn versions(peer: &mut Peer, report: &mut Report) {
    const AREA: &str = "versions";
    let change = format!(
        "answer error {UNSUPPORTED_VERSION} with `data.supported` and `data.requested`, so that clients can choose"
    );
    let heard = match peer.send(&of_version(2, METHOD, json!({}), NEVER)).await {
        Ok(heard) => heard,
        Err(error) => {
            return report.wrong(AREA, format!("asked under the revision {NEVER}, {error}"), change);
        }
    };
    let Some(error) = heard.error() else {
        return report.wrong(AREA, format!("takes the revision {NEVER}, which never was"), change);
    };
    if error_code(error) != Some(UNSUPPORTED_VERSION) {
        let words = error_words(error);
        return report.wrong(AREA, format!("refuses the revision {NEVER} with {words}"), change);
    }
    let data = error.get("error").and_then(|error| error.get("data"));
    let listed = data.and_then(|data| data.get("supported")).and_then(Value::as_array);
    match listed {
        Some(versions) if versions.iter().any(|known| known == PROTOCOL_VERSION) => {
            report.fine(AREA, "names what it speaks where a client asks for another revision");
        }
        Some(_) | None => {
            report.wrong(AREA, "refuses another revision without naming its own", change);
        }
    }
    if heard.status.is_some_and(|status| status != 400) {
        let status = heard.status.unwrap_or_default();
        report.wrong(AREA, format!("refuses another revision with HTTP {status}"), "answer with status 400");
    }
}

fn list(versions: &[Value]) -> String {
    let names: Vec<&str> = versions.iter().filter_map(Value::as_str).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
