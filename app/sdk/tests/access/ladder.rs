//! Which token gets in, what the others are told, and when it is asked for.

use pm_mcp::{Channel, Credential, Grant, Inbound, Principal, Served, Timestamp};
use serde_json::json;

use crate::support::{ISSUER, METADATA, RESOURCE, Silent, Stage, grant};

#[tokio::test]
async fn every_bad_token_has_its_status_and_its_challenge() {
    let stage = Stage::new(|builder| builder);
    let at = |seconds: i64| Some(Timestamp::from_unix_ms(seconds * 1000));
    let good = || grant("ada", "read");
    for (token, grant) in [
        ("other-audience", Grant { audiences: vec![format!("{RESOURCE}/")], ..good() }),
        ("no-audience", Grant { audiences: Vec::new(), ..good() }),
        ("other-issuer", Grant { issuer: format!("{ISSUER}/"), ..good() }),
        ("nobody", Grant { subject: String::new(), ..good() }),
        ("expired", Grant { expires: at(60), ..good() }),
        ("early", Grant { not_before: at(140), ..good() }),
    ] {
        stage.tokens.issue(token, grant);
    }
    for token in ["unknown", "other-audience", "no-audience", "other-issuer", "nobody", "expired", "early"] {
        let told = stage.with(token).call("look").await;
        assert_eq!((told.status, told.code()), (401, -32600), "{token}: {told:?}");
        assert_eq!(told.body["id"], 7);
        assert!(told.challenge().contains(&format!("resource_metadata=\"{METADATA}\"")), "{told:?}");
        assert!(told.challenge().contains("error=\"invalid_token\""), "{told:?}");
        assert!(told.challenge().contains("error_description=\""), "{told:?}");
        assert_eq!(told.scopes(), "read", "{token}");
    }
    stage.tokens.issue("late", Grant { expires: at(80), not_before: at(120), ..good() });
    assert_eq!(stage.with("late").call("look").await.status, 200, "within the leeway of both ends");
    assert_eq!(stage.with("reader").call("look").await.status, 200);
}

#[tokio::test]
async fn without_a_token_the_challenge_tells_where_to_get_one_and_what_for() {
    let stage = Stage::new(|builder| builder);
    let told = stage.client().call("change").await;
    assert_eq!(told.status, 401);
    assert_eq!(told.challenge(), format!("Bearer resource_metadata=\"{METADATA}\", scope=\"read write\""));
    let told = stage.client().ask("server/discover", json!({})).await;
    assert_eq!((told.status, told.scopes()), (401, "read"));
}

#[tokio::test]
async fn a_token_that_was_taken_back_is_of_no_use_any_more() {
    let stage = Stage::new(|builder| builder);
    let client = stage.with("reader");
    assert_eq!(client.call("look").await.status, 200);
    assert!(stage.tokens.revoke("reader"));
    assert_eq!(client.call("look").await.status, 401);
}

#[tokio::test]
async fn an_outage_does_not_look_like_a_bad_token() {
    let stage = Stage::new(|builder| builder);
    stage.tokens.set_unavailable(true);
    let told = stage.with("reader").call("look").await;
    assert_eq!((told.status, told.code(), told.challenge), (503, -32603, None));
    stage.tokens.set_unavailable(false);
    assert_eq!(stage.with("reader").call("look").await.status, 200);
}

#[tokio::test]
async fn the_token_is_asked_for_after_the_head_and_before_everything_else() {
    let stage = Stage::new(|builder| builder);
    let (stranger, powerless, writer) = (stage.client(), stage.with("powerless"), stage.with("writer"));
    let old = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": {"_meta": {}}});
    let mut other_version = stranger.request("tools/list", json!({}));
    other_version["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2020-01-01");
    let unnamed = stranger.request("tools/call", json!({"name": "change", "arguments": 5}));
    let unknown_tool = stranger.request("tools/call", json!({"name": "none"}));
    let task = stranger.request("tasks/get", json!({"taskId": "x"}));
    for (what, message, strange, little, enough) in [
        (
            "no request",
            json!({"jsonrpc": "1.0", "id": 7, "method": "tools/list"}),
            (400, -32600),
            (400, -32600),
            (400, -32600),
        ),
        (
            "unknown method",
            stranger.request("tools/cal", json!({})),
            (404, -32601),
            (404, -32601),
            (404, -32601),
        ),
        ("no version", old, (400, -32602), (400, -32602), (400, -32602)),
        ("other version", other_version, (400, -32020), (400, -32020), (400, -32020)),
        ("bad parameters", unnamed, (401, -32600), (403, -32600), (400, -32602)),
        ("unknown tool", unknown_tool, (401, -32600), (403, -32600), (200, -32602)),
        ("undeclared extension", task, (401, -32600), (403, -32600), (400, -32021)),
    ] {
        for (client, wanted) in [(&stranger, strange), (&powerless, little), (&writer, enough)] {
            let told = client.send(&message).await.unwrap();
            assert_eq!((told.status, told.code()), wanted, "{what}: {told:?}");
        }
    }
}

#[tokio::test]
async fn notifications_need_a_token_too() {
    let stage = Stage::new(|builder| builder);
    let note = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
    assert!(stage.with("reader").send(&note).await.is_none());
    let told = stage.client().send(&note).await.unwrap();
    assert_eq!((told.status, told.body.get("id")), (401, None));
}

#[tokio::test]
async fn callers_of_this_machine_are_not_asked_and_others_are_on_any_channel() {
    let stage = Stage::new(pm_mcp::ServerBuilder::legacy_stdio);
    let door = stage.server.service().open(Channel::Shared);
    let text = stage.client().request("tools/call", json!({"name": "change"})).to_string();
    let principal = Principal::local("ann");
    let local = Inbound::local(text.as_bytes(), pm_mcp::Binding::Stdio, &principal);
    let Served::Answered(answer) = door.serve(local, &mut Silent).await else { panic!("no answer") };
    assert!(String::from_utf8(answer.body).unwrap().contains("\"result\""));
    for text in
        [text.as_str(), r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"change"}}"#]
    {
        let remote = Inbound {
            credential: Credential::Absent,
            ..Inbound::local(text.as_bytes(), pm_mcp::Binding::Stdio, &principal)
        };
        let Served::Answered(answer) = door.serve(remote, &mut Silent).await else { panic!("no answer") };
        assert!(answer.status >= 400, "{text}");
    }
}

#[tokio::test]
async fn handlers_see_whom_the_token_names_and_nothing_of_the_token() {
    let stage = Stage::new(|builder| builder);
    let told = stage.with("reader").call("who").await;
    let text = told.result()["content"][0]["text"].as_str().unwrap().to_owned();
    assert!(text.ends_with(&format!("token:{ISSUER} ada")), "{text}");
    assert!(text.contains("client: Some(\"shell\")"), "{text}");
    assert!(!text.contains("reader"), "{text}");
}
