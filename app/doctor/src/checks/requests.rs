//! Requests that are wrong in one way each.

use serde_json::{Value, json};

use crate::finding::Report;
use crate::message::{error_code, error_words, plain, request};
use crate::peer::{Heard, Peer, Unheard};

const AREA: &str = "refusals";

/// What is sent, and how it should be refused.
struct Case {
    what: &'static str,
    text: String,
    id: Option<u64>,
    codes: &'static [i64],
    status: &'static [u16],
    change: &'static str,
    /// Whether clients of earlier revisions send such a request.
    for_older: bool,
}

/// Sends them all.
pub(crate) async fn requests(peer: &mut Peer, report: &mut Report) {
    let mut sound = 0_usize;
    let cases = cases();
    for case in &cases {
        let heard = peer.send_text(&case.text, case.id).await;
        if judge(case, heard, report) {
            sound += 1;
        } else if matches!(peer, Peer::Stdio(_))
            && report.findings.last().is_some_and(|last| last.what.contains("ended before"))
        {
            return;
        }
    }
    if sound == cases.len() {
        report.fine(AREA, format!("{sound} wrong requests are refused as they should be"));
    }
}

fn cases() -> Vec<Case> {
    let named = |method: &str, params: Value| request(20, method, params).to_string();
    vec![
        Case {
            what: "an unknown method",
            text: named("doctor/unknown", json!({})),
            id: Some(20),
            codes: &[-32601],
            status: &[404, 200],
            change: "answer error -32601, over HTTP with status 404",
            for_older: false,
        },
        Case {
            what: "a tool that does not exist",
            text: named("tools/call", json!({"name": "doctor-no-such-tool", "arguments": {}})),
            id: Some(20),
            codes: &[-32602, -32601],
            status: &[200, 400, 404],
            change: "answer error -32602",
            for_older: false,
        },
        Case {
            what: "a cursor that was made up",
            text: named("tools/list", json!({"cursor": "made up by the doctor"})),
            id: Some(20),
            codes: &[-32602, -32601],
            status: &[200, 400, 404],
            change: "answer error -32602, so that clients begin anew instead of missing entries",
            for_older: false,
        },
        Case {
            what: "a request without `_meta`",
            text: plain(20, "tools/list", &json!({})).to_string(),
            id: Some(20),
            codes: &[-32602, -32600, -32020, -32022],
            status: &[400],
            change: "answer error -32602: every request must say its revision",
            for_older: true,
        },
        Case {
            what: "text that is no JSON",
            text: "{\"jsonrpc\": \"2.0\", \"id\": 21, ".to_owned(),
            id: None,
            codes: &[-32700],
            status: &[400],
            change: "answer error -32700 and read on",
            for_older: false,
        },
        Case {
            what: "a list of requests",
            text: format!("[{}]", request(20, "server/discover", json!({}))),
            id: None,
            codes: &[-32600, -32700],
            status: &[400],
            change: "answer error -32600: the revision has no batches",
            for_older: false,
        },
    ]
}

/// What servers in use take or pass over without harm to well-made clients: a cursor where nothing has pages, and, on
/// standard input, what no client may send at all.
fn is_harmless(case: &Case, heard: &Result<Heard, Unheard>) -> bool {
    match heard {
        Ok(heard) => case.text.contains("\"cursor\"") && heard.result(20).is_some(),
        Err(error) => case.id.is_none() && matches!(error, Unheard::Silent(_)),
    }
}

/// Whether a case is refused as it should be.
fn judge(case: &Case, heard: Result<Heard, Unheard>, report: &mut Report) -> bool {
    if is_harmless(case, &heard) {
        let what = match heard {
            Ok(_) => format!("{} is answered as if nothing were wrong", case.what),
            Err(error) => format!("sent {}, the server {error}", case.what),
        };
        report.doubtful(AREA, what, case.change);
        return false;
    }
    let heard = match heard {
        Ok(heard) => heard,
        Err(error) => {
            report.wrong(AREA, format!("sent {}, the server {error}", case.what), case.change);
            return false;
        }
    };
    let Some(error) = heard.error() else {
        // Only over HTTP does a header say which kind of client asks.
        if case.for_older
            && heard.status.is_none()
            && heard.messages.iter().any(|told| told.get("result").is_some())
        {
            report.note(AREA, format!("{} is answered, as one of an older client", case.what));
            return true;
        }
        let what = match heard.messages.iter().any(|message| message.get("result").is_some()) {
            true => format!("{} is answered as if nothing were wrong", case.what),
            false => format!("{} is refused without an error object{}", case.what, of_status(&heard)),
        };
        report.wrong(AREA, what, case.change);
        return false;
    };
    let mut sound = true;
    if !error_code(error).is_some_and(|code| case.codes.contains(&code)) {
        report.wrong(AREA, format!("{} is refused with {}", case.what, error_words(error)), case.change);
        sound = false;
    }
    if let Some(status) = heard.status
        && !case.status.contains(&status)
    {
        report.wrong(AREA, format!("{} is refused with HTTP {status}", case.what), case.change);
        sound = false;
    }
    if case.id.is_some() && error.get("id").and_then(Value::as_u64) != case.id {
        report.wrong(
            AREA,
            format!("the refusal of {} does not carry the request's id", case.what),
            "repeat the id, or clients wait for ever",
        );
        sound = false;
    }
    sound
}

fn of_status(heard: &Heard) -> String {
    heard.status.map(|status| format!(" (HTTP {status})")).unwrap_or_default()
}
