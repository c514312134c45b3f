//! Servers on one PostgreSQL, without a folder in common: a change that is made at one is heard at the other, and so is
//! how a task goes on.

use std::time::{Duration, Instant};

use pm_mcp_acceptance::{HttpServer, ListenStream, PATIENCE, Project, call, request};
use serde_json::{Value, json};

use crate::cluster::{self, Cluster, Order};
use crate::tasks::{long_histories, with_tasks};

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

/// A task that is begun at one server, polled and listened to at the other, and cancelled there.
fn share_a_task([here, there]: [&HttpServer; 2]) -> Duration {
    let answer = here.ask(&with_tasks(call(1, "pm_validate", json!({}))));
    let task = answer["result"]["taskId"].as_str().unwrap_or_else(|| panic!("no task: {answer}")).to_owned();
    let poll = |server: &HttpServer| {
        let answer = server.ask(&with_tasks(request(9, "tasks/get", json!({"taskId": task}))));
        answer["result"]["status"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    };
    assert_eq!(poll(there), "working", "the work is too short for this test");
    let mut stream = ListenStream::open(here.address(), &json!({"taskIds": [task]}));
    let begun = Instant::now();
    there.ask(&with_tasks(request(7, "tasks/cancel", json!({"taskId": task}))));
    let heard = until(&mut stream, |message| message["params"]["status"] == "cancelled");
    assert_eq!(heard["params"]["taskId"], task.as_str(), "{heard}");
    assert_eq!([poll(here), poll(there)], ["cancelled", "cancelled"]);
    begun.elapsed()
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
    let projects = [Project::small(), Project::small(), Project::paged()];
    // One server has work that takes a while.
    long_histories(&projects[2]);
    let [here, there, busy] = projects.each_ref().map(|project| HttpServer::start(project.root(), &settings));
    let filter = json!({"toolsListChanged": true, "resourceSubscriptions": [ITEM]});
    let mut stream = ListenStream::open(there.address(), &filter);
    let begun = Instant::now();
    edit(&here, "one");
    until(&mut stream, is_update);
    eprintln!("a change was heard at the other server {:.1?} after it was asked for", begun.elapsed());
    let took = share_a_task([&busy, &there]);
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
