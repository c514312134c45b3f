//! A whole stdio session: bytes in, bytes out (field cases C12, C14, C56).

use std::collections::BTreeMap;

use pm_mcp::{Change, Context, NoArguments, Output, Server, Stdio, tool};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, duplex, split};

use crate::support::{Peer, stage};

fn server() -> Server {
    let (builder, _clock) = stage();
    builder
        .tool(tool("quick", "Answers.").handler(|_, _: NoArguments| async { Ok(Output::text("quick")) }))
        .tool(tool("late", "Answers a little later.").handler(|_, _: NoArguments| async {
            tokio::task::yield_now().await;
            Ok(Output::text("late"))
        }))
        .tool(tool("never", "Never answers.").handler(|_: Context, _: NoArguments| std::future::pending()))
        .build()
        .unwrap()
}

fn cancel(id: u64) -> String {
    let message = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
    format!("{message}\n")
}

#[tokio::test]
async fn ten_thousand_random_steps_give_each_request_one_answer_or_none() {
    let server = server();
    let peer = Peer::stdio(&server);
    let line = |id: u64, tool: &str| {
        format!("{}\n", peer.request(id, "tools/call", json!({"name": tool, "arguments": {}})))
    };
    let (near, far) = duplex(4 << 10);
    let (reader, writer) = split(far);
    let session = {
        let server = server.clone();
        tokio::spawn(async move { server.serve(Stdio::over(reader, writer)).await })
    };
    let (output, mut input) = split(near);

    let mut seed = 0x0728_2026_u64;
    let mut draw = move |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    let mut tools: BTreeMap<u64, &str> = BTreeMap::new();
    let mut steps = Vec::new();
    for id in 0..10_000 {
        match draw(4) {
            0 => steps.push(cancel(draw(12_000))),
            kind => {
                let tool = match kind {
                    1 => "quick",
                    2 => "late",
                    _ => "never",
                };
                tools.insert(id, tool);
                steps.push(line(id, tool));
                if draw(2) == 0 {
                    steps.push(cancel(id));
                }
            }
        }
    }
    // More of them are open by now than may run at once; the cancellations get through all the same.
    steps.extend(tools.iter().filter(|(_, tool)| **tool == "never").map(|(id, _)| cancel(*id)));
    steps.push(line(20_000, "quick"));
    let writing = tokio::spawn(async move {
        for step in steps {
            input.write_all(step.as_bytes()).await.unwrap();
        }
        input.shutdown().await.unwrap();
    });
    let mut said = String::new();
    BufReader::new(output).read_to_string(&mut said).await.unwrap();
    writing.await.unwrap();
    session.await.unwrap().unwrap();

    let mut answers: BTreeMap<u64, usize> = BTreeMap::new();
    for line in said.lines() {
        let answer: Value = serde_json::from_str(line).unwrap();
        assert!(answer.get("result").is_some(), "{answer}");
        *answers.entry(answer["id"].as_u64().unwrap()).or_default() += 1;
    }
    assert!(answers.values().all(|count| *count == 1), "a request was answered twice");
    assert!(
        answers.keys().all(|id| tools.get(id) != Some(&"never")),
        "a request without an end was answered"
    );
    assert!(answers.contains_key(&20_000), "the session is usable afterwards");
    assert!(answers.len() > 1_000);
}

#[tokio::test]
async fn streams_end_with_their_result_when_the_session_is_shut_down_and_unread_requests_do_not_keep_it() {
    let server = server();
    let peer = Peer::stdio(&server);
    let (near, far) = duplex(64 << 10);
    let (reader, writer) = split(far);
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let session = {
        let server = server.clone();
        tokio::spawn(async move {
            let stdio = Stdio::over(reader, writer);
            server.serve_until(stdio, async move { stopped.await.unwrap() }).await
        })
    };
    let (output, mut input) = split(near);
    let mut output = BufReader::new(output).lines();
    for id in [json!(5), json!("5")] {
        let listen =
            peer.request(id, "subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}));
        input.write_all(format!("{listen}\n").as_bytes()).await.unwrap();
    }
    let mut next =
        async || -> Value { serde_json::from_str(&output.next_line().await.unwrap().unwrap()).unwrap() };
    let id = |message: &Value| message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"].clone();
    for wanted in [json!(5), json!("5")] {
        let acknowledged = next().await;
        assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
        assert_eq!(id(&acknowledged), wanted);
    }
    server.publish(&Change::ToolsListChanged);
    stop.send(()).unwrap();
    let mut changed = Vec::new();
    let mut ended = Vec::new();
    for _ in 0..4 {
        let message = next().await;
        match message.get("id") {
            None => changed.push(id(&message)),
            Some(of) => {
                assert!(changed.contains(of), "the change precedes the end");
                assert_eq!(message["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"], *of);
                ended.push(of.clone());
            }
        }
    }
    assert_eq!(ended.len(), 2);
    session.await.unwrap().unwrap();
    assert!(output.next_line().await.unwrap().is_none(), "nothing follows");
}
