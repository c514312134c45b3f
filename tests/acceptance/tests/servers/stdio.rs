//! What only a process on pipes can show.

use std::time::Duration;

use pm_mcp_acceptance::{Binary, Project, StdioServer, call, request, run_to_end};
use serde_json::{Value, json};

#[test]
fn the_end_of_input_ends_the_server_well() {
    let project = Project::small();
    let ended = run_to_end(Binary::Stdio, project.root(), &[], &[]);
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    assert_eq!(ended.stdout, "");
    let mut stdio = StdioServer::of(&project);
    assert!(stdio.ask(&request(1, "server/discover", json!({})))["result"].is_object());
    let ended = stdio.finish();
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    assert_eq!(ended.stdout, "");
    assert!(ended.took < Duration::from_secs(10), "{ended:?}");
}

#[test]
fn a_signal_ends_the_server_well_while_its_input_is_open() {
    let mut stdio = StdioServer::of(&Project::small());
    assert!(stdio.ask(&request(1, "server/discover", json!({})))["result"].is_object());
    let ended = stdio.terminate();
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    assert_eq!(ended.stdout, "");
}

#[test]
fn what_was_asked_before_the_end_of_input_is_answered() {
    let mut stdio = StdioServer::of(&Project::paged());
    stdio.send(&call(1, "pm_validate", json!({})));
    stdio.send(&call(2, "pm_search", json!({"query": "filler"})));
    // The last line may lack its end.
    stdio.write(request(3, "tools/list", json!({})).to_string().as_bytes());
    let ended = stdio.finish();
    let mut ids: Vec<i64> = ended
        .stdout
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .inspect(|answer| assert!(answer["result"].is_object(), "{answer}"))
        .map(|answer| answer["id"].as_i64().unwrap())
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, [1, 2, 3]);
    assert_eq!(ended.status.code(), Some(0));
}

#[test]
fn nothing_but_frames_is_written_at_the_most_verbose_level() {
    let project = Project::small();
    let mut stdio = StdioServer::start(project.root(), &[("PM_MCP_LOG", "trace")]);
    stdio.write(b"not json\n");
    assert_eq!(stdio.receive()["error"]["code"], -32700);
    // The reader of the harness refuses any line that is no frame.
    for message in [
        call(1, "pm_get", json!({"id": "demo-zzzz"})),
        call(2, "pm_next", json!({})),
        request(3, "resources/read", json!({"uri": "pm://items/demo-k3x9"})),
        request(4, "no/such/method", json!({})),
        call(5, "pm_search", json!({"query": "wordsofacaller"})),
    ] {
        stdio.ask(&message);
    }
    let ended = stdio.finish();
    assert_eq!(ended.stdout, "");
    assert!(!ended.stderr.is_empty(), "what is logged goes to standard error");
    assert!(
        !ended.stderr.contains("wordsofacaller"),
        "arguments are nobody else's business: {}",
        ended.stderr
    );
    assert_eq!(ended.status.code(), Some(0));
}

#[test]
fn notifications_get_no_answer() {
    let mut stdio = StdioServer::of(&Project::small());
    stdio.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}}));
    stdio.send(&json!({"jsonrpc": "2.0", "method": "notifications/made-up"}));
    let ended = stdio.finish();
    assert_eq!(ended.stdout, "");
    assert_eq!(ended.status.code(), Some(0));
}

#[test]
fn line_ends_and_byte_order_marks_do_not_matter() {
    let mut stdio = StdioServer::of(&Project::small());
    let good = request(1, "tools/list", json!({}));
    for line in [
        format!("\u{FEFF}{good}\n"),
        format!("{good}\r\n"),
        format!("\n\r\n{good}\n"),
        format!("\u{FEFF}{good}\n"),
    ] {
        stdio.expect_answer(1, "tools/list");
        stdio.write(line.as_bytes());
        assert!(stdio.receive()["result"].is_object());
    }
}

#[test]
fn a_quick_request_does_not_wait_for_a_slow_one() {
    let mut stdio = StdioServer::of(&Project::paged());
    // Both lines are there before the first answer; the calls that search and validate run beside one another.
    let slow: String = (0..40).map(|id| format!("{}\n", call(id, "pm_validate", json!({})))).collect();
    let quick = request("quick", "tools/list", json!({}));
    stdio.write(slow.as_bytes());
    for id in 0..40 {
        stdio.expect_answer(id, "tools/call");
    }
    stdio.send(&quick);
    let answers: Vec<Value> = (0..41).map(|_| stdio.receive()).collect();
    assert!(answers.iter().all(|answer| answer["result"].is_object()));
    let place = answers.iter().position(|answer| answer["id"] == "quick").unwrap();
    assert!(place < 40, "the quick request was answered last of all");
}

#[test]
fn letters_beyond_ascii_come_back_whole_and_bad_bytes_are_refused() {
    let mut stdio = StdioServer::of(&Project::small());
    let found = stdio.ask(&call(1, "pm_search", json!({"query": "café"})));
    assert_eq!(found["result"]["structuredContent"]["hits"][0]["item"]["title"], "Ship the café menu");
    let mut bad = call(2, "pm_search", json!({"query": "cafX"})).to_string().into_bytes();
    let place = bad.windows(4).position(|window| window == b"cafX").unwrap() + 3;
    bad[place] = 0xE9;
    stdio.write(&bad);
    stdio.write(b"\n");
    assert_eq!(stdio.receive()["error"]["code"], -32700);
    let separators = "a\u{2028}b\u{2029}c\u{85}d";
    let missing = stdio.ask(&call(3, "pm_get", json!({"id": separators})));
    assert_eq!(missing["result"]["isError"], true, "{missing}");
}
