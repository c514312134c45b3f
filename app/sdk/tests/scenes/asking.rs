//! Questions in the middle of a request (field case C59).

use pm_mcp::{
    CachePolicy, Context, Form, HandlerFault, NoArguments, OpenUrl, Output, PromptMessage, Read,
    ResourcePage, ResourceSource, Roots, Sampling, Server, ToolError, async_trait, prompt, resource,
    template, tool,
};
use serde_json::{Map, Value, json};

use crate::support::{Log, Peer, Yes, accepted, nothing, stage};

fn sampling() -> Sampling {
    let messages = json!([{"role": "user", "content": {"type": "text", "text": "?"}}]);
    Sampling(Map::from_iter([("messages".into(), messages), ("maxTokens".into(), json!(10))]))
}

/// Tools that ask one thing each, and one that asks twice and remembers.
fn server() -> Server {
    let (builder, _clock) = stage();
    builder
        .tool(tool("form", "Asks.").handler(|ctx: Context, _: NoArguments| async move {
            let Yes { ok } = ctx.ask("confirm", Form::new("Go on?")).await?;
            Ok(Output::text(format!("ok: {ok}")))
        }))
        .tool(tool("url", "Asks.").handler(|ctx: Context, _: NoArguments| async move {
            let url = OpenUrl { message: "Sign in.".to_owned(), url: "https://example.com/in".to_owned() };
            ctx.ask("sign-in", url).await?;
            Ok(Output::text("signed in"))
        }))
        .tool(tool("sampling", "Asks.").handler(|ctx: Context, _: NoArguments| async move {
            ctx.ask("model", sampling()).await?;
            Ok(Output::text("sampled"))
        }))
        .tool(tool("roots", "Asks.").handler(|ctx: Context, _: NoArguments| async move {
            Ok(Output::text(ctx.ask("roots", Roots).await?.len().to_string()))
        }))
        .tool(tool("twice", "Asks twice.").handler(|ctx: Context, _: NoArguments| async move {
            let seen = ctx.recall("rounds").and_then(|rounds| rounds.as_u64()).unwrap_or(0);
            ctx.remember("rounds", seen + 1);
            let first: Yes = ctx.ask("first", Form::new("One?")).await?;
            let second: Yes = ctx.ask("second", Form::new("Two?")).await?;
            Ok(Output::text(format!("{} {} after {seen} rounds", first.ok, second.ok)))
        }))
        .tool(tool("together", "Asks two at once.").handler(|ctx: Context, _: NoArguments| async move {
            let (a, b) =
                tokio::join!(ctx.ask("a", Form::<Yes>::new("A?")), ctx.ask("b", Form::<Yes>::new("B?")));
            Ok(Output::text(format!("{} {}", a?.ok, b?.ok)))
        }))
        .prompt(prompt("asks", "Asks.").handler(|ctx: Context, _| async move {
            let Yes { ok } = ctx.ask("confirm", Form::new("Go on?")).await?;
            Ok(vec![PromptMessage::user(format!("ok: {ok}"))])
        }))
        .resource(resource("test://asks", "asks").cache(CachePolicy::public(60_000)).reader(
            |ctx: Context, _| async move {
                let Yes { ok } = ctx.ask("confirm", Form::new("Go on?")).await?;
                Ok(Read::text(format!("ok: {ok}")))
            },
        ))
        .build()
        .unwrap()
}

fn yes() -> Value {
    accepted(json!({"ok": true}))
}

#[tokio::test]
async fn tools_prompts_and_reads_ask_and_nobody_keeps_what_came_of_it() {
    for peer in Peer::both(&server()) {
        for (method, params) in [
            ("tools/call", json!({"name": "form", "arguments": {}})),
            ("prompts/get", json!({"name": "asks"})),
            ("resources/read", json!({"uri": "test://asks"})),
        ] {
            let asked = peer.ask("q", method, params.clone()).await;
            let result = asked.result().as_object().unwrap();
            assert_eq!(result["resultType"], "input_required", "{method}");
            assert!(!result.contains_key("ttlMs") && !result.contains_key("cacheScope"), "{method}");
            let question = &result["inputRequests"]["confirm"];
            assert_eq!(question["method"], "elicitation/create");
            assert_eq!(question["params"]["mode"], "form");
            let mut params = params;
            params["requestState"] = result["requestState"].clone();
            params["inputResponses"] = json!({"confirm": yes()});
            let answered = peer.ask("r", method, params).await;
            assert_eq!(answered.result()["resultType"], "complete", "{method}");
            assert!(answered.answer().to_string().contains("ok: true"), "{method}");
            if method == "resources/read" {
                assert_eq!(answered.result()["ttlMs"], 0);
                assert_eq!(answered.result()["cacheScope"], "private");
            }
        }
    }
}

#[tokio::test]
async fn what_the_client_cannot_answer_is_not_asked() {
    let form = json!({"elicitation": {"form": {}}});
    let cases = [
        ("form", json!({}), Some(json!({"elicitation": {"form": {}}}))),
        ("form", json!({"elicitation": {"url": {}}}), Some(json!({"elicitation": {"form": {}}}))),
        ("form", json!({"elicitation": {}}), None),
        ("form", form.clone(), None),
        ("url", json!({}), Some(json!({"elicitation": {"url": {}}}))),
        ("url", form.clone(), Some(json!({"elicitation": {"url": {}}}))),
        ("url", json!({"elicitation": {"form": {}, "url": {}}}), None),
        ("sampling", form.clone(), Some(json!({"sampling": {}}))),
        ("sampling", json!({"sampling": {}}), None),
        ("roots", form, Some(json!({"roots": {}}))),
        ("roots", json!({"roots": {}}), None),
    ];
    for peer in Peer::both(&server()) {
        for (tool, capabilities, required) in &cases {
            let heard = peer.able(capabilities.clone()).call(tool, nothing()).await;
            match required {
                Some(required) => {
                    assert_eq!(heard.code(), -32021, "{tool} with {capabilities}");
                    assert_eq!(heard.status(), 400);
                    assert_eq!(&heard.error()["data"]["requiredCapabilities"], required);
                }
                None => {
                    assert_eq!(heard.result()["resultType"], "input_required", "{tool} with {capabilities}")
                }
            }
        }
    }
}

#[tokio::test]
async fn answers_that_are_missing_or_do_not_fit_are_asked_for_again_and_others_are_ignored() {
    let peer = Peer::http(&server());
    let mut state = peer.call("form", nothing()).await.state();
    for wrong in [
        json!({}),
        json!({"other": yes()}),
        json!({"confirm": {"action": "accept"}}),
        json!({"confirm": accepted(json!({"ok": "yes"}))}),
        json!({"confirm": {"action": "agree", "content": {"ok": true}}}),
        json!({"confirm": {"action": "accept", "content": [true]}}),
        json!({"confirm": 12345}),
        json!({"confirm": null}),
        json!({"confirm": {"roots": []}}),
    ] {
        let heard = peer.retry("form", nothing(), &state, wrong.clone()).await;
        assert!(heard.result()["inputRequests"]["confirm"].is_object(), "{wrong}");
        let next = heard.state();
        assert_ne!(next, state);
        state = next;
    }
    let extra = json!({"confirm": yes(), "other": yes(), "": 1, "x".repeat(1000): [null]});
    assert_eq!(peer.retry("form", nothing(), &state, extra).await.text(), "ok: true");

    for (tool, wrong, right) in [
        (
            "sampling",
            json!({"model": {"role": "assistant"}}),
            json!({"model": {
            "role": "assistant", "model": "m", "content": {"type": "text", "text": "hm"}}}),
        ),
        (
            "roots",
            json!({"roots": {"roots": [{"name": "no uri"}]}}),
            json!({"roots": {"roots": [{"uri": "file:///a"}]}}),
        ),
        ("url", json!({"sign-in": {"content": {}}}), json!({"sign-in": {"action": "accept"}})),
    ] {
        let state = peer.call(tool, nothing()).await.state();
        let state = peer.retry(tool, nothing(), &state, wrong).await.state();
        assert_eq!(
            peer.retry(tool, nothing(), &state, right).await.result()["resultType"],
            "complete",
            "{tool}"
        );
    }
}

#[tokio::test]
async fn answers_that_cannot_be_read_at_all_are_refused() {
    let peer = Peer::stdio(&server());
    let state = peer.call("form", nothing()).await.state();
    let many: Map<String, Value> = (0..65).map(|n| (n.to_string(), json!({}))).collect();
    for malformed in [json!([yes()]), json!("yes"), json!(7), Value::Object(many)] {
        let heard = peer.retry("form", nothing(), &state, malformed.clone()).await;
        assert_eq!(heard.code(), -32602, "{malformed}");
        assert!(heard.message().contains("inputResponses"), "{}", heard.message());
    }
}

#[tokio::test]
async fn a_user_who_says_no_ends_the_work_without_harm() {
    let peer = Peer::stdio(&server());
    for action in ["decline", "cancel"] {
        let state = peer.call("form", nothing()).await.state();
        let heard = peer.retry("form", nothing(), &state, json!({"confirm": {"action": action}})).await;
        assert_eq!(heard.result()["isError"], true);
        assert!(heard.text().contains("nothing was done"), "{}", heard.text());
    }
}

#[tokio::test]
async fn earlier_answers_and_what_was_remembered_travel_and_cannot_be_changed() {
    for peer in Peer::both(&server()) {
        let state = peer.call("twice", nothing()).await.state();
        let no = accepted(json!({"ok": false}));
        let heard = peer.retry("twice", nothing(), &state, json!({"first": no})).await;
        let asked: Vec<&String> = heard.result()["inputRequests"].as_object().unwrap().keys().collect();
        assert_eq!(asked, ["second"], "what was answered is not asked again");
        let state = heard.state();
        let heard = peer.retry("twice", nothing(), &state, json!({"first": yes(), "second": yes()})).await;
        assert_eq!(heard.text(), "false true after 2 rounds");
    }
}

#[tokio::test]
async fn questions_asked_together_are_answered_one_by_one() {
    let peer = Peer::http(&server());
    let heard = peer.call("together", nothing()).await;
    assert_eq!(heard.result()["inputRequests"].as_object().unwrap().len(), 2);
    let heard = peer.retry("together", nothing(), &heard.state(), json!({"b": yes()})).await;
    let asked: Vec<&String> = heard.result()["inputRequests"].as_object().unwrap().keys().collect();
    assert_eq!(asked, ["a"]);
    let heard =
        peer.retry("together", nothing(), &heard.state(), json!({"a": accepted(json!({"ok": false}))})).await;
    assert_eq!(heard.text(), "false true");
}

/// A source and a completer that try to ask.
#[derive(Debug)]
struct Curious;

#[async_trait]
impl ResourceSource for Curious {
    async fn list(&self, ctx: Context, _: Option<&str>, _: usize) -> Result<ResourcePage, HandlerFault> {
        ctx.ask("confirm", Form::<Yes>::new("May I?")).await?;
        Ok(ResourcePage { resources: Vec::new(), next: None })
    }
}

#[tokio::test]
async fn asking_where_nothing_can_be_asked_is_the_servers_fault() {
    let log = Log::start();
    let (builder, _clock) = stage();
    let server = builder
        .resource_source(Curious)
        .template(
            template("test://{name}", "named")
                .complete("name", |ctx: Context, _, _| async move {
                    ctx.ask("confirm", Form::<Yes>::new("May I?")).await?;
                    Ok(Vec::new())
                })
                .reader(|_, _| async { Ok(Read::text("")) }),
        )
        .tool(tool("waits", "Waits for nothing.").handler(|_, _: NoArguments| async {
            Err::<Output, _>(ToolError::Fault(HandlerFault::AwaitingInput))
        }))
        .build()
        .unwrap();
    for peer in Peer::both(&server) {
        let complete = json!({"ref": {"type": "ref/resource", "uri": "test://{name}"},
            "argument": {"name": "name", "value": ""}});
        for (method, params) in [
            ("resources/list", json!({})),
            ("completion/complete", complete),
            ("tools/call", json!({"name": "waits", "arguments": {}})),
        ] {
            let heard = peer.ask(1, method, params).await;
            assert_eq!(heard.code(), -32603, "{method}");
            assert_eq!(log.take("asked").len(), 1, "{method}");
        }
    }
}
