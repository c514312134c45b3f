//! Lines that should not be there, and lines that look so.

use std::time::{Duration, Instant};

use pm_mcp_acceptance::{Binary, HttpRequest, HttpServer, Project, StdioServer, call, request, run_to_end};
use serde_json::{Value, json};

fn list(id: i64) -> Value {
    request(id, "tools/list", json!({}))
}

#[test]
fn c01_a_line_that_is_not_json_is_one_error_without_an_id() {
    let mut stdio = StdioServer::of(&Project::small());
    stdio.write(b"not json\n");
    stdio.send(&request(1, "server/discover", json!({})));
    let error = stdio.receive();
    assert_eq!(error["error"]["code"], -32700);
    assert_eq!(error.get("id"), None, "{error}");
    let discovered = stdio.receive();
    assert_eq!(discovered["id"], 1);
    assert!(discovered["result"]["supportedVersions"].is_array(), "{discovered}");
    let ended = stdio.finish();
    assert_eq!((ended.status.code(), ended.stdout.as_str()), (Some(0), ""), "nothing else was written");
}

#[test]
fn c02_a_byte_order_mark_is_passed_over_before_a_line_and_kept_in_a_text() {
    let mut stdio = StdioServer::of(&Project::small());
    for id in 1..4 {
        stdio.expect_answer(id, "tools/list");
        stdio.write(format!("\u{FEFF}{}\n", list(id)).as_bytes());
        let answer = stdio.receive();
        assert!(answer["id"] == id && answer["result"].is_object(), "{answer}");
    }
    let marked = stdio.ask(&call(4, "pm_get", json!({"id": "\u{FEFF}demo-zzzz"})));
    let text = marked["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains('\u{FEFF}'), "the mark inside a value belongs to it: {text}");
}

#[test]
fn c03_bytes_that_are_not_utf_8_are_refused_and_never_replaced() {
    let mut stdio = StdioServer::of(&Project::small());
    stdio.write(b"\xFF\xFE\n");
    assert_eq!(stdio.receive()["error"]["code"], -32700);
    assert!(stdio.ask(&list(1))["result"].is_object());
    let line = call(2, "pm_search", json!({"query": "cafX"})).to_string().into_bytes();
    let bad: Vec<u8> = line.iter().map(|byte| if *byte == b'X' { 0xE9 } else { *byte }).collect();
    stdio.write(&bad);
    stdio.write(b"\n");
    let refused = stdio.receive();
    assert_eq!(refused["error"]["code"], -32700, "{refused}");
    assert!(stdio.ask(&list(3))["result"].is_object());
}

#[test]
fn c04_a_line_of_64_mib_costs_one_error_and_a_legal_one_in_pieces_is_read() {
    let mut stdio = StdioServer::of(&Project::small());
    let mib = vec![b'y'; 1 << 20];
    for _ in 0..64 {
        stdio.write(&mib);
    }
    stdio.write(b"\n");
    stdio.send(&list(1));
    assert_eq!(stdio.receive()["error"]["code"], -32600);
    assert_eq!(stdio.receive()["id"], 1);

    let mut took = [Duration::ZERO; 2];
    for (took, length) in took.iter_mut().zip([1_usize << 20, 4 << 20]) {
        let mut legal = list(2).to_string().into_bytes();
        legal.resize(length - 1, b' ');
        let begun = Instant::now();
        stdio.expect_answer(2, "tools/list");
        for piece in legal.chunks(4 << 10) {
            stdio.write(piece);
        }
        stdio.write(b"\n");
        assert!(stdio.receive()["result"].is_object());
        *took = begun.elapsed();
    }
    // Four times the length: sixteen times the time would be a second look at every byte for each piece.
    assert!(took[1] < took[0] * 12 + Duration::from_millis(500), "{took:?}");
}

#[test]
fn c05_five_lines_in_a_row_get_their_own_answers() {
    let mut stdio = StdioServer::of(&Project::small());
    let nameless = request(3, "tools/call", json!({}));
    let null = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":null}"#;
    for line in
        [request(1, "tools/dance", json!({})).to_string(), null.into(), nameless.to_string(), "[1]".into()]
    {
        stdio.write(format!("{line}\n").as_bytes());
    }
    stdio.send(&list(5));
    let answers: Vec<Value> = (0..5).map(|_| stdio.receive()).collect();
    let code = |id: Value| {
        let answer = answers.iter().find(|answer| answer.get("id").cloned().unwrap_or_default() == id);
        answer.unwrap_or_else(|| panic!("no answer to {id}: {answers:?}"))["error"]["code"].clone()
    };
    assert_eq!(
        (code(json!(1)), code(json!(2)), code(json!(3))),
        (json!(-32601), json!(-32602), json!(-32602))
    );
    assert_eq!(code(Value::Null), -32600, "a list is no request");
    assert_eq!(code(json!(5)), Value::Null, "the list is served");
    assert_eq!(stdio.finish().status.code(), Some(0));
}

#[test]
fn c06_a_batch_is_one_error_and_none_of_it_is_done() {
    let project = Project::small();
    let (mut stdio, http) = (StdioServer::of(&project), HttpServer::of(&project));
    let two = json!([list(1), list(2)]).to_string();
    for batch in [two.as_str(), "[]"] {
        stdio.write(format!("{batch}\n").as_bytes());
        let refused = stdio.receive();
        assert!(refused.is_object() && refused["error"]["code"] == -32600, "{refused}");
        let reply = HttpRequest::post(batch.into()).with("Mcp-Method", "tools/list").send(http.address());
        assert_eq!(reply.status, 400);
        assert!(reply.json().is_object() && reply.json()["error"]["code"] == -32600, "{reply:?}");
    }
    let ended = stdio.finish();
    assert_eq!(ended.stdout, "", "neither request of the batch was answered");
}

#[test]
fn c10_the_end_of_input_ends_the_process_whatever_is_open() {
    let project = Project::small();
    // A machine that is busy may take its time once, not each time.
    let is_prompt = (0..5).any(|_| {
        let ended = run_to_end(Binary::Stdio, project.root(), &[], &[]);
        assert_eq!((ended.status.code(), ended.stdout.as_str()), (Some(0), ""));
        ended.took < Duration::from_secs(1)
    });
    assert!(is_prompt, "it took a second and more, five times");

    let mut stdio = StdioServer::of(&project);
    stdio.send(&request("s", "subscriptions/listen", json!({"notifications": {"toolsListChanged": true}})));
    assert_eq!(stdio.receive()["method"], "notifications/subscriptions/acknowledged");
    stdio.send(&call(1, "pm_validate", json!({})));
    assert_eq!(children_of(stdio.id()), Vec::<String>::new(), "a helper that might be left");
    let ended = stdio.finish();
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    let ids: Vec<Value> =
        ended.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].clone()).collect();
    assert!(ids.contains(&json!("s")), "the stream ended with its result: {}", ended.stdout);
    assert!(ids.contains(&json!(1)), "the call was finished: {}", ended.stdout);
    assert!(ended.took < Duration::from_secs(20), "{ended:?}");
}

/// The processes that a process has begun, each as the system tells of it.
fn children_of(process: u32) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let told = processes.filter_map(|process| std::fs::read_to_string(process.path().join("stat")).ok());
    // The parent is the second word behind the name, which may hold anything.
    let parent = |stat: &String| stat.rsplit(')').next()?.split_whitespace().nth(1)?.parse::<u32>().ok();
    told.filter(|stat| parent(stat) == Some(process)).collect()
}
