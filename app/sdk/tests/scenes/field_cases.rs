//! Situations that tools of hosts meet in practice, by their numbers in `tests/acceptance/field-cases.json`.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use pm_mcp::schemars::JsonSchema;
use pm_mcp::serde::{Deserialize, Serialize};
use pm_mcp::{BuildError, ErrorCode, Execution, HandlerFault, NoArguments, Output, Server, ToolError, tool};
use serde_json::{Value, json};

use crate::support::{Peer, nothing, stage};

#[tokio::test]
async fn c34_codes_of_handlers_have_the_status_that_the_revision_gives_them() {
    let mut builder = stage().0;
    let codes = [(-32_020, 400), (-32_021, 400), (-32_022, 400), (-31_999, 200)];
    for (code, _) in codes {
        let raise = move |_, _: NoArguments| async move {
            let (code, message, data) = (ErrorCode(code), "as told".to_owned(), None);
            Err::<Output, _>(ToolError::Fault(HandlerFault::Protocol { code, message, data }))
        };
        builder = builder.tool(tool(format!("raise{code}"), "Raises.").handler(raise));
    }
    let server = builder.build().unwrap();
    for (code, status) in codes {
        let heard = Peer::http(&server).call(&format!("raise{code}"), nothing()).await;
        assert_eq!((heard.code(), heard.status()), (code, status));
        assert_eq!(heard.answer()["id"], 1);
        assert_eq!(Peer::stdio(&server).call(&format!("raise{code}"), nothing()).await.code(), code);
    }
}

#[tokio::test]
async fn c31_a_handler_that_fails_runs_once() {
    let runs = Arc::new(AtomicUsize::new(0));
    let mut builder = stage().0;
    for name in ["fail", "fail-too", "failing"] {
        let runs = Arc::clone(&runs);
        builder = builder.tool(tool(name, "Fails.").handler(move |_, _: NoArguments| {
            runs.fetch_add(1, Ordering::Relaxed);
            async { Err::<Output, _>(ToolError::Fault(HandlerFault::NotFound)) }
        }));
    }
    let server = builder.build().unwrap();
    for peer in Peer::both(&server) {
        runs.store(0, Ordering::Relaxed);
        assert!(peer.call("fail", nothing()).await.answer().get("error").is_some());
        assert_eq!(runs.load(Ordering::Relaxed), 1);
    }
}

/// Members that a caller may leave out, in every way that Rust has for it.
#[derive(Serialize, Deserialize, JsonSchema, Debug)]
struct Optional {
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    names: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inner: Option<Inner>,
    size: u64,
}

#[derive(Serialize, Deserialize, JsonSchema, Debug)]
struct Inner {
    #[serde(skip_serializing_if = "Option::is_none")]
    deep: Option<bool>,
}

#[tokio::test]
async fn c65_optional_arguments_may_be_absent_or_null() {
    let echo = tool("echo", "Echoes.").handler(|_, args: Optional| async move { Ok(Output::json(args)) });
    let server = stage().0.tool(echo).build().unwrap();
    let peer = Peer::http(&server);
    for arguments in [
        json!({"size": 1}),
        json!({"size": 1, "count": null, "names": null, "inner": null}),
        json!({"size": 1, "inner": {"deep": null}}),
        json!({"size": 1, "inner": {}}),
    ] {
        let heard = peer.call("echo", arguments.clone()).await;
        let echoed = &heard.result()["structuredContent"];
        assert_eq!((&echoed["size"], echoed.get("count")), (&json!(1), None), "{arguments}");
    }
    for arguments in [json!({"size": -1}), json!({"size": 1, "count": -1}), json!({"size": null}), json!({})]
    {
        assert_eq!(peer.call("echo", arguments.clone()).await.code(), -32602, "{arguments}");
    }
    let listed = peer.ask(1, "tools/list", nothing()).await;
    let again = peer.ask(1, "tools/list", nothing()).await;
    assert_eq!(listed.result(), again.result());
    let schema = &listed.result()["tools"][0]["inputSchema"];
    assert_eq!(schema["required"], json!(["size"]), "{schema}");
}

#[tokio::test]
async fn c65_a_profile_shows_no_list_of_types_and_takes_the_same_arguments() {
    let echo = || tool("echo", "Echoes.").handler(|_, args: Optional| async move { Ok(Output::json(args)) });
    let server = stage().0.single_type_schemas().tool(echo()).build().unwrap();
    // Tools that come later are shown alike.
    server
        .edit(|offer| {
            offer.remove_tool("echo");
            offer.add_tool(echo())
        })
        .unwrap();
    let peer = Peer::http(&server);
    for arguments in [
        json!({"size": 1}),
        json!({"size": 1, "count": null, "names": null, "inner": null}),
        json!({"size": 1, "inner": {"deep": null}}),
    ] {
        let echoed = peer.call("echo", arguments.clone()).await.result()["structuredContent"].clone();
        assert_eq!((&echoed["size"], echoed.get("count")), (&json!(1), None), "{arguments}");
    }
    let schema = peer.ask(1, "tools/list", nothing()).await.result()["tools"][0]["inputSchema"].clone();
    let text = schema.to_string();
    assert!(!text.contains("\"type\":[") && !text.contains("\"null\""), "{text}");
    assert_eq!(schema["properties"]["count"]["type"], "integer", "{text}");
    assert_eq!(schema["required"], json!(["size"]), "{text}");
}

#[tokio::test]
async fn c85_what_is_too_large_is_refused_whole_and_never_cut() {
    let limit = pm_mcp::TaskSettings::default().limits.result_bytes;
    let large = move |_, _: NoArguments| async move { Ok(Output::text("é🙂".repeat(limit / 6 + 1))) };
    let server = stage()
        .0
        .volatile_tasks()
        .tool(tool("large", "Large.").execution(Execution::TaskOnly).handler(large))
        .tool(
            tool("signs", "Signs.")
                .handler(|_, _: NoArguments| async { Ok(Output::text("e\u{301}🙂\"\\")) }),
        )
        .build()
        .unwrap();
    let peer = Peer::stdio(&server).with_tasks();
    assert_eq!(peer.call("signs", nothing()).await.text(), "e\u{301}🙂\"\\");
    let id = peer.start("large", nothing()).await;
    let task = loop {
        let task = peer.task(&id).await.result().clone();
        if task["status"] != "working" {
            break task;
        }
        tokio::task::yield_now().await;
    };
    assert_eq!(task["status"], "failed");
    let said = task["error"]["message"].as_str().unwrap();
    assert!(said.contains(&limit.to_string()), "the limit is named: {said}");
    assert_eq!(task.get("result"), None, "nothing of it is shown");
}

#[tokio::test]
async fn c50_no_poll_ever_sees_half_an_end() {
    let fails = |_, args: Choice| async move {
        tokio::task::yield_now().await;
        match args.fails {
            true => Err(ToolError::Fault(HandlerFault::NotFound)),
            false => Ok(Output::text("done")),
        }
    };
    let server = stage()
        .0
        .volatile_tasks()
        .tool(tool("end", "Ends.").execution(Execution::TaskOnly).handler(fails))
        .build()
        .unwrap();
    let peer = Peer::http(&server).with_tasks();
    let (mut polls, mut seen) = (0, [0_usize; 3]);
    for round in 0..1_000 {
        let id = peer.start("end", json!({"fails": round % 2 == 1})).await;
        loop {
            polls += 1;
            let task = peer.task(&id).await.result().clone();
            let (result, error) = (task.get("result").is_some(), task.get("error").is_some());
            let (place, whole) = match task["status"].as_str().unwrap() {
                "working" => (0, !result && !error),
                "completed" => (1, result && !error),
                "failed" => (2, error && !result),
                other => panic!("a task that is {other}: {task}"),
            };
            assert!(whole, "{task}");
            seen[place] += 1;
            if place > 0 {
                break;
            }
            tokio::task::yield_now().await;
        }
    }
    assert_eq!((seen[1], seen[2]), (500, 500), "{polls} polls");
}

#[derive(Deserialize, JsonSchema)]
struct Choice {
    fails: bool,
}

#[tokio::test]
async fn c92_polls_in_a_hurry_change_nothing_and_tell_the_pause() {
    let server = stage()
        .0
        .volatile_tasks()
        .tool(tool("wait", "Waits.").execution(Execution::TaskOnly).handler(
            |ctx: pm_mcp::Context, _: NoArguments| async move {
                ctx.cancelled().await;
                Ok(Output::text("cancelled"))
            },
        ))
        .build()
        .unwrap();
    let peer = Peer::http(&server).with_tasks();
    let id = peer.start("wait", nothing()).await;
    let first: Value = peer.task(&id).await.result().clone();
    assert!(first["pollIntervalMs"].as_u64().unwrap() > 0, "{first}");
    for _ in 0..1_000 {
        assert_eq!(*peer.task(&id).await.result(), first);
    }
    peer.cancel_task(&id).await;
}

/// A server with one tool, which answers the value that it is called with, or only a text.
fn promising(output_schema: &Value) -> Server {
    let mirror = tool("mirror", "Gives back what it gets.")
        .input_schema(json!({"type": "object"}))
        .output_schema(output_schema.clone())
        .handler(|_, arguments: Value| async move {
            Ok(match arguments.get("value") {
                Some(value) => Output::json(value),
                None => Output::text("null"),
            })
        });
    stage().0.tool(mirror).build().unwrap()
}

#[tokio::test]
async fn c66_what_fits_the_output_schema_is_sent_as_data_and_text_and_nothing_else_leaves_as_a_success() {
    for (schema, fitting, others) in [
        (
            json!({"type": "array", "items": {"type": "integer"}}),
            vec![json!([]), json!([1, 2])],
            vec![json!(["a"]), json!({}), json!(null)],
        ),
        (json!({"type": "string"}), vec![json!(""), json!("é \"🙂\"")], vec![json!(1), json!(null)]),
        (
            json!({"type": ["object", "null"]}),
            vec![json!({"a": null}), json!(null)],
            vec![json!(1), json!([])],
        ),
    ] {
        let server = promising(&schema);
        for peer in Peer::both(&server) {
            for value in &fitting {
                let heard = peer.call("mirror", json!({"value": value})).await;
                let result = heard.result();
                assert_eq!(result.get("structuredContent"), Some(value), "{schema}");
                assert_ne!(result["isError"], true, "{result}");
                let text: Value = serde_json::from_str(heard.text()).unwrap();
                assert_eq!(text, *value, "{schema}");
            }
            for value in &others {
                let heard = peer.call("mirror", json!({"value": value})).await;
                assert_eq!(heard.code(), -32603, "{schema} {value}");
                assert_eq!(heard.answer().get("result"), None, "{schema} {value}");
            }
            // No value at all is not the value null, also where null would do.
            let heard = peer.call("mirror", nothing()).await;
            assert_eq!(heard.code(), -32603, "{schema}");
        }
    }
}

#[test]
fn c84_names_that_no_tool_has_and_names_taken_twice_stop_the_build() {
    let named =
        |name: &str| tool(name, "Echoes.").handler(|_, _: NoArguments| async { Ok(Output::text("")) });
    let (longest, longer) = ("x".repeat(128), "x".repeat(129));
    for name in ["a/b", "a b", "é", "", "a:b", "a\u{0}", &longer] {
        let refused = stage().0.tool(named(name)).build().unwrap_err();
        assert!(refused.to_string().contains(&format!("tool name {name:?} is not usable")), "{refused}");
    }
    for name in ["a.b", "A-b_9", &longest] {
        stage().0.tool(named(name)).build().unwrap();
    }
    let twice = stage().0.tool(named("echo")).tool(named("echo")).build().unwrap_err();
    assert!(twice.to_string().contains("tool \"echo\" is registered twice"), "{twice}");
    stage().0.tool(named("echo")).tool(named("Echo")).build().unwrap();
}

#[test]
fn c84_a_profile_takes_only_names_that_every_client_takes() {
    let named =
        |name: &str| tool(name, "Echoes.").handler(|_, _: NoArguments| async { Ok(Output::text("")) });
    let (longest, longer) = ("x".repeat(64), "x".repeat(65));
    for name in ["a.b", ".", &longer] {
        let refused = stage().0.strict_tool_names().tool(named(name)).build().unwrap_err();
        assert!(matches!(refused, BuildError::StrictToolName(ref of) if of == name), "{refused}");
        assert!(refused.to_string().contains("1 to 64 characters"), "{refused}");
        let server = stage().0.strict_tool_names().build().unwrap();
        let refused = server.edit(|offer| offer.add_tool(named(name))).unwrap_err();
        assert!(matches!(refused, BuildError::StrictToolName(_)), "also of what comes later: {refused}");
    }
    let server = stage().0.strict_tool_names().tool(named("A-b_9")).tool(named(&longest)).build();
    assert!(server.is_ok());
}

#[tokio::test]
async fn c84_a_name_in_other_letters_is_another_tool() {
    let echo = tool("echo", "Echoes.").handler(|_, _: NoArguments| async { Ok(Output::text("")) });
    let server = stage().0.tool(echo).build().unwrap();
    for peer in Peer::both(&server) {
        for name in ["Echo", "ECHO", "echo-", "ech"] {
            assert_eq!(peer.call(name, nothing()).await.code(), -32602, "{name:?}");
        }
        assert_eq!(peer.call("echo", nothing()).await.text(), "");
    }
}
