//! Streams of changes, on a shared channel and on responses of their own (field cases C53 to C56).

use pm_mcp::{
    Change, Context, Limits, NoArguments, Output, PromptMessage, Read, Server, prompt, resource, tool,
};
use pm_mcp_engine::HubLimits;
use serde_json::{Value, json};

use crate::support::{Exchange, Peer, nothing, stage};

fn server() -> Server {
    let hub = HubLimits { streams_per_principal: 4, ..HubLimits::default() };
    stage()
        .0
        .limits(Limits { hub, ..Limits::default() })
        .tool(tool("touch", "Changes a resource.").handler(|ctx: Context, _: NoArguments| async move {
            ctx.progress(1, None, "touching");
            ctx.resource_updated("test://one");
            Ok(Output::text("touched"))
        }))
        .resource(resource("test://one", "one").reader(|_, _| async { Ok(Read::text("1")) }))
        .build()
        .unwrap()
}

async fn listen(peer: &Peer, id: impl Into<Value>, filter: Value) -> (Exchange, Value) {
    let mut stream = peer.send(peer.request(id, "subscriptions/listen", json!({"notifications": filter})));
    let acknowledged = stream.next().await;
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    (stream, acknowledged)
}

fn subscription(message: &Value) -> &Value {
    let part = if message.get("method").is_some() { "params" } else { "result" };
    &message[part]["_meta"]["io.modelcontextprotocol/subscriptionId"]
}

fn updated(uri: &str) -> Change {
    Change::ResourceUpdated { uri: uri.into() }
}

#[tokio::test]
async fn the_acknowledgement_comes_first_and_says_what_is_granted() {
    let server = server();
    for peer in Peer::both(&server) {
        for (wanted, granted) in [
            (json!({}), json!({})),
            (
                json!({"toolsListChanged": true, "promptsListChanged": true}),
                json!({"toolsListChanged": true}),
            ),
            (
                json!({"toolsListChanged": false, "resourcesListChanged": true}),
                json!({"resourcesListChanged": true}),
            ),
            (
                json!({"resourceSubscriptions": ["test://one", "test://one", "test://two"], "made-up": true}),
                json!({"resourceSubscriptions": ["test://one", "test://two"]}),
            ),
        ] {
            server.publish(&Change::ToolsListChanged);
            let (stream, acknowledged) = listen(&peer, "s", wanted.clone()).await;
            assert_eq!(acknowledged["params"]["notifications"], granted, "{wanted}");
            assert_eq!(subscription(&acknowledged), "s");
            drop(stream);
            tokio::task::yield_now().await;
        }
        for malformed in [
            json!({"toolsListChanged": 1}),
            json!({"resourceSubscriptions": "test://one"}),
            json!([]),
            json!(null),
        ] {
            let params = json!({"notifications": malformed});
            let heard = peer.ask("m", "subscriptions/listen", params).await;
            assert_eq!((heard.code(), heard.before.len()), (-32602, 0), "{malformed}");
        }
    }
}

#[tokio::test]
async fn each_stream_hears_what_it_asked_for_under_its_own_id() {
    let server = server();
    let (stdio, http) = (Peer::stdio(&server), Peer::http(&server));
    let (mut five, _) = listen(&stdio, 5, json!({"resourceSubscriptions": ["test://one"]})).await;
    let (mut text, _) = listen(&stdio, "5", json!({"toolsListChanged": true})).await;
    let (mut other, _) =
        listen(&http, 5, json!({"resourceSubscriptions": ["test://one", "test://one/below"]})).await;
    for uri in ["test://one", "test://ONE", "test://one/", "test://one/below", "test://on"] {
        server.publish(&updated(uri));
    }
    server.publish(&Change::ToolsListChanged);
    server.publish(&Change::ResourcesListChanged);

    let heard = five.next().await;
    assert_eq!((subscription(&heard), &heard["params"]["uri"]), (&json!(5), &json!("test://one")));
    let heard = text.next().await;
    assert_eq!(
        (subscription(&heard), &heard["method"]),
        (&json!("5"), &json!("notifications/tools/list_changed"))
    );
    let mut uris = Vec::new();
    for _ in 0..2 {
        uris.push(other.next().await["params"]["uri"].clone());
    }
    assert_eq!(uris, ["test://one", "test://one/below"]);
    for stream in [&mut five, &mut text, &mut other] {
        assert!(stream.waiting().is_none());
    }
    let twin = stdio.ask(5, "subscriptions/listen", json!({"notifications": {}})).await;
    assert_eq!(twin.code(), -32600, "an id in use on the channel");
    let (_, acknowledged) = listen(&http, 5, json!({})).await;
    assert_eq!(subscription(&acknowledged), 5, "equal ids of different responses do not meet");
}

#[tokio::test]
async fn handlers_and_edits_are_heard_of_and_progress_is_not() {
    let server = server();
    for (round, peer) in Peer::both(&server).into_iter().enumerate() {
        let filter = json!({"toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true,
            "resourceSubscriptions": ["test://one"]});
        let (mut stream, acknowledged) = listen(&peer, "s", filter).await;
        let params = json!({"name": "touch", "arguments": {}, "_meta": {"progressToken": "s"}});
        let heard = peer.ask(1, "tools/call", params).await;
        assert_eq!(heard.before.len(), 1, "progress goes to the request's own stream");
        let change = stream.next().await;
        assert_eq!(change["method"], "notifications/resources/updated");
        assert_eq!(change["params"]["uri"], "test://one");
        let name = format!("new-{round}");
        server
            .edit(|offer| {
                offer.add_tool(
                    tool(&*name, "New.").handler(|_, _: NoArguments| async { Ok(Output::text("new")) }),
                )
            })
            .unwrap();
        assert_eq!(stream.next().await["method"], "notifications/tools/list_changed");
        let listed = peer.ask(2, "tools/list", nothing()).await;
        assert!(listed.answer().to_string().contains(&name), "the list is new before the change is told");
        server
            .edit(|offer| {
                offer.add_prompt(
                    prompt(&*name, "New.").handler(|_, _| async { Ok(vec![PromptMessage::user("new")]) }),
                )
            })
            .unwrap();
        let granted = acknowledged["params"]["notifications"].get("promptsListChanged").is_some();
        if granted {
            assert_eq!(stream.next().await["method"], "notifications/prompts/list_changed");
        }
        assert!(stream.waiting().is_none());
    }
}

#[tokio::test]
async fn a_stream_ends_by_message_on_a_shared_channel_and_by_leaving_elsewhere() {
    let server = server();
    let (stdio, http) = (Peer::stdio(&server), Peer::http(&server));
    let one = json!({"resourceSubscriptions": ["test://one", "test://one"]});
    let (first, _) = listen(&stdio, 1, one.clone()).await;
    let (mut second, _) = listen(&stdio, 2, one.clone()).await;
    let (third, _) = listen(&http, 1, one.clone()).await;
    stdio.cancel(1).await;
    let heard = first.end().await;
    assert!(
        heard.answer.is_none() && heard.before.is_empty(),
        "a cancelled stream says nothing more: {heard:?}"
    );
    drop(third);
    tokio::task::yield_now().await;
    server.publish(&updated("test://one"));
    assert_eq!(second.next().await["params"]["uri"], "test://one");
    assert!(second.waiting().is_none(), "once, although it was listed twice");
    stdio.cancel(2).await;
    assert!(second.end().await.answer.is_none());
    server.publish(&updated("test://one"));
    let mut again = Vec::new();
    for id in 10..14 {
        again.push(listen(&http, id, one.clone()).await);
    }
    let heard = http.ask(14, "subscriptions/listen", json!({"notifications": one})).await;
    assert_eq!((heard.code(), heard.before.len()), (-32603, 0));
    assert!(
        heard.message().contains('4'),
        "places of streams that ended are free again: {}",
        heard.message()
    );
}

#[tokio::test]
async fn a_closed_door_ends_its_streams_with_their_results_and_no_others() {
    let server = server();
    let (stdio, http) = (Peer::stdio(&server), Peer::http(&server));
    let tools = json!({"toolsListChanged": true});
    let (one, _) = listen(&stdio, 5, tools.clone()).await;
    let (two, _) = listen(&stdio, "5", tools.clone()).await;
    let (mut other, _) = listen(&http, 5, tools.clone()).await;
    server.publish(&Change::ToolsListChanged);
    stdio.close();
    for (stream, id) in [(one, json!(5)), (two, json!("5"))] {
        let heard = stream.end().await;
        assert_eq!(heard.before.len(), 1, "what was published before is still told");
        assert_eq!(heard.answer()["id"], id);
        assert_eq!(subscription(heard.answer()), &id);
        assert_eq!(heard.result()["resultType"], "complete");
    }
    assert_eq!(other.next().await["method"], "notifications/tools/list_changed");
    server.publish(&Change::ToolsListChanged);
    assert_eq!(other.next().await["method"], "notifications/tools/list_changed", "other doors go on");
    http.close();
    assert_eq!(subscription(other.end().await.answer()), 5);
    for peer in [&stdio, &http] {
        let heard = peer.ask(6, "subscriptions/listen", json!({"notifications": {}})).await;
        assert_eq!(heard.code(), -32603, "nobody would end a stream that opens now");
        assert!(heard.message().contains("shutting down"), "{}", heard.message());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_update_precedes_the_end_a_thousand_times() {
    for round in 0..1_000 {
        let server = server();
        let peer = if round % 2 == 0 { Peer::stdio(&server) } else { Peer::http(&server) };
        let (stream, _) = listen(&peer, round, json!({"toolsListChanged": true})).await;
        server.publish(&Change::ToolsListChanged);
        peer.close();
        let heard = stream.end().await;
        assert_eq!(heard.before.len(), 1);
        assert_eq!(heard.before[0]["method"], "notifications/tools/list_changed");
        assert_eq!(subscription(heard.answer()), round);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_precedes_an_acknowledgement_however_much_is_published() {
    let server = server();
    let busy = {
        let server = server.clone();
        tokio::spawn(async move {
            loop {
                server.publish(&Change::ToolsListChanged);
                server.publish(&updated("test://one"));
                tokio::task::yield_now().await;
            }
        })
    };
    let (stdio, http) = (Peer::stdio(&server), Peer::http(&server));
    for _ in 0..100 {
        let (mut five, first) = listen(&stdio, 5, json!({"toolsListChanged": true})).await;
        let (mut text, second) =
            listen(&stdio, "5", json!({"resourceSubscriptions": ["test://one"], "promptsListChanged": true}))
                .await;
        let (mut other, third) = listen(&http, 5, json!({"resourceSubscriptions": ["test://one"]})).await;
        assert_eq!(
            (subscription(&first), subscription(&second), subscription(&third)),
            (&json!(5), &json!("5"), &json!(5))
        );
        assert_eq!(
            second["params"]["notifications"].get("promptsListChanged"),
            None,
            "not offered, not granted"
        );
        for (stream, id, method) in [
            (&mut five, json!(5), "notifications/tools/list_changed"),
            (&mut text, json!("5"), "notifications/resources/updated"),
            (&mut other, json!(5), "notifications/resources/updated"),
        ] {
            for _ in 0..3 {
                let heard = stream.next().await;
                assert_eq!((subscription(&heard), &heard["method"]), (&id, &json!(method)));
            }
        }
        stdio.cancel(5).await;
        stdio.cancel("5").await;
        assert!(five.end().await.answer.is_none() && text.end().await.answer.is_none());
    }
    busy.abort();
}
