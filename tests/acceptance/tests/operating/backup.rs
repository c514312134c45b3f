//! A dump of the database, and what is there after it was restored.

use std::path::Path;
use std::process::Command;
use std::sync::atomic::Ordering;

use pm_mcp_acceptance::{Project, call, request};
use serde_json::json;

use crate::cluster::{self, Cluster};
use crate::load::{Client, Tally, with_tasks};
use crate::workers::{settings, value_of, worker};

fn run(bin: &Path, program: &str, arguments: &[&str]) {
    // Where the server's programs are only linked to, the others lie beside what is linked.
    let initdb = bin.join("initdb").canonicalize().unwrap();
    let done = Command::new(initdb.with_file_name(program)).args(arguments).output().unwrap();
    assert!(done.status.success(), "{program}: {}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn tasks_are_there_after_a_dump_was_restored() {
    let bin = match cluster::programs() {
        Ok(bin) => bin,
        Err(why) => return eprintln!("SKIPPED a dump of the database: {why}"),
    };
    let cluster = Cluster::start(&bin);
    let project = Project::paged();
    let url = cluster.url();
    let settings = settings(&url, &project);
    let token = value_of(&settings, "PM_MCP_HTTP_BEARER_TOKEN");
    let tally = Tally::default();
    let server = worker(&project, &settings, None);
    let client = Client { to: server.address(), token, tally: &tally };
    let begun = client.ask(&with_tasks(call(1, "pm_health", json!({}))));
    let poll = with_tasks(request(2, "tasks/get", json!({"taskId": begun["result"]["taskId"]})));
    let ended = loop {
        let found = client.ask(&poll);
        if found["result"]["status"] != "working" {
            break found;
        }
    };
    assert_eq!(ended["result"]["status"], "completed", "{ended}");

    let folder = tempfile::tempdir().unwrap();
    let dump = folder.path().join("dump");
    let dump = dump.to_str().unwrap();
    run(&bin, "pg_dump", &["-Fc", "-n", "pm_mcp", "-d", &url, "-f", dump]);
    assert!(server.terminate().status.success());
    run(&bin, "psql", &["-q", "-d", &url, "-c", "DROP SCHEMA pm_mcp CASCADE"]);
    run(&bin, "pg_restore", &["-d", &url, dump]);

    let server = worker(&project, &settings, None);
    let client = Client { to: server.address(), token, tally: &tally };
    assert_eq!(client.ask(&poll), ended);
    client.round();
    assert_eq!(tally.again.load(Ordering::Relaxed), 0);
}
