//! Tasks of the bundled servers, over the ends of their processes.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use pm_mcp_acceptance::{
    Binary, HttpServer, PATIENCE, Project, StdioServer, call, meta, request, run_to_end,
};
use serde_json::{Value, json};

/// A message of a client that knows tasks.
pub(crate) fn with_tasks(mut message: Value) -> Value {
    let mut meta = meta();
    meta["io.modelcontextprotocol/clientCapabilities"] =
        json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
    message["params"]["_meta"] = meta;
    message
}

fn get(server: &mut StdioServer, task: &str) -> Value {
    let answer = server.ask(&with_tasks(request(9, "tasks/get", json!({"taskId": task}))));
    assert!(answer["result"].is_object(), "{answer}");
    answer["result"].clone()
}

/// Asks until the task has ended.
fn ended(server: &mut StdioServer, task: &str) -> Value {
    let begun = Instant::now();
    loop {
        let found = get(server, task);
        if !["working", "input_required"].contains(&found["status"].as_str().unwrap()) {
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "still {found}");
    }
}

fn begin(server: &mut StdioServer, tool: &str) -> String {
    let answer = server.ask(&with_tasks(call(1, tool, json!({}))));
    assert_eq!(answer["result"]["resultType"], "task", "{answer}");
    answer["result"]["taskId"].as_str().unwrap().to_owned()
}

/// Histories that take a while to check.
pub(crate) fn long_histories(project: &Project) {
    let line = project.read("history/demo-q7aa.jsonl");
    for number in 100..160 {
        project.write(&format!("history/demo-f{number}.jsonl"), &line.repeat(3_000));
    }
}

fn folder(project: &Project) -> PathBuf {
    project.file("runtime/mcp-tasks")
}

#[test]
fn a_result_outlives_its_server_and_git_never_sees_it() {
    let project = Project::small();
    let mut server = StdioServer::of(&project);
    let task = begin(&mut server, "pm_health");
    let result = ended(&mut server, &task);
    assert_eq!(result["status"], "completed", "{result}");
    drop(server);
    let mut next = StdioServer::of(&project);
    assert_eq!(get(&mut next, &task), result);
    assert_eq!(std::fs::read_to_string(folder(&project).join(".gitignore")).unwrap(), "*\n");
}

#[test]
fn a_finished_task_reads_the_same_to_the_byte_once_its_server_was_killed() {
    for store in ["fs", "sled"] {
        let project = Project::small();
        let settings = [("PM_MCP_TASK_STORE", store)];
        let server = HttpServer::start(project.root(), &settings);
        let begun = server.ask(&with_tasks(call(1, "pm_health", json!({}))));
        let task = begun["result"]["taskId"].as_str().unwrap_or_else(|| panic!("{begun}"));
        let get = with_tasks(request(9, "tasks/get", json!({"taskId": task})));
        let began = Instant::now();
        while server.ask(&get)["result"]["status"] != "completed" {
            assert!(began.elapsed() < PATIENCE, "{store}: it does not end");
        }
        let before = server.exchange(&get).body;
        // Dropping it kills the process at once.
        drop(server);
        let next = HttpServer::start(project.root(), &settings);
        let after = next.exchange(&get).body;
        assert!(after == before, "{store}: {}", String::from_utf8_lossy(&after));
    }
}

#[test]
fn a_task_whose_server_was_killed_says_to_start_again() {
    for store in ["fs", "sled"] {
        let project = Project::paged();
        long_histories(&project);
        let settings = [("PM_MCP_TASK_STORE", store)];
        let mut server = StdioServer::start(project.root(), &settings);
        let task = begin(&mut server, "pm_validate");
        // Dropping it kills the process at once.
        drop(server);
        let mut next = StdioServer::start(project.root(), &settings);
        // The next one need not wait for the lease: it sees that the other one is gone.
        let found = get(&mut next, &task);
        assert_eq!(found["status"], "failed", "{store}: {found}");
        let message = found["error"]["message"].as_str().unwrap();
        assert!(message.contains("stopped before the task ended") && message.contains("start"), "{message}");
        assert_eq!(get(&mut next, &task), found, "{store}: the end of a task changed");
    }
}

#[test]
fn a_task_that_waited_for_an_answer_when_its_server_was_killed_says_to_start_again() {
    for store in ["fs", "sled"] {
        let project = Project::small();
        // What was edited past the tracker is to be repaired, which is asked about first.
        let item = project.read("tasks/demo-q7aa.toon");
        project.write("tasks/demo-q7aa.toon", &item.replacen("title: ", "title: Not ", 1));
        let settings = [("PM_MCP_TASK_STORE", store)];
        let mut server = StdioServer::start(project.root(), &settings);
        let mut message = with_tasks(call(1, "pm_validate", json!({"fix": true})));
        message["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"]["elicitation"] =
            json!({"form": {}});
        let answer = server.ask(&message);
        let task = answer["result"]["taskId"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
        let begun = Instant::now();
        while get(&mut server, &task)["status"] != "input_required" {
            assert!(begun.elapsed() < PATIENCE, "it does not ask");
        }
        // Dropping it kills the process at once.
        drop(server);
        let mut next = StdioServer::start(project.root(), &settings);
        let found = get(&mut next, &task);
        assert_eq!(found["status"], "failed", "{store}: {found}");
        let message = found["error"]["message"].as_str().unwrap();
        assert!(message.contains("stopped before the task ended") && message.contains("start"), "{message}");
        assert_eq!(found.get("inputRequests"), None, "{store}: nobody waits for an answer");
        assert_eq!(get(&mut next, &task), found, "{store}: the end of a task changed");
    }
}

#[test]
fn a_folder_that_cannot_be_used_stops_the_start_and_memory_does_without() {
    let project = Project::small();
    std::fs::create_dir_all(folder(&project).parent().unwrap()).unwrap();
    std::fs::write(folder(&project), b"").unwrap();
    let refused = run_to_end(Binary::Stdio, project.root(), &[], &[]);
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    assert!(refused.stderr.contains("PM_MCP_TASK_STORE=memory"), "{refused:?}");
    assert!(refused.stderr.contains("runtime/mcp-tasks"), "{refused:?}");
    let mut server = StdioServer::start(project.root(), &[("PM_MCP_TASK_STORE", "memory")]);
    let task = begin(&mut server, "pm_health");
    assert_eq!(ended(&mut server, &task)["status"], "completed");
}

#[test]
fn sled_keeps_results_for_one_server_at_a_time() {
    let project = Project::small();
    let sled = [("PM_MCP_TASK_STORE", "sled")];
    let mut server = StdioServer::start(project.root(), &sled);
    let task = begin(&mut server, "pm_health");
    let result = ended(&mut server, &task);
    assert_eq!(result["status"], "completed", "{result}");
    let refused = run_to_end(Binary::Stdio, project.root(), &[], &sled);
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    assert!(refused.stderr.contains("held by another process"), "{refused:?}");
    assert!(refused.stderr.contains("runtime/mcp-tasks-sled"), "{refused:?}");
    drop(server);
    let mut next = StdioServer::start(project.root(), &sled);
    assert_eq!(get(&mut next, &task), result);
}

#[test]
fn work_in_the_foreground_is_bounded_and_names_the_extension() {
    let project = Project::paged();
    long_histories(&project);
    let mut server = StdioServer::start(project.root(), &[("PM_MCP_FOREGROUND_LIMIT_MS", "1")]);
    let begun = Instant::now();
    let answer = server.ask(&call(1, "pm_validate", json!({})));
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("foreground_limit") && text.contains("io.modelcontextprotocol/tasks"), "{text}");
    assert!(begun.elapsed() < Duration::from_secs(30), "the limit bounds nothing");
}

#[test]
fn a_request_that_takes_too_long_is_told_the_limit() {
    let project = Project::paged();
    long_histories(&project);
    let mut server = StdioServer::start(project.root(), &[("PM_MCP_REQUEST_MS", "1")]);
    let answer = server.ask(&call(1, "pm_validate", json!({})));
    assert_eq!(answer["error"]["code"], -32603, "{answer}");
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains("longer than 1 ms (limit request_time)"), "{message}");
}
