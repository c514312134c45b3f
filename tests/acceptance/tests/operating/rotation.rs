//! New keys, one worker after the other.

use pm_mcp_acceptance::{HttpRequest, HttpServer, Project, call, meta};
use serde_json::{Value, json};

use crate::load::HOST;
use crate::page::environment;
use crate::workers::{value_of, worker};

const FIRST: &str = "the first key of more than thirty-two bytes";
const SECOND: &str = "the second key of more than thirty-two bytes";

/// The page's settings without a database, which keys do not need.
fn settings(project: &Project) -> Vec<(String, String)> {
    let mut settings = environment();
    settings.retain(|(name, _)| !["PM_MCP_DATABASE_URL", "MCP_REQUEST_STATE_KEY"].contains(&name.as_str()));
    for (name, value) in &mut settings {
        match name.as_str() {
            "PM_PATH" => *value = project.root().display().to_string(),
            "PM_MCP_TASK_STORE" => "memory".clone_into(value),
            _ => {}
        }
    }
    settings
}

fn send(worker: &HttpServer, token: &str, message: &Value) -> pm_mcp_acceptance::HttpReply {
    let authorization = format!("Bearer {token}");
    HttpRequest::of(message).with("Host", HOST).with("Authorization", &authorization).send(worker.address())
}

/// A change that asks first, and its answer.
fn change(more: &Value) -> Value {
    let mut message = call(
        1,
        "pm_mutate",
        json!({"transactionId": "tx-1", "mutations": [{"op": "delete", "id": "demo-f101", "reason": "not needed"}]}),
    );
    let mut meta = meta();
    meta["io.modelcontextprotocol/clientCapabilities"] = json!({"elicitation": {"form": {}}});
    message["params"]["_meta"] = meta;
    for (name, value) in more.as_object().unwrap() {
        message["params"][name] = value.clone();
    }
    message
}

fn begin(worker: &HttpServer, token: &str) -> Value {
    let asked = send(worker, token, &change(&json!({}))).json();
    assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
    asked["result"]["requestState"].clone()
}

/// Says no, so that the change can be asked for again.
fn finishes(worker: &HttpServer, token: &str, state: &Value) -> bool {
    let no = json!({"confirmation": {"action": "decline"}});
    let done = send(worker, token, &change(&json!({"requestState": state, "inputResponses": no}))).json();
    done["result"]["structuredContent"]["reason"] == "declined"
}

#[test]
fn a_new_state_key_in_three_rounds_costs_nobody_an_operation() {
    let project = Project::paged();
    let settings = settings(&project);
    let token = value_of(&settings, "PM_MCP_HTTP_BEARER_TOKEN");
    let with = |key: &str, old: Option<&str>| {
        let mut settings = settings.clone();
        settings.push(("MCP_REQUEST_STATE_KEY".to_owned(), key.to_owned()));
        settings.extend(old.map(|old| ("MCP_REQUEST_STATE_KEYS_OLD".to_owned(), old.to_owned())));
        worker(&project, &settings, None)
    };
    let rounds = [(FIRST, None), (FIRST, Some(SECOND)), (SECOND, Some(FIRST)), (SECOND, None)];
    let workers = rounds.map(|(key, old)| with(key, old));
    // In each round some workers are of the round before: each finishes what the other one has begun.
    for pair in workers.windows(2) {
        for (begins, ends) in [(&pair[0], &pair[1]), (&pair[1], &pair[0])] {
            assert!(finishes(ends, token, &begin(begins, token)), "an operation was lost");
        }
    }
    // Without the round in between one would be lost, and so is what the old key sealed in the end.
    for (begins, ends) in [(&workers[2], &workers[0]), (&workers[0], &workers[3])] {
        assert!(!finishes(ends, token, &begin(begins, token)), "a key that is not there opened a state");
    }
}

#[test]
fn a_new_deployment_token_ends_the_old_one() {
    let project = Project::small();
    let mut settings = settings(&project);
    let old = value_of(&settings, "PM_MCP_HTTP_BEARER_TOKEN").to_owned();
    let new = "another-token-of-this-deployment";
    for (name, value) in &mut settings {
        if name == "PM_MCP_HTTP_BEARER_TOKEN" {
            new.clone_into(value);
        }
    }
    let worker = worker(&project, &settings, None);
    let look = call(1, "pm_next", json!({}));
    assert_eq!(send(&worker, &old, &look).status, 401);
    assert_eq!(send(&worker, new, &look).status, 200);
}
