//! Servers on one PostgreSQL, without a folder in common: a change that is made at one is heard at the other, and so is
//! how a task goes on.

use std::time::{Duration, Instant};

use pm_mcp_acceptance::{HttpServer, ListenStream, PATIENCE, Project, call, request};
use serde_json::{Value, json};

use crate::cluster::{self, Cluster, Order};
use crate::tasks::with_tasks;

const ITEM: &str = "pm://items/demo-q7aa";

fn edit(server: &HttpServer, note: &str) {
    let arguments = json!({"id": "demo-q7aa", "action": "add", "kind": "note", "text": note});
    let answer = server.ask(&call(1, "pm_comments", arguments));
    assert_ne!(answer["result"]["isError"], true, "{answer}");
}

/// Reads until a message satisfies the test.
fn until(stream: &mut ListenStream, wanted: impl Fn(&Value) -> bool) -> Value {
    let begun = Instant::now();
    loop {
        let message = stream.next_event().expect("the stream goes on");
        if wanted(&message) {
            return message;
        }
        assert!(begun.elapsed() < PATIENCE, "only {message}");
    }
}

fn is_update(message: &Value) -> bool {
    message["method"] == "notifications/resources/updated" && message["params"]["uri"] == ITEM
}

/// A message of a client that knows tasks and answers questions.
fn with_forms(message: Value) -> Value {
    let mut message = with_tasks(message);
    message["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"]["elicitation"] =
        json!({"form": {}});
    message
}

/// A task that is begun at one server and asks; it is polled and cancelled at the other, which is heard at both.
fn share_a_task(servers: [&HttpServer; 2]) -> Duration {
    let [here, there] = servers;
    let answer = here.ask(&with_forms(call(1, "pm_validate", json!({"fix": true}))));
    let task = answer["result"]["taskId"].as_str().unwrap_or_else(|| panic!("no task: {answer}")).to_owned();
    let poll = |server: &HttpServer| {
        let answer = server.ask(&with_forms(request(9, "tasks/get", json!({"taskId": task}))));
        answer["result"]["status"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    };
    let begun = Instant::now();
    while poll(there) != "input_required" {
        assert!(begun.elapsed() < PATIENCE, "the task does not ask, it is {}", poll(there));
    }
    let mut streams = servers.map(|server| ListenStream::open(server.address(), &json!({"taskIds": [task]})));
    let begun = Instant::now();
    there.ask(&with_forms(request(7, "tasks/cancel", json!({"taskId": task}))));
    for stream in &mut streams {
        let heard = until(stream, |message| message["params"]["status"] == "cancelled");
        assert_eq!(heard["params"]["taskId"], task.as_str(), "{heard}");
    }
    let took = begun.elapsed();
    assert_eq!(servers.map(poll), ["cancelled", "cancelled"]);
    took
}

#[test]
fn a_change_at_one_server_is_heard_at_another_that_shares_only_the_database() {
    let bin = match cluster::programs() {
        Ok(bin) => bin,
        Err(why) => return eprintln!("SKIPPED two servers that share only a database: {why}"),
    };
    let cluster = Cluster::start(&bin);
    let url = cluster.url();
    let settings = [("PM_MCP_TASK_STORE", "postgres"), ("PM_MCP_DATABASE_URL", url.as_str())];
    let projects = [Project::small(), Project::small(), Project::small()];
    // What was edited past the tracker is to be repaired, which is asked about first.
    let item = projects[2].read("tasks/demo-q7aa.toon");
    projects[2].write("tasks/demo-q7aa.toon", &item.replacen("title: ", "title: Not ", 1));
    let [here, there, asking] =
        projects.each_ref().map(|project| HttpServer::start(project.root(), &settings));
    let filter = json!({"toolsListChanged": true, "resourceSubscriptions": [ITEM]});
    let mut stream = ListenStream::open(there.address(), &filter);
    let begun = Instant::now();
    edit(&here, "one");
    until(&mut stream, is_update);
    eprintln!("a change was heard at the other server {:.1?} after it was asked for", begun.elapsed());
    let took = share_a_task([&asking, &there]);
    eprintln!("a cancellation was heard at the other server after {took:.1?}");

    // Both lose their connections. Whoever listens is told to look again, and what comes next is heard as before.
    cluster.order(Order::Restart);
    let told = until(&mut stream, |message| message["method"] == "notifications/tools/list_changed");
    until(&mut stream, is_update);
    assert!(told["params"]["uri"].is_null());
    let begun = Instant::now();
    // The other server may be the later one to be back; then it tells a gap instead, which reads the same here.
    edit(&here, "two");
    until(&mut stream, is_update);
    eprintln!("after a restart of the database a change was heard after {:.1?}", begun.elapsed());
}
