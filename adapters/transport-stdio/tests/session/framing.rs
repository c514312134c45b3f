//! Field cases C01 to C04, C07 and C08: what is a frame, and what becomes of bad ones.

use pm_mcp_domain::limit::Limit;
use pm_mcp_transport_stdio::StdioLimits;
use serde_json::json;

use crate::support::Client;

#[tokio::test]
async fn a_line_that_is_not_json_does_not_disturb_the_next() {
    let mut client = Client::start(StdioLimits::default());
    client.send("not json\n").await;
    client.request(1, "echo", json!("a")).await;
    assert_eq!(client.value().await["error"], -32700);
    assert_eq!(client.value().await["result"], "a");
}

#[tokio::test]
async fn a_byte_order_mark_is_left_to_the_service_on_every_line() {
    let mut client = Client::start(StdioLimits::default());
    for id in 1..=3 {
        client.send(format!("\u{feff}{}\n", json!({"id": id, "method": "echo", "params": "\u{feff}"}))).await;
        assert_eq!(client.value().await, json!({"id": id, "result": "\u{feff}"}));
    }
}

#[tokio::test]
async fn bytes_that_are_not_utf_8_reach_the_service_unchanged() {
    let mut client = Client::start(StdioLimits::default());
    client.send(b"\xFF\xFE\n{\"id\":1,\"method\":\"echo\",\"params\":\"\xE9\"}\n").await;
    client.request(2, "echo", json!(2)).await;
    assert_eq!(client.value().await["error"], -32700);
    assert_eq!(client.value().await["error"], -32700);
    assert_eq!(client.id().await, 2);
}

#[tokio::test]
async fn a_line_of_a_hundred_megabytes_is_one_error_and_the_next_request_is_served() {
    let mut client = Client::start(StdioLimits::default());
    let block = vec![b'x'; 1 << 20];
    for _ in 0..100 {
        client.send(&block).await;
    }
    client.send("\n").await;
    client.request(1, "echo", json!(1)).await;
    let error = client.value().await;
    assert_eq!(error["error"]["code"], -32600);
    assert!(error["error"]["message"].as_str().unwrap().contains("4194304"), "{error}");
    assert!(error.get("id").is_none());
    assert_eq!(client.id().await, 1);
}

#[tokio::test]
async fn a_frame_of_just_the_limit_is_served_in_pieces() {
    let limits = StdioLimits { max_frame_bytes: 1 << 20, ..StdioLimits::default() };
    let mut client = Client::start(limits);
    let frame = json!({"id": 1, "method": "echo", "params": "x"}).to_string();
    let text = "x".repeat((1 << 20) - frame.len() + 1);
    let frame = json!({"id": 1, "method": "echo", "params": text}).to_string();
    assert_eq!(frame.len(), 1 << 20);
    for piece in frame.as_bytes().chunks(4096) {
        client.send(piece).await;
    }
    client.send("\r\n").await;
    assert_eq!(client.value().await["result"], text);
}

#[tokio::test]
async fn a_frame_may_have_as_many_bytes_as_the_limit_and_no_more() {
    let mut client = Client::start(StdioLimits { max_frame_bytes: 100, ..StdioLimits::default() });
    let frame = json!({"id": 1, "method": "echo", "params": ""}).to_string().len();
    for (bytes, is_served) in [(99, true), (100, true), (101, false)] {
        client.request(1, "echo", json!("x".repeat(bytes - frame))).await;
        let value = client.value().await;
        assert_eq!(value.get("result").is_some(), is_served, "{bytes}: {value}");
        if !is_served {
            let message = value["error"]["message"].as_str().unwrap();
            assert!(message.contains("100 bytes (limit max_frame_bytes)"), "{message}");
        }
    }
    assert_eq!(client.script.limit_counts.read(Limit::FrameBytes), 1);
}

#[tokio::test]
async fn both_line_ends_are_read_and_only_lf_is_written() {
    let mut client = Client::start(StdioLimits::default());
    client.send("\r\n\n{\"id\":1,\"method\":\"echo\",\"params\":\"a\\r\\nb\"}\r\n").await;
    client.send("{\"id\":2,\"method\":\"echo\",\"params\":\"c\"}\n").await;
    for _ in 0..2 {
        let line = client.line().await;
        assert!(line.ends_with("}\n") && !line.contains('\r'), "{line:?}");
    }
}

#[tokio::test]
async fn unicode_separators_split_nothing_and_come_back_escaped() {
    let mut client = Client::start(StdioLimits::default());
    let text = "a\u{2028}b\u{2029}c\u{85}d";
    client.request(1, "echo", json!(text)).await;
    let line = client.line().await;
    assert!(line.contains("\\u2028"), "{line:?}");
    assert_eq!(serde_json::from_str::<serde_json::Value>(&line).unwrap()["result"], text);
}

#[tokio::test]
async fn several_frames_in_one_write_are_answered_each() {
    let mut client = Client::start(StdioLimits::default());
    let frames: String =
        (0..500).map(|id| format!("{}\n", json!({"id": id, "method": "echo", "params": id}))).collect();
    client.send(frames).await;
    for id in 0..500 {
        assert_eq!(client.id().await, id);
    }
}
