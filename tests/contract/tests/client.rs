//! The client for tests: the same on each of the three bindings, and nothing wrong gets past it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use pm_mcp::schemars::JsonSchema;
use pm_mcp::serde::Deserialize;
use pm_mcp::{
    Change, Context, Execution, Form, Http, LocalStdio, NoArguments, Output, PromptMessage, Read, Server,
    Stdio, prompt, resource, tool,
};
use pm_mcp_contract::client::{Client, ClientError, Listing, Outcome, Reply};
use pm_mcp_domain::ident::Principal;
use pm_mcp_ports::driving::{Answer, Channel, Inbound, McpDoor, McpService, Outbox, Served};
use serde_json::{Map, Value, json};
use tokio::io::AsyncWriteExt;
use tokio::sync::Semaphore;

#[derive(Deserialize, JsonSchema, Form)]
#[serde(crate = "pm_mcp::serde")]
#[schemars(crate = "pm_mcp::schemars")]
struct Name {
    name: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(crate = "pm_mcp::serde")]
#[schemars(crate = "pm_mcp::schemars")]
struct Place {
    #[schemars(extend("x-mcp-header" = "Region"))]
    region: String,
}

/// Counts handlers that were dropped while they waited.
struct Dropped(Arc<Semaphore>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.add_permits(1);
    }
}

fn server(dropped: &Arc<Semaphore>) -> Server {
    let dropped = Arc::clone(dropped);
    Server::builder("sample", "1.0")
        .page_size(2)
        .tool(tool("greet", "Greets somebody.").handler(|ctx: Context, _: NoArguments| async move {
            let Name { name } = ctx.ask("name", Form::new("Who are you?")).await?;
            Ok(Output::text(format!("Hello, {name}!")))
        }))
        .tool(tool("place", "Tells where.").handler(|_, args: Place| async { Ok(Output::text(args.region)) }))
        .tool(tool("wait", "Waits for ever.").handler(move |ctx: Context, _: NoArguments| {
            let dropped = Dropped(Arc::clone(&dropped));
            async move {
                ctx.progress(1.0, None, "waiting");
                std::future::pending::<()>().await;
                drop(dropped);
                Ok(Output::text("never"))
            }
        }))
        .tool(tool("work", "Asks, as a task.").execution(Execution::TaskOnly).handler(
            |ctx: Context, _: NoArguments| async move {
                let Name { name } = ctx.ask("name", Form::new("For whom?")).await?;
                Ok(Output::text(name))
            },
        ))
        .volatile_tasks()
        .resource(resource("memo:a", "a").reader(|_, _| async { Ok(Read::text("the memo")) }))
        .prompt(
            prompt("write", "Writes to somebody.")
                .argument("tone", "How it sounds.")
                .complete("tone", |_, _, _| async { Ok(vec!["warm".to_owned(), "wry".to_owned()]) })
                .handler(|ctx: Context, _| async move {
                    let Name { name } = ctx.ask("name", Form::new("To whom?")).await?;
                    Ok(vec![PromptMessage::user(name)])
                }),
        )
        .build()
        .unwrap()
}

/// The three bindings, each with its name.
async fn bindings(server: &Server) -> Vec<(&'static str, Client)> {
    let (theirs, ours) = (tokio::io::duplex(64 * 1024), tokio::io::duplex(64 * 1024));
    let stdio = LocalStdio::new(Stdio::over(ours.1, theirs.1), Principal::local("test"));
    let serving = server.clone();
    tokio::spawn(async move { serving.serve(stdio).await });
    let http = Http::bind("127.0.0.1:0").listen().await.unwrap();
    let url = http.url();
    let serving = server.clone();
    tokio::spawn(async move { serving.serve(http).await });
    vec![
        ("memory", Client::memory(server.service())),
        ("stdio", Client::stdio(theirs.0, ours.0)),
        ("http", Client::http(&url)),
    ]
}

#[tokio::test]
async fn every_call_gives_the_same_on_every_binding() {
    let server = server(&Arc::new(Semaphore::new(0)));
    for (binding, client) in bindings(&server).await {
        let client = client.on("name", json!({"name": "Ann"}));
        let found = client.discover().await.unwrap();
        assert_eq!(found["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "sample", "{binding}");
        let tools = client.list(Listing::Tools).await.unwrap();
        let names: Vec<&Value> = tools.iter().map(|tool| &tool["name"]).collect();
        assert_eq!(names, ["greet", "place", "wait", "work"], "{binding}: the pages of two");
        assert_eq!(client.list(Listing::Resources).await.unwrap().len(), 1, "{binding}");
        assert_eq!(client.list(Listing::Prompts).await.unwrap().len(), 1, "{binding}");
        assert_eq!(client.list(Listing::ResourceTemplates).await.unwrap().len(), 0, "{binding}");
        let result = client.call_to_end("greet", json!({})).await.unwrap();
        assert_eq!(result.text(), "Hello, Ann!", "{binding}");
        let placed = client.call_to_end("place", json!({"region": "süd"})).await.unwrap();
        assert_eq!(placed.text(), "süd", "{binding}: the argument is repeated in a header");
        let read = client.read("memo:a").await.unwrap();
        assert_eq!(read["contents"][0]["text"], "the memo", "{binding}");
        let written = client.get_prompt("write", json!({"tone": "wry"})).await.unwrap();
        assert_eq!(written["messages"][0]["content"]["text"], "Ann", "{binding}");
        let reference = json!({"type": "ref/prompt", "name": "write"});
        let values = client.complete(reference, "tone", "w").await.unwrap();
        assert_eq!(values, ["warm", "wry"], "{binding}");
        assert_eq!(client.asked(), ["name", "name"], "{binding}");
        let refused = client.call_to_end("nothing", json!({})).await.unwrap_err();
        assert!(matches!(refused, ClientError::Refused { code: -32602, .. }), "{binding}: {refused}");
    }
}

#[tokio::test]
async fn a_call_that_is_given_up_is_cancelled_on_every_binding() {
    let dropped = Arc::new(Semaphore::new(0));
    let server = server(&dropped);
    for (binding, client) in bindings(&server).await {
        let mut call = client.start("wait", json!({})).await.unwrap();
        assert_eq!(call.progress().await.unwrap().message, "waiting", "{binding}");
        assert_eq!(dropped.available_permits(), 0, "{binding}");
        call.cancel();
        dropped.acquire().await.unwrap().forget();
        client.discover().await.unwrap();
    }
}

#[tokio::test]
async fn changes_arrive_on_every_binding_until_the_stream_is_given_up() {
    let server = server(&Arc::new(Semaphore::new(0)));
    for (binding, client) in bindings(&server).await {
        let mut stream = client.listen(json!({"resourceSubscriptions": ["memo:a"]})).await.unwrap();
        assert_eq!(stream.accepted(), &json!({"resourceSubscriptions": ["memo:a"]}), "{binding}");
        server.publish(&Change::ResourceUpdated { uri: "memo:a".into() });
        let change = stream.next().await.unwrap().unwrap();
        assert_eq!(change.method, "notifications/resources/updated", "{binding}");
        assert_eq!(change.params["uri"], "memo:a", "{binding}");
        stream.cancel();
        client.discover().await.unwrap();
    }
}

#[tokio::test]
async fn the_script_says_no_and_a_question_it_does_not_know_is_an_error() {
    let service = server(&Arc::new(Semaphore::new(0))).service();
    let declining = Client::memory(Arc::clone(&service)).on("name", Reply::Decline);
    assert!(declining.call_to_end("greet", json!({})).await.unwrap().is_error());
    let silent = Client::memory(Arc::clone(&service)).on("nmae", json!({}));
    let error = silent.call_to_end("greet", json!({})).await.unwrap_err();
    assert!(
        error.to_string().starts_with("the script does not answer `name`: add `.on(\"name\", ...)`"),
        "{error}"
    );
    let unable = Client::memory(service).declaring(json!({}));
    let error = unable.call_to_end("greet", json!({})).await.unwrap_err();
    assert!(matches!(error, ClientError::Refused { code: -32021, .. }), "{error}");
}

#[tokio::test]
async fn a_task_is_followed_by_its_notifications_on_every_binding() {
    let server = server(&Arc::new(Semaphore::new(0)));
    for (binding, client) in bindings(&server).await {
        let client = client.accepting_tasks();
        let Outcome::Task(task) = client.call_tool("work", json!({})).await.unwrap() else {
            panic!("{binding}: no task")
        };
        let mut stream = client.listen(json!({"taskIds": [task.id()]})).await.unwrap();
        assert_eq!(stream.accepted()["taskIds"], json!([task.id()]), "{binding}");
        let answers =
            Map::from_iter([("name".to_owned(), json!({"action": "accept", "content": {"name": "Ann"}}))]);
        client.update_task(task.id(), answers).await.unwrap();
        let ended = loop {
            let change = stream.next().await.unwrap().unwrap();
            assert_eq!(change.method, "notifications/tasks", "{binding}");
            if change.params["status"] == "completed" {
                break change;
            }
        };
        assert_eq!(ended.params["result"]["content"][0]["text"], "Ann", "{binding}");
        assert_eq!(client.task_to_end(task.id()).await.unwrap().text(), "Ann", "{binding}");

        let Outcome::Task(task) = client.call_tool("work", json!({})).await.unwrap() else {
            panic!("{binding}: no task")
        };
        client.cancel_task(task.id()).await.unwrap();
        let error = client.task_to_end(task.id()).await.unwrap_err();
        assert!(matches!(error, ClientError::TaskCancelled), "{binding}: {error}");
    }
}

/// Says these messages, the last as its answer, whatever it is asked.
#[derive(Debug)]
struct Says(Mutex<Vec<Value>>);

#[async_trait]
impl McpDoor for Says {
    async fn serve(&self, _inbound: Inbound<'_>, outbox: &mut dyn Outbox) -> Served {
        let mut messages = self.0.lock().unwrap().clone();
        let body = messages.pop().unwrap().to_string().into_bytes();
        for message in messages {
            outbox.send(message.to_string().into_bytes()).await.unwrap();
        }
        Served::Answered(Answer::new(200, body))
    }

    fn close(&self) {}
}

impl McpService for Says {
    fn admission(&self) -> pm_mcp::Admission {
        pm_mcp::Admission::Local
    }

    fn open(self: Arc<Self>, _channel: Channel) -> Arc<dyn McpDoor> {
        self
    }
}

#[tokio::test]
async fn what_the_revision_does_not_allow_fails_the_call() {
    let good = json!({"jsonrpc": "2.0", "id": 1, "result": {"resultType": "complete", "content": []}});
    let untyped = json!({"jsonrpc": "2.0", "id": 1, "result": {"content": []}});
    let vague = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progress": 1}});
    let made_up = json!({"jsonrpc": "2.0", "method": "notifications/hello", "params": {}});
    for (messages, allowed) in [
        (vec![good.clone()], true),
        (vec![untyped], false),
        (vec![vague, good.clone()], false),
        (vec![made_up, good], false),
    ] {
        let client = Client::memory(Arc::new(Says(Mutex::new(messages.clone()))));
        let outcome = client.call_tool("any", json!({})).await;
        match outcome {
            Ok(_) => assert!(allowed, "{messages:?}"),
            Err(ClientError::Schema(_)) => assert!(!allowed, "{messages:?}"),
            Err(other) => panic!("{other}"),
        }
    }
}

#[tokio::test]
async fn a_line_that_belongs_to_no_request_fails_the_call() {
    let (theirs, mut ours) = tokio::io::duplex(1024);
    let client = Client::stdio(theirs, tokio::io::sink());
    ours.write_all(b"a stray print\n").await.unwrap();
    ours.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n").await.unwrap();
    drop(ours);
    let error = client.discover().await.unwrap_err();
    assert!(error.to_string().contains("belongs to no request: a stray print"), "{error}");
}

/// Answers each request for a page with the next cursor of a row; the last one for ever.
#[derive(Debug)]
struct Pages(Mutex<Vec<Value>>);

#[async_trait]
impl McpDoor for Pages {
    async fn serve(&self, inbound: Inbound<'_>, _outbox: &mut dyn Outbox) -> Served {
        let request: Value = serde_json::from_slice(inbound.bytes).unwrap();
        let mut row = self.0.lock().unwrap();
        let cursor = if row.len() > 1 { row.remove(0) } else { row[0].clone() };
        let tool = json!({"name": "any", "inputSchema": {"type": "object"}});
        let mut result =
            json!({"resultType": "complete", "tools": [tool], "ttlMs": 0, "cacheScope": "private"});
        match cursor {
            Value::Number(from) => {
                let page = request["params"]["cursor"].as_str().map_or(0, |page| page.parse().unwrap());
                if page + 1 < from.as_u64().unwrap() {
                    result["nextCursor"] = json!((page + 1).to_string());
                }
            }
            Value::Bool(_) => {}
            cursor => result["nextCursor"] = cursor,
        }
        let body = json!({"jsonrpc": "2.0", "id": request["id"], "result": result});
        Served::Answered(Answer::new(200, body.to_string().into_bytes()))
    }

    fn close(&self) {}
}

impl McpService for Pages {
    fn admission(&self) -> pm_mcp::Admission {
        pm_mcp::Admission::Local
    }

    fn open(self: Arc<Self>, _channel: Channel) -> Arc<dyn McpDoor> {
        self
    }
}

/// C82.
#[tokio::test]
async fn c82_pages_are_followed_to_their_end_and_never_in_circles() {
    let list = async |row: Vec<Value>| {
        let client = Client::memory(Arc::new(Pages(Mutex::new(row))));
        client.list(Listing::Tools).await.map(|entries| entries.len())
    };
    let end = json!(false);
    assert_eq!(list(vec![json!(""), end.clone()]).await.unwrap(), 2, "an empty cursor is followed");
    assert_eq!(list(vec![json!("a"), json!("b"), end.clone()]).await.unwrap(), 3);
    for row in [
        vec![json!("")],
        vec![json!("a"), json!("a"), end.clone()],
        vec![json!("a"), json!("b"), json!("a"), end],
    ] {
        let error = list(row.clone()).await.unwrap_err();
        assert!(matches!(error, ClientError::CursorRepeated(_)), "{row:?}: {error}");
    }
    match list(vec![Value::Null]).await {
        Ok(entries) => assert_eq!(entries, 1, "null ends the list"),
        Err(ClientError::Schema(_)) => {}
        Err(other) => panic!("{other}"),
    }
    assert_eq!(list(vec![json!(500)]).await.unwrap(), 500);
    let error = list(vec![json!(1_000)]).await.unwrap_err();
    assert!(matches!(error, ClientError::Endless(500)), "{error}");
    let patient = Client::memory(Arc::new(Pages(Mutex::new(vec![json!(1_000)])))).page_limit(1_000);
    assert_eq!(patient.list(Listing::Tools).await.unwrap().len(), 1_000);
}
