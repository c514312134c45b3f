//! Files of the workspace that are damaged while it is served: what is said of them, and that the rest goes on.

use std::time::Instant;

use pm_mcp_acceptance::{HttpServer, PATIENCE, Project, StdioServer, call, request, text_of};
use serde_json::{Value, json};

const ITEM: &str = "tasks/demo-q7aa.toon";

/// Asks until the answer is as wanted: a server may look for changes a few times a second only.
fn until(ask: &mut dyn FnMut(&Value) -> Value, request: &Value, wanted: impl Fn(&Value) -> bool) -> Value {
    let begun = Instant::now();
    loop {
        let answer = ask(request);
        if wanted(&answer) {
            return answer;
        }
        assert!(begun.elapsed() < PATIENCE, "still {answer}");
    }
}

/// Runs the check on both transports, each with a project of its own.
fn on_both(check: impl Fn(&Project, &mut dyn FnMut(&Value) -> Value)) {
    let project = Project::small();
    let mut stdio = StdioServer::of(&project);
    check(&project, &mut |message| stdio.ask(message));
    let project = Project::small();
    let http = HttpServer::of(&project);
    check(&project, &mut |message| http.ask(message));
}

fn unreadable_item(text: &str, says: &str) {
    on_both(|project, ask| {
        let whole = project.read(ITEM);
        let get = call(1, "pm_get", json!({"id": "demo-q7aa"}));
        assert_eq!(ask(&get)["result"]["structuredContent"]["id"], "demo-q7aa");

        project.write(ITEM, text);
        let answer = until(ask, &get, |answer| answer["result"]["isError"] == true);
        let fault = text_of(&answer);
        assert_eq!(fault["code"], "item_unreadable", "{fault}");
        assert!(fault["message"].as_str().unwrap().contains(says), "{fault}");

        let other = ask(&call(2, "pm_get", json!({"id": "demo-k3x9"})));
        assert_eq!(other["result"]["structuredContent"]["id"], "demo-k3x9");
        let next = ask(&call(3, "pm_next", json!({})));
        assert!(next["result"]["structuredContent"]["ready"].is_array(), "{next}");
        let found = ask(&call(4, "pm_validate", json!({"checks": ["storage_integrity"]})));
        assert!(found["result"]["structuredContent"].to_string().contains("demo-q7aa"), "{found}");

        project.write(ITEM, &whole);
        until(ask, &get, |answer| answer["result"]["structuredContent"]["id"] == "demo-q7aa");
    });
}

#[test]
fn a_half_written_item_is_unreadable_until_it_is_whole() {
    let whole = Project::small().read(ITEM);
    let half = whole.split_at(whole.find("status").unwrap()).0;
    unreadable_item(half, "demo-q7aa");
}

#[test]
fn an_item_in_a_merge_conflict_is_unreadable_until_it_is_solved() {
    let whole = Project::small().read(ITEM);
    let conflict =
        whole.replace("priority: 0\n", "<<<<<<< HEAD\npriority: 0\n=======\npriority: 3\n>>>>>>> other\n");
    unreadable_item(&conflict, "merge");
}

#[test]
fn a_settings_file_that_is_not_json_is_named_until_it_is_mended() {
    on_both(|project, ask| {
        let whole = project.read("settings.json");
        let next = call(1, "pm_next", json!({}));
        assert_eq!(ask(&next)["result"]["structuredContent"]["recommended"]["item"]["id"], "demo-q7aa");
        project.write("settings.json", "{ \"version\": 1,");
        let health = until(ask, &call(2, "pm_health", json!({})), |answer| {
            answer.to_string().contains("settings.json")
        });
        assert_eq!(health["result"]["structuredContent"]["ok"], false, "{health}");
        // What does not hang on the settings is answered as before.
        let get = call(4, "pm_get", json!({"id": "demo-q7aa"}));
        assert_eq!(ask(&get)["result"]["structuredContent"]["id"], "demo-q7aa");
        assert_eq!(ask(&next)["result"]["structuredContent"]["recommended"]["item"]["id"], "demo-q7aa");
        assert!(ask(&request(3, "server/discover", json!({})))["result"].is_object());
        project.write("settings.json", &whole);
        assert_eq!(
            ask(&next)["result"]["structuredContent"]["recommended"]["item"]["id"],
            "demo-q7aa",
            "mended"
        );
    });
}
