//! What a client carries between two rounds: whom it serves, for what, for how long, and what is said when it does not
//! (field cases C57 and C58).

use std::sync::Arc;
use std::time::Duration;

use pm_mcp::{
    Context, Form, Output, PromptMessage, RingSealer, Server, ServerBuilder, StateSealer, SystemEntropy,
    prompt, tool,
};
use pm_mcp_contract::VirtualClock;
use pm_mcp_memory::MemoryReplayGuard;
use serde_json::{Value, json};

use crate::support::{Heard, Log, Peer, Yes, accepted, stage};

const KEY: &[u8] = b"the key of these tests, of 32 bytes or more";
const OTHER: &[u8] = b"another key of these tests, of 32 bytes or so";

/// A tool and a prompt of one name that ask for consent; the tool takes whatever it is given.
fn consenting(builder: ServerBuilder) -> ServerBuilder {
    builder
        .tool(tool("deploy", "Asks.").input_schema(json!({"type": "object"})).handler(
            |ctx: Context, _: Value| async move {
                let Yes { ok } = ctx.ask("confirm", Form::new("Go on?")).await?;
                Ok(Output::text(format!("ok: {ok}")))
            },
        ))
        .prompt(prompt("deploy", "Asks.").handler(|ctx: Context, _| async move {
            let Yes { ok } = ctx.ask("confirm", Form::new("Go on?")).await?;
            Ok(vec![PromptMessage::user(format!("ok: {ok}"))])
        }))
}

fn server(sealer: RingSealer) -> (Server, VirtualClock) {
    let (builder, clock) = stage();
    (consenting(builder).state_sealer(sealer).build().unwrap(), clock)
}

fn sealer() -> RingSealer {
    RingSealer::new(KEY).unwrap()
}

fn yes() -> Value {
    json!({"confirm": accepted(json!({"ok": true}))})
}

async fn first_round(peer: &Peer, arguments: Value) -> String {
    peer.call("deploy", arguments).await.state()
}

/// The one refusal, and the reason that the log has for it.
fn assert_refused(heard: &Heard, log: &Log, reason: &str) {
    let words = "params.requestState is not valid for this request: start the operation again without it";
    assert_eq!(heard.error(), &json!({"code": -32602, "message": words}), "{reason}");
    assert_eq!(heard.status(), 200);
    let told = log.take("refused a continuation");
    assert_eq!(told.len(), 1, "{reason}: {told:?}");
    assert!(told[0].contains(reason), "{reason}: {told:?}");
}

#[tokio::test]
async fn every_refusal_reads_the_same_and_the_log_says_why() {
    let log = Log::start();
    let (server, clock) = server(sealer());
    for peer in Peer::both(&server) {
        let given = json!({"service": "web"});
        let state = first_round(&peer, given.clone()).await;
        for changed in [format!("{state}-TAMPERED"), state[1..].to_owned(), String::new(), "é".repeat(40)] {
            let heard = peer.retry("deploy", given.clone(), &changed, yes()).await;
            assert_refused(&heard, &log, "cannot be opened");
        }

        let unknown = sealer().seal(b"\x07{}", b"requestState").unwrap();
        let heard = peer.retry("deploy", given.clone(), &unknown, yes()).await;
        assert_refused(&heard, &log, "unknown form");

        let heard = peer
            .ask(3, "prompts/get", json!({"name": "deploy", "requestState": state, "inputResponses": yes()}))
            .await;
        assert_refused(&heard, &log, "another method");

        let heard = peer.retry("deploy", json!({"service": "db"}), &state, yes()).await;
        assert_refused(&heard, &log, "other parameters");

        let heard = peer.acting_for("bob").retry("deploy", given.clone(), &state, yes()).await;
        assert_refused(&heard, &log, "another principal");

        let heard = peer.retry("deploy", given.clone(), &state, yes()).await;
        assert_eq!(heard.text(), "ok: true", "none of the refusals has used the state up");
        let heard = peer.retry("deploy", given.clone(), &state, yes()).await;
        assert_refused(&heard, &log, "used before");

        let state = first_round(&peer, given.clone()).await;
        clock.advance(Duration::from_millis(300_000));
        let heard = peer.retry("deploy", given.clone(), &state, yes()).await;
        assert_refused(&heard, &log, "expired");
    }
}

#[tokio::test]
async fn a_state_lives_to_the_last_millisecond_before_its_end() {
    let (server, clock) = server(sealer());
    let peer = Peer::stdio(&server);
    let state = first_round(&peer, json!({})).await;
    clock.advance(Duration::from_millis(299_999));
    assert_eq!(peer.retry("deploy", json!({}), &state, yes()).await.text(), "ok: true");
}

#[tokio::test]
async fn a_guard_that_cannot_tell_refuses() {
    let log = Log::start();
    let (builder, _clock) = stage();
    let server = consenting(builder).replay_guard(MemoryReplayGuard::with_capacity(0)).build().unwrap();
    let peer = Peer::stdio(&server);
    let state = first_round(&peer, json!({})).await;
    assert_refused(&peer.retry("deploy", json!({}), &state, yes()).await, &log, "cannot be told");
}

#[tokio::test]
async fn parameters_are_compared_by_value() {
    let log = Log::start();
    let (server, _clock) = server(sealer());
    let peer = Peer::http(&server);
    let given = r#"{"a":"é","b":[1,{"c":2,"d":null}]}"#;
    let retry = |state: &str, arguments: &str| {
        // The very text of the arguments is what is tried, so the request is put together around it.
        let params = json!({"name": "deploy", "requestState": state, "inputResponses": yes()});
        let request = peer.request(2, "tools/call", params).to_string();
        let request =
            request.replacen(r#""name":"deploy""#, &format!(r#""name":"deploy","arguments":{arguments}"#), 1);
        peer.send_text(request).end()
    };
    for equal in [
        r#"{"b":[1,{"d":null,"c":2}],"a":"é"}"#,
        "{ \"a\" : \"é\",\n\t\"b\": [1, {\"c\": 2, \"d\": null}] }",
        r#"{"a":"\u00e9","b":[1,{"c":2,"d":null}]}"#,
    ] {
        let state = first_round(&peer, serde_json::from_str(given).unwrap()).await;
        assert_eq!(retry(&state, equal).await.text(), "ok: true", "{equal}");
    }
    let state = first_round(&peer, serde_json::from_str(given).unwrap()).await;
    for changed in [
        r#"{"a":"e","b":[1,{"c":2,"d":null}]}"#,
        r#"{"a":"é","b":[1,{"c":2,"d":null}],"e":0}"#,
        r#"{"a":"é","b":[1,{"c":2}]}"#,
        r#"{"a":"é","b":[{"c":2,"d":null},1]}"#,
        r#"{"a":"é"}"#,
    ] {
        assert_refused(&retry(&state, changed).await, &log, "other parameters");
    }
}

#[tokio::test]
async fn keys_are_rotated_with_an_overlap_and_dropped() {
    let log = Log::start();
    let shared = Arc::new(MemoryReplayGuard::default());
    let with = |sealer: RingSealer| {
        // Each with randomness of its own: servers that draw the same numbers would take each other's states for used.
        let builder = stage().0.entropy(Arc::new(SystemEntropy::new()));
        let server =
            consenting(builder).state_sealer(sealer).replay_guard(Arc::clone(&shared)).build().unwrap();
        Peer::stdio(&server)
    };
    let before = with(sealer());
    let overlap = with(RingSealer::new(OTHER).unwrap().with_older(KEY).unwrap());
    let after = with(RingSealer::new(OTHER).unwrap());
    let stranger = with(RingSealer::random().unwrap());

    let old = first_round(&before, json!({})).await;
    assert_eq!(
        overlap.retry("deploy", json!({}), &old, yes()).await.text(),
        "ok: true",
        "an older key opens"
    );
    assert_refused(&before.retry("deploy", json!({}), &old, yes()).await, &log, "used before");

    let new = first_round(&overlap, json!({})).await;
    assert_refused(&before.retry("deploy", json!({}), &new, yes()).await, &log, "cannot be opened");
    assert_eq!(after.retry("deploy", json!({}), &new, yes()).await.text(), "ok: true");

    let old = first_round(&before, json!({})).await;
    assert_refused(&after.retry("deploy", json!({}), &old, yes()).await, &log, "cannot be opened");
    let refused = stranger.retry("deploy", json!({}), &old, yes()).await;
    assert_refused(&refused, &log, "cannot be opened");
    let state = first_round(&stranger, json!({})).await;
    let heard = stranger.retry("deploy", json!({}), &state, yes()).await;
    assert_eq!(heard.text(), "ok: true", "the client begins again");
}

#[tokio::test]
async fn a_state_shows_nothing_of_what_it_holds() {
    let (server, _clock) = server(sealer());
    let peer = Peer::stdio(&server);
    let (one, two) = (first_round(&peer, json!({})).await, first_round(&peer, json!({})).await);
    assert_ne!(one, two);
    for state in [one, two] {
        assert!(
            state.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')),
            "{state}"
        );
        assert!(!state.contains("YW5u"), "no word of the principal");
    }
}

#[tokio::test]
async fn a_state_that_would_be_too_large_is_a_clear_error() {
    let (builder, _clock) = stage();
    let server = builder
        .tool(tool("hoard", "Remembers much.").handler(|ctx: Context, _: pm_mcp::NoArguments| async move {
            ctx.remember("much", "x".repeat(70_000));
            ctx.ask("confirm", Form::<Yes>::new("Go on?")).await?;
            Ok(Output::text("done"))
        }))
        .build()
        .unwrap();
    for peer in Peer::both(&server) {
        let heard = peer.call("hoard", json!({})).await;
        assert_eq!(heard.code(), -32603);
        assert!(
            heard.message().contains("larger than 65536 bytes (limit state.bytes)"),
            "{}",
            heard.message()
        );
    }
}
