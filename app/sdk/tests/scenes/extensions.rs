//! Extensions of a host's own: what discovery says of them, who may use them, and what becomes of everyone else.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use pm_mcp::schemars::JsonSchema;
use pm_mcp::serde::{Deserialize, Serialize};
use pm_mcp::{
    BuildError, Context, ExtensionEntry, ExtensionFault, ExtensionId, ExtensionUse, HandlerFault,
    Interceptor, NoArguments, Operation, Outcome, Output, Pass, Read, ResultMut, Server, ServerBuilder,
    ToolError, async_trait, extension, resource, template, tool,
};
use serde_json::{Value, json};

use crate::support::{Peer, nothing, stage};

const AUDIT: ExtensionId = ExtensionId::new("com.example/audit");
const OPEN: ExtensionId = ExtensionId::new("com.example/open");

#[derive(Deserialize, JsonSchema)]
struct Ask {
    subject: String,
    #[serde(default)]
    wrong: bool,
}

#[derive(Serialize, JsonSchema)]
struct Trail {
    subject: String,
    #[schemars(range(min = 0, max = 9))]
    entries: u32,
    level: String,
}

#[derive(Deserialize)]
struct Settings {
    level: Option<String>,
}

fn level(context: &Context) -> String {
    match context.extension(AUDIT) {
        ExtensionUse::Undeclared => "undeclared".to_owned(),
        ExtensionUse::Refused(_) => "refused".to_owned(),
        ExtensionUse::Declared(settings) => {
            let level = settings.and_then(|settings| settings.get("level")).and_then(Value::as_str);
            level.unwrap_or("none").to_owned()
        }
    }
}

fn audit() -> ExtensionEntry {
    extension(AUDIT)
        .settings(json!({"levels": ["all", "few"], "also": {"b": 1, "a": 2}}))
        .check_settings(|settings| {
            let read =
                Settings::deserialize(Value::Object(settings.clone())).map_err(|fault| fault.to_string())?;
            match read.level.as_deref() {
                None | Some("all" | "few") => Ok(()),
                Some("panic") => panic!("no such level"),
                Some(other) => Err(format!("level must be all or few, not {other}")),
            }
        })
        .method("audit/trail", |context: Context, ask: Ask| async move {
            context.progress(1, None, "looking");
            let entries = if ask.wrong { 77 } else { 3 };
            Ok::<_, HandlerFault>(Trail { subject: ask.subject, entries, level: level(&context) })
        })
        .method("audit/none", |_: Context, _: NoArguments| async { Err::<Trail, _>(HandlerFault::NotFound) })
        .method("audit/never", |_: Context, _: NoArguments| {
            std::future::pending::<Result<Trail, HandlerFault>>()
        })
}

fn builder() -> ServerBuilder {
    stage()
        .0
        .extension(audit())
        .extension(extension(OPEN).without_declaration().method(
            "open/level",
            |context: Context, _: NoArguments| async move {
                Ok::<_, HandlerFault>(json!({"level": level(&context)}))
            },
        ))
        .tool(
            tool("plain", "Adds the level where there is one.").handler(
                |context: Context, _: NoArguments| async move {
                    Ok::<_, ToolError>(Output::text(level(&context)))
                },
            ),
        )
        .tool(tool("marked", "Needs the extension.").needs_extension(AUDIT).handler(
            |context: Context, _: Ask| async move { Ok::<_, ToolError>(Output::text(level(&context))) },
        ))
        .resource(
            resource("demo://marked", "marked")
                .needs_extension(AUDIT)
                .reader(|_, _| async { Ok(Read::text("seen")) }),
        )
        .template(
            template("demo://of/{name}", "of")
                .needs_extension(AUDIT)
                .reader(|_, _| async { Ok(Read::text("seen")) }),
        )
}

fn server() -> Server {
    builder().build().unwrap()
}

fn declaring(peer: &Peer, extensions: Value) -> Peer {
    peer.able(json!({"extensions": extensions}))
}

#[tokio::test]
async fn discovery_names_every_extension_in_one_order() {
    let tasks = builder().volatile_tasks().build().unwrap();
    let other_order = stage().0.extension(extension(OPEN)).extension(audit()).build().unwrap();
    let plain = stage().0.build().unwrap();
    for (server, wanted) in [
        (
            &tasks,
            json!({
                "com.example/audit": {"levels": ["all", "few"], "also": {"b": 1, "a": 2}},
                "com.example/open": {},
                "io.modelcontextprotocol/tasks": {},
            }),
        ),
        (
            &other_order,
            json!({"com.example/audit": {"levels": ["all", "few"], "also": {"b": 1, "a": 2}}, "com.example/open": {}}),
        ),
        (&plain, Value::Null),
    ] {
        for peer in Peer::both(server) {
            let heard = peer.ask(1, "server/discover", json!({})).await;
            let offered = &heard.result()["capabilities"]["extensions"];
            assert_eq!(offered, &wanted);
            let ids: Vec<&String> = offered.as_object().into_iter().flat_map(|ids| ids.keys()).collect();
            assert!(ids.is_sorted(), "{ids:?}");
        }
    }
}

#[tokio::test]
async fn a_method_serves_whoever_declares_its_extension() {
    for peer in Peer::both(&server()) {
        let ann = declaring(&peer, json!({"com.example/audit": {"level": "few"}, "x.y/unknown": 7}));
        let heard = ann
            .ask(
                "a",
                "audit/trail",
                json!({"subject": "doors", "_meta": {"progressToken": 7, "com.example/x": 1}}),
            )
            .await;
        assert_eq!(heard.before[0]["params"]["progressToken"], 7);
        let result = heard.result();
        assert_eq!(
            (&result["resultType"], &result["subject"], &result["level"]),
            (&json!("complete"), &json!("doors"), &json!("few"))
        );
        assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "scenes");
        assert_eq!(heard.status(), 200);

        let heard = ann.ask(2, "audit/trail", json!({"subject": 7, "extra": true})).await;
        assert_eq!((heard.code(), heard.status()), (-32602, 200));
        assert!(heard.message().starts_with("invalid params: /subject: "), "{}", heard.message());
        let heard = ann.ask(3, "audit/trail", json!({"subject": "doors", "wrong": true})).await;
        assert_eq!(heard.code(), -32603, "a result that breaks its schema never leaves");
        let heard = ann.ask(4, "audit/none", json!({})).await;
        assert_eq!(heard.code(), -32602);
    }
}

#[tokio::test]
async fn without_the_declaration_everything_of_the_extension_is_refused_before_it_is_looked_at() {
    let missing = json!({"requiredCapabilities": {"extensions": {"com.example/audit": {}}}});
    for peer in Peer::both(&server()) {
        for extensions in [
            json!({}),
            json!({"com.example/audit": 7}),
            json!({"com.example/Audit": {}}),
            json!({"com.example/open": {}}),
            json!([]),
            json!(null),
        ] {
            let ann = declaring(&peer, extensions.clone());
            for (method, params) in [
                ("audit/trail", json!({"subject": "doors"})),
                ("audit/trail", json!({"subject": 7})),
                ("audit/none", json!({"surplus": 1})),
                ("tools/call", json!({"name": "marked", "arguments": {"subject": 7}})),
                ("resources/read", json!({"uri": "demo://marked"})),
                ("resources/read", json!({"uri": "demo://of/anything"})),
            ] {
                let heard = ann.ask(1, method, params).await;
                assert_eq!((heard.code(), heard.status()), (-32021, 400), "{method} with {extensions}");
                assert_eq!(heard.error()["data"], missing, "{method} with {extensions}");
            }
            assert_eq!(ann.call("plain", nothing()).await.text(), "undeclared", "{extensions}");
            let heard = ann.ask(2, "open/level", json!({})).await;
            assert_eq!(heard.result()["level"], "undeclared");
        }
    }
}

#[tokio::test]
async fn settings_of_no_use_take_the_extension_away_and_are_named_where_it_is_used() {
    for peer in Peer::both(&server()) {
        for (level, words) in [
            (json!("most"), "level must be all or few, not most"),
            (json!(7), "invalid type: integer `7`, expected a string"),
            (json!("panic"), "the server failed to check them"),
        ] {
            let ann = declaring(&peer, json!({"com.example/audit": {"level": level}}));
            for (method, params) in [
                ("audit/trail", json!({"subject": "doors"})),
                ("tools/call", json!({"name": "marked", "arguments": {"subject": "doors"}})),
                ("resources/read", json!({"uri": "demo://marked"})),
            ] {
                let heard = ann.ask(1, method, params).await;
                assert_eq!((heard.code(), heard.status()), (-32602, 400), "{method}");
                let wanted =
                    format!("the declared settings of extension com.example/audit cannot be used: {words}");
                assert_eq!(heard.message(), wanted, "{method}");
            }
            assert_eq!(ann.call("plain", nothing()).await.text(), "refused");
        }
        let ann = declaring(&peer, json!({"com.example/audit": {"level": "all", "unknown": {"deep": [1]}}}));
        assert_eq!(ann.call("plain", nothing()).await.text(), "all");
        assert_eq!(ann.call("marked", json!({"subject": "doors"})).await.text(), "all");
        let heard = ann.ask(1, "resources/read", json!({"uri": "demo://of/anything"})).await;
        assert_eq!(heard.result()["contents"][0]["text"], "seen");
        // What one request declared says nothing of the next.
        assert_eq!(peer.call("plain", nothing()).await.text(), "undeclared");
    }
}

#[tokio::test]
async fn what_no_extension_adds_stays_unknown() {
    for (server, methods) in [
        (
            server(),
            vec!["audit/other", "Audit/trail", "audit/trail/", "tasks/get", "io.modelcontextprotocol/tasks"],
        ),
        (stage().0.build().unwrap(), vec!["audit/trail", "open/level"]),
    ] {
        for peer in Peer::both(&server) {
            let ann = declaring(&peer, json!({"com.example/audit": {}, "io.modelcontextprotocol/tasks": {}}));
            for method in &methods {
                let heard = ann.ask(1, method, json!({"taskId": "a", "subject": "doors"})).await;
                assert_eq!((heard.code(), heard.status()), (-32601, 404), "{method}");
            }
        }
    }
}

/// The rungs in their order, each request failing at its own and at all that come after.
#[tokio::test]
async fn the_declaration_is_asked_for_after_the_envelope_and_before_the_parameters() {
    let server = builder().volatile_tasks().build().unwrap();
    let peer = Peer::http(&server);
    let mut request = peer.request(1, "audit/trail", json!({"subject": 7}));
    assert_eq!(peer.send(request.clone()).end().await.code(), -32021);
    request["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2031-01-01");
    assert_eq!(peer.send(request.clone()).end().await.code(), -32020, "the header says otherwise");
    request["params"]["_meta"].as_object_mut().unwrap().remove("io.modelcontextprotocol/clientCapabilities");
    assert_eq!(peer.send(request.clone()).end().await.code(), -32602, "no capabilities");
    request["method"] = json!("audit/unknown");
    assert_eq!(peer.send(request.clone()).end().await.code(), -32601);
    request["jsonrpc"] = json!("1.0");
    assert_eq!(peer.send(request).end().await.code(), -32600);
    // The engine's own extension is judged alike, though its parameters are known to the core.
    for peer in Peer::both(&server) {
        let heard = peer.ask(1, "tasks/get", json!({"taskId": 7})).await;
        assert_eq!((heard.code(), heard.status()), (-32021, 400));
        assert_eq!(peer.with_tasks().ask(1, "tasks/get", json!({"taskId": 7})).await.code(), -32602);
    }
}

#[tokio::test]
async fn a_method_is_bounded_and_cancelled_as_any_other() {
    let (builder, clock) = stage();
    let server = builder.extension(audit()).build().unwrap();
    for peer in Peer::both(&server) {
        let ann = declaring(&peer, json!({"com.example/audit": {}}));
        let waiting = ann.send(ann.request(1, "audit/never", json!({})));
        while clock.sleepers() == 0 {
            tokio::task::yield_now().await;
        }
        clock.advance(Duration::from_secs(300));
        let heard = waiting.end().await;
        assert!(
            heard.message().contains("took longer than 300000 ms (limit request_time)"),
            "{}",
            heard.message()
        );
    }
    let peer = Peer::stdio(&server);
    let ann = declaring(&peer, json!({"com.example/audit": {}}));
    let waiting = ann.send(ann.request(1, "audit/never", json!({})));
    while clock.sleepers() == 0 {
        tokio::task::yield_now().await;
    }
    ann.cancel(1).await;
    assert!(waiting.end().await.answer.is_none());
}

#[derive(Debug, Default)]
struct Probe {
    seen: Arc<Mutex<Vec<String>>>,
}

#[async_trait]
impl Interceptor for Probe {
    async fn before(&self, operation: &Operation) -> Result<Pass, HandlerFault> {
        self.seen.lock().unwrap().push(format!("before {}", operation.method.as_str()));
        Ok(Pass::new())
    }

    fn result(&self, _: &Operation, result: &mut ResultMut<'_>) -> Result<(), HandlerFault> {
        if let ResultMut::Extension(method, result) = result {
            self.seen.lock().unwrap().push(format!("result of {}", method.extension()));
            result.insert("level".to_owned(), json!("hidden"));
        }
        Ok(())
    }

    fn after(&self, _: &Operation, outcome: &Outcome, _: Duration) {
        self.seen.lock().unwrap().push(outcome.as_str().to_owned());
    }
}

#[tokio::test]
async fn interceptors_stand_around_methods_of_extensions() {
    let seen = Arc::default();
    let server = builder().interceptor(Probe { seen: Arc::clone(&seen) }).build().unwrap();
    for peer in Peer::both(&server) {
        let ann = declaring(&peer, json!({"com.example/audit": {}}));
        let heard = ann.ask(1, "audit/trail", json!({"subject": "doors"})).await;
        assert_eq!(heard.result()["level"], "hidden");
        assert_eq!(ann.ask(1, "audit/trail", json!({})).await.code(), -32602);
        let said = std::mem::take(&mut *seen.lock().unwrap());
        let wanted = [
            "before audit/trail",
            "result of com.example/audit",
            "complete",
            "before audit/trail",
            "refused",
        ];
        assert_eq!(said, wanted);
    }
}

#[test]
fn what_cannot_be_served_stops_the_build() {
    let serve = |_: Context, _: NoArguments| async { Ok::<_, HandlerFault>(json!({})) };
    let refused = |builder: ServerBuilder| builder.build().unwrap_err();
    let fault = |builder| match refused(builder) {
        BuildError::Catalogue(error) => {
            let source = std::error::Error::source(&error);
            (error.to_string(), source.is_some())
        }
        other => panic!("{other}"),
    };
    for method in ["tools/call", "tasks/get", "server/discover", "notifications/cancelled"] {
        let (words, _) = fault(stage().0.extension(extension(AUDIT).method(method, serve)));
        assert_eq!(words, ExtensionFault::ShadowsCore { extension: AUDIT, method }.to_string());
    }
    let (words, _) = fault(builder().extension(audit()));
    assert_eq!(words, ExtensionFault::Twice(AUDIT).to_string());
    let (words, _) = fault(stage().0.volatile_tasks().extension(extension(ExtensionId::TASKS)));
    assert_eq!(words, ExtensionFault::Twice(ExtensionId::TASKS).to_string());
    let marked = tool("marked", "Needs it.").needs_extension(AUDIT);
    let marked = marked.handler(|_, _: NoArguments| async { Ok::<_, ToolError>(Output::text("never")) });
    let (words, _) = fault(stage().0.tool(marked));
    assert_eq!(words, ExtensionFault::NotOffered(AUDIT).to_string());
    assert!(matches!(
        refused(stage().0.extension(extension(AUDIT).settings(json!([1])))),
        BuildError::ExtensionSettings(id) if id == AUDIT
    ));
}
