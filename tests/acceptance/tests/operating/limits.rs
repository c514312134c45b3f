//! What operators see of a reader that takes nothing any more: the limit that it reached, by its name, in the scrape and in
//! the log, while its neighbour hears everything.

use std::time::Instant;

use pm_mcp_acceptance::{HttpServer, ListenStream, PATIENCE, Project, call};
use serde_json::{Value, json};

const ITEM: &str = "pm://items/demo-q7aa";

/// Goes back to the reader with each change, so that a few of them are more than a connection takes for one who does not read.
fn long_id() -> String {
    "x".repeat(60_000)
}

fn edit(server: &HttpServer, number: usize) {
    let arguments =
        json!({"id": "demo-q7aa", "action": "add", "kind": "note", "text": format!("note {number}")});
    let answer = server.ask(&call(1, "pm_comments", arguments));
    assert_ne!(answer["result"]["isError"], true, "{answer}");
}

fn hears(reader: &mut ListenStream) {
    let message: Value = reader.next_event().expect("the stream goes on");
    assert_eq!(message["params"]["uri"], ITEM, "{message}");
}

#[test]
fn a_scrape_names_the_limit_for_which_a_reader_was_dropped() {
    const AN_HOUR: &str = "3600000";
    const MANY: &str = "1000000";
    for (limit, entries, bytes, write_ms, ended) in [
        ("write_deadline", MANY, MANY, "300", "abandoned"),
        ("queue_entries", "1", MANY, AN_HOUR, "queue_overflow"),
        ("queue_bytes", MANY, "200", AN_HOUR, "queue_overflow"),
    ] {
        let project = Project::small();
        let server = HttpServer::start(
            project.root(),
            &[
                ("PM_MCP_METRICS_ADDR", "127.0.0.1:0"),
                ("PM_MCP_STREAM_ID_BYTES", "100000"),
                ("PM_MCP_STREAM_QUEUE_ENTRIES", entries),
                ("PM_MCP_STREAM_QUEUE_BYTES", bytes),
                ("PM_MCP_STREAM_WRITE_MS", write_ms),
            ],
        );
        let two = json!({"resourceSubscriptions": [ITEM, format!("{ITEM}/history")]});
        let unread = ListenStream::open_as(&long_id(), server.address(), &two);
        let mut read = ListenStream::open(server.address(), &json!({"resourceSubscriptions": [ITEM]}));
        let counted = format!(r#"pm_mcp_limit_reached_total{{limit="{limit}"}}"#);
        let (begun, mut number) = (Instant::now(), 0);
        let page = loop {
            edit(&server, number);
            hears(&mut read);
            number += 1;
            let page = server.measures();
            if page.contains(&format!("{counted} 1\n")) {
                break page;
            }
            assert!(page.contains(&format!("{counted} 0\n")), "{page}");
            assert!(begun.elapsed() < PATIENCE, "{number} changes were taken");
        };
        let reached = page.lines().filter(|line| line.starts_with("pm_mcp_limit_reached_total{"));
        let reached: Vec<&str> = reached.filter(|line| !line.ends_with(" 0")).collect();
        assert_eq!(reached, [format!("{counted} 1")]);
        // A connection is counted when it is given up, and takes its streams along right after.
        let ended = format!("pm_mcp_streams_ended_total{{reason=\"{ended}\"}} 1\n");
        let mut page = page;
        while !page.contains(&ended) || !page.contains("pm_mcp_streams_open 1\n") {
            assert!(begun.elapsed() < PATIENCE, "{ended} is missing:\n{page}");
            page = server.measures();
        }
        edit(&server, number);
        hears(&mut read);
        drop(unread);
        let log = server.terminate().stderr;
        assert!(log.contains(&format!("(limit {limit})")), "{log}");
    }
}
