//! Long operations: what their callers hear in the foreground, and a question inside a task.

use std::time::Instant;

use pm_mcp_acceptance::{HttpServer, PATIENCE, Project, StdioServer, call, meta, request};
use serde_json::{Value, json};

/// Calls a tool with a progress token; gives the reports of its own stream and the result.
fn told(http: &HttpServer, tool: &str, arguments: Value) -> (Vec<Value>, Value) {
    let mut meta = meta();
    meta["progressToken"] = json!(tool);
    let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
    let reply = http.exchange(&request(1, "tools/call", params));
    assert_eq!(reply.header("content-type"), "text/event-stream", "{tool}: {reply:?}");
    let text = String::from_utf8(reply.body).unwrap();
    let events = text.lines().filter_map(|line| line.strip_prefix("data:"));
    let mut events: Vec<Value> = events.map(|event| serde_json::from_str(event).unwrap()).collect();
    let answer = events.pop().unwrap();
    assert_eq!(answer["result"]["resultType"], "complete", "{tool}: {answer}");
    (events, answer["result"]["structuredContent"].clone())
}

/// That the reports are of this call, grow, and end with everything done.
fn whole(tool: &str, reports: &[Value], says: &str) {
    assert!(!reports.is_empty(), "{tool} reports nothing");
    let mut before = f64::NEG_INFINITY;
    for report in reports {
        assert_eq!(report["method"], "notifications/progress");
        assert_eq!(report["params"]["progressToken"], tool);
        let progress = report["params"]["progress"].as_f64().unwrap();
        assert!(progress > before, "{tool}: {reports:?}");
        before = progress;
    }
    let last = &reports.last().unwrap()["params"];
    assert_eq!(last["progress"], last["total"], "{tool}: {last}");
    assert_eq!(last["message"], says);
}

#[test]
fn imports_commands_and_reindexing_report_progress_on_their_own_stream() {
    let project = Project::small();
    let settings = [("PM_MCP_ALLOW_TEST_RUN", "1"), ("PM_MCP_CONFIRM", "never")];
    let http = HttpServer::start(project.root(), &settings);

    let todos = "- [ ] Water the young lemon trees\n- [ ] Paint the fence behind the shed\n";
    let arguments = json!({"format": "todos", "content": todos, "duplicates": "create"});
    let (reports, imported) = told(&http, "pm_import", arguments);
    whole("pm_import", &reports, "importing items: 2 of 2");
    let id = imported["created"][0]["id"].as_str().unwrap_or_else(|| panic!("{imported}")).to_owned();

    for command in ["true", "false"] {
        let linked = http.ask(&call(2, "pm_test", json!({"id": id, "action": "add", "command": command})));
        assert_ne!(linked["result"]["isError"], true, "{linked}");
    }
    let (reports, report) = told(&http, "pm_test", json!({"id": id, "action": "run"}));
    whole("pm_test", &reports, "running commands: 2 of 2");
    assert_eq!((&report["passed"], &report["failed"]), (&json!(1), &json!(1)), "{report}");

    let (reports, indexed) = told(&http, "pm_reindex", json!({"full": true}));
    let items = &indexed["items"];
    whole("pm_reindex", &reports, &format!("indexing items: {items} of {items}"));

    let silent = http.exchange(&call(3, "pm_reindex", json!({})));
    assert_eq!(silent.header("content-type"), "application/json", "nobody asked for reports");
}

/// A message of a client that knows tasks and has a user.
fn with_user(mut message: Value) -> Value {
    let mut meta = meta();
    meta["io.modelcontextprotocol/clientCapabilities"] =
        json!({"elicitation": {"form": {}}, "extensions": {"io.modelcontextprotocol/tasks": {}}});
    message["params"]["_meta"] = meta;
    message
}

/// Asks until the task is in one of these states.
fn until(server: &mut StdioServer, task: &Value, states: &[&str]) -> Value {
    let begun = Instant::now();
    loop {
        let answer = server.ask(&with_user(request(9, "tasks/get", json!({"taskId": task}))));
        let state = answer["result"].clone();
        if states.contains(&state["status"].as_str().unwrap_or_default()) {
            return state;
        }
        assert_eq!(state["status"], "working", "{answer}");
        assert!(begun.elapsed() < PATIENCE, "still {answer}");
    }
}

#[test]
fn a_repair_asks_inside_its_task_and_does_what_the_user_chose() {
    let project = Project::small();
    let file = "tasks/demo-k3x9.toon";
    let edited = project.read(file).replacen("Retry uploads", "Repeat uploads", 1);
    project.write(file, &edited);
    let mut server = StdioServer::of(&project);
    for choice in ["decline", "accept"] {
        let begun = server.ask(&with_user(call(1, "pm_validate", json!({"fix": true}))));
        assert_eq!(begun["result"]["resultType"], "task", "{begun}");
        let task = begun["result"]["taskId"].clone();
        let question = until(&mut server, &task, &["input_required"]);
        let (key, asked) = question["inputRequests"].as_object().unwrap().iter().next().unwrap();
        let params = &asked["params"];
        assert!(params["message"].as_str().unwrap().contains("adopt_edits"), "{asked}");
        assert_eq!(project.read(file), edited, "nothing is repaired before the answer");
        let choices = params["requestedSchema"]["properties"].as_object().unwrap().keys();
        let content: Value = choices.map(|repair| (repair.clone(), json!(repair == "adopt_edits"))).collect();
        let answer = match choice {
            "accept" => json!({"action": choice, "content": content}),
            _ => json!({"action": choice}),
        };
        let update = json!({"taskId": task, "inputResponses": {key.as_str(): answer}});
        let taken = server.ask(&with_user(request(2, "tasks/update", update)));
        assert!(taken["result"].is_object(), "{taken}");
        let report = until(&mut server, &task, &["completed"])["result"]["structuredContent"].clone();
        let drift = server.ask(&call(3, "pm_validate", json!({"checks": ["history_drift"]})));
        let repaired = choice == "accept";
        assert_eq!(drift["result"]["structuredContent"]["ok"], repaired, "{choice}: {drift}");
        let fixes = report["fixes"].as_array().map_or(0, Vec::len);
        assert_eq!(fixes > 0, repaired, "{choice}: {report}");
    }
    assert_eq!(project.read(file).matches("Repeat uploads").count(), 1, "the edit was adopted");
}
