//! What nobody reads who should not: one run of everything a client can send, with a mark on all that is private, and the
//! mark is looked for in every log line, span, error, header and list.

use std::collections::BTreeSet;
use std::time::Duration;

use pm_mcp::schemars::JsonSchema;
use pm_mcp::serde::de::{Error as _, Unexpected};
use pm_mcp::serde::{Deserialize, Deserializer};
use pm_mcp::{
    AuditRecord, BaggageKeys, Context, Execution, Form, Grant, HandlerFault, Http, NoArguments, Output,
    PromptMessage, Read, Scopes, Server, ServerBuilder, ToolError, prompt, template, tool,
};
use pm_mcp_memory::MemoryTokenVerifier;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::support::{Log, Peer, accepted, nothing, stage};

/// On what turns up nowhere.
const SECRET: &str = "s3cr3t";
/// On what an answer may repeat to whoever said it, and nothing else may.
const OWN: &str = "0wn-w0rd";
/// On what only the operator reads, as the cause of a failure.
const PATH: &str = "w0rkspace";

const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Kept {
    text: String,
    #[schemars(extend("x-mcp-header" = "Region"))]
    region: Option<String>,
}

#[derive(Deserialize, JsonSchema, Form)]
struct Pin {
    #[serde(rename = "pin")]
    _pin: Digits,
    #[serde(rename = "times")]
    _times: u8,
}

#[derive(JsonSchema, Form)]
struct Digits(#[allow(dead_code, reason = "only whether it is read counts")] String);

/// Says what it got, as types do.
impl<'de> Deserialize<'de> for Digits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        match text.bytes().all(|byte| byte.is_ascii_digit()) {
            true => Ok(Self(text)),
            false => Err(D::Error::invalid_value(Unexpected::Str(&text), &"digits")),
        }
    }
}

fn server(builder: ServerBuilder) -> Server {
    let keep = tool("keep", "Keeps a text.").interceptor(AuditRecord::new());
    let unlock = async |ctx: Context, _: NoArguments| -> Result<Output, ToolError> {
        ctx.progress(1, None, format!("{OWN}-report"));
        ctx.remember("note", format!("{SECRET}-memory"));
        let _: Pin = ctx.ask("pin", Form::new("The pin?")).await?;
        let _: Pin = ctx.ask("again", Form::new("And again?")).await?;
        Ok(Output::text("open"))
    };
    builder
        .volatile_tasks()
        .baggage_keys(BaggageKeys::new(["tenant"]).unwrap())
        .tool(keep.handler(|_: Context, args: Kept| async move {
            let letters = args.text.len() + args.region.map_or(0, |region| region.len());
            Ok(Output::text(letters.to_string()))
        }))
        .tool(tool("unlock", "Asks twice.").execution(Execution::Task).handler(unlock))
        .tool(tool("break", "Breaks.").handler(|_: Context, _: NoArguments| async {
            let cause = format!("cannot read /srv/{PATH}/items.db");
            Err::<Output, _>(ToolError::Fault(HandlerFault::internal(cause)))
        }))
        .template(
            template("notes://{name}", "notes")
                .complete("name", |_, _, _| async { Ok(vec!["one".to_owned()]) })
                .reader(|_, request| async move {
                    match request.value("name").len() {
                        0..10 => Ok(Read::text("a note")),
                        _ => Err(HandlerFault::NotFound),
                    }
                }),
        )
        .prompt(prompt("write", "Writes.").required_argument("about", "What about.").handler(
            |_, arguments| async move { Ok(vec![PromptMessage::user(arguments.len().to_string())]) },
        ))
        .build()
        .unwrap()
}

/// What a client says of a request beside its parameters.
fn marked(mut params: Value) -> Value {
    params["_meta"] = json!({
        "traceparent": PARENT,
        "tracestate": format!("vendor={SECRET}-state"),
        "baggage": format!("tenant=acme,password={SECRET}-baggage"),
        "com.example/session": format!("{SECRET}-meta"),
        "progressToken": format!("{OWN}-token"),
    });
    params
}

/// One of everything that is answered at once.
fn requests() -> Vec<(&'static str, Value)> {
    let call = |name: &str, arguments: Value| ("tools/call", json!({"name": name, "arguments": arguments}));
    let secret = |what: &str| format!("{SECRET}-{what}");
    let own = |what: &str| format!("{OWN}-{what}");
    let retry = |state: String, responses: Value| {
        let params =
            json!({"name": "unlock", "arguments": {}, "requestState": state, "inputResponses": responses});
        ("tools/call", params)
    };
    vec![
        ("server/discover", json!({})),
        ("tools/list", json!({})),
        ("tools/list", json!({"cursor": secret("cursor")})),
        ("resources/templates/list", json!({})),
        ("prompts/list", json!({})),
        call("keep", json!({"text": secret("argument")})),
        call("keep", json!({"text": {"deep": secret("wrong")}})),
        call("keep", json!({"text": "", "other": secret("other")})),
        call(&own("tool"), json!({"text": secret("unknown")})),
        call("break", json!({})),
        retry(secret("no-state"), json!({"pin": secret("early")})),
        retry(secret("no-state"), json!(secret("malformed"))),
        ("prompts/get", json!({"name": "write", "arguments": {"about": secret("prompt")}})),
        ("prompts/get", json!({"name": "write", "arguments": {"about": [secret("prompt")]}})),
        ("resources/read", json!({"uri": format!("notes://{OWN}")})),
        ("resources/read", json!({"uri": format!("notes://{OWN}-that-is-not-there")})),
        ("resources/read", json!({"uri": format!("other://{OWN}")})),
        (
            "completion/complete",
            json!({"ref": {"type": "ref/resource", "uri": "notes://{name}"},
                "argument": {"name": "name", "value": secret("typed")}}),
        ),
        ("tasks/get", json!({"taskId": own("task")})),
        ("tasks/update", json!({"taskId": own("task"), "inputResponses": {"pin": secret("task")}})),
        ("tools/nothing", json!({"text": secret("method")})),
        ("initialize", json!({"clientInfo": {"name": "x", "version": secret("version")}})),
    ]
}

/// A log that was listened to from the first level to the last says nothing private.
fn assert_silent(log: &Log, states: &[String]) {
    let lines = log.take("");
    for heard in ["SPAN request", "refused a continuation", "asking again", "an operation has ended", PARENT]
    {
        assert!(lines.iter().any(|line| line.contains(heard)), "nothing is heard of {heard}: {lines:#?}");
    }
    for line in &lines {
        assert!(!line.contains(SECRET) && !line.contains(OWN), "{line}");
        assert!(!states.iter().any(|state| line.contains(state)), "{line}");
        assert!(!line.contains(PATH) || line.starts_with("ERROR"), "{line}");
    }
}

/// An answer says nothing private; whoever sent the request may read its own words.
fn assert_discreet(answer: &str) {
    assert!(!answer.contains(SECRET) && !answer.contains(PATH), "{answer}");
}

fn pin(pin: &str, times: Value) -> Value {
    accepted(json!({"pin": pin, "times": times}))
}

/// The answers to the first question: of no use one after the other, then a good one.
fn answers() -> [Value; 4] {
    let secret = format!("{SECRET}-pin");
    [json!(secret), pin("1", json!(secret)), pin(&secret, json!(1)), pin("1234", json!(1))]
}

#[tokio::test]
async fn what_is_private_shows_in_no_log_span_error_or_list() {
    let log = Log::start();
    let server = server(stage().0);
    let mut states = Vec::new();
    for peer in Peer::both(&server) {
        for (method, params) in requests() {
            let plain = peer.with_tasks().ask(1, method, params.clone()).await;
            let heard = peer.with_tasks().ask(1, method, marked(params)).await;
            assert_discreet(&heard.answer().to_string());
            // What may be kept for others is the same for whoever asks with whatever.
            if method.ends_with("/list") || method == "server/discover" {
                assert_eq!(plain.answer(), heard.answer(), "{method}");
            }
        }

        // Rounds: every answer is asked for again until one fits; then the next question is asked.
        let params = |more: Value| {
            let mut params = marked(json!({"name": "unlock", "arguments": {}}));
            params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            params
        };
        let mut heard = peer.ask(1, "tools/call", params(json!({}))).await;
        for answer in answers() {
            states.push(heard.state());
            let more = json!({"requestState": heard.state(), "inputResponses": {"pin": answer}});
            let answered = peer.ask(2, "tools/call", params(more)).await;
            if answered.answer().get("error").is_some() {
                assert_discreet(&answered.answer().to_string());
                heard = peer.ask(1, "tools/call", params(json!({}))).await;
                continue;
            }
            heard = answered;
            assert_discreet(&heard.answer().to_string());
        }
        let asked = heard.result()["inputRequests"].as_object().unwrap();
        assert!(asked.contains_key("again"), "{asked:?}");
        let used = json!({"requestState": states[states.len() - 2], "inputResponses": {}});
        assert_discreet(&peer.ask(2, "tools/call", params(used)).await.answer().to_string());

        // A task, which its owner answers.
        let owner = peer.with_tasks();
        let id = owner.start("unlock", nothing()).await;
        for answer in answers() {
            let asked =
                owner.task(&id).await.result()["inputRequests"].as_object().cloned().unwrap_or_default();
            let Some(key) = asked.keys().next() else { break };
            owner.update(&id, json!({key: answer})).await;
            assert_discreet(&owner.task(&id).await.answer().to_string());
        }
        assert_discreet(&owner.cancel_task(&id).await.answer().to_string());

        let gone = json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
            "params": {"requestId": 9, "reason": format!("{SECRET}-reason")}});
        peer.send(gone).end().await;
        let note = json!({"jsonrpc": "2.0", "method": "notifications/other", "params": {"note": SECRET}});
        peer.send(note).end().await;

        let wanted = json!({"notifications": {"resourceSubscriptions": [format!("notes://{OWN}")]}});
        let mut stream = peer.send(peer.request("s", "subscriptions/listen", wanted));
        stream.next().await;
    }
    assert_silent(&log, &states);
}

/// One exchange on a connection of its own: all that came back, head and body.
async fn post(url: &str, headers: &[(&str, String)], body: &str) -> (String, String) {
    let address = url.strip_prefix("http://").unwrap();
    let (host, path) = address.split_once('/').unwrap();
    let mut head = format!(
        "POST /{path}?token={SECRET}-query HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\
         content-type: application/json\r\naccept: application/json, text/event-stream\r\ncontent-length: {}\r\n",
        body.len()
    );
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    let mut stream = TcpStream::connect(host).await.unwrap();
    stream.write_all(format!("{head}\r\n{body}").as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let answer = String::from_utf8(answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_ascii_lowercase(), body.to_owned())
}

/// Asks for tokens.
fn protected(verifier: MemoryTokenVerifier) -> ServerBuilder {
    let builder = stage().0.token_verifier(verifier);
    builder.resource_uri("https://tools.example/mcp").issuer("https://login.example")
}

/// Knows the token.
fn knowing() -> MemoryTokenVerifier {
    let verifier = MemoryTokenVerifier::default();
    let grant = Grant {
        issuer: "https://login.example".into(),
        subject: "ann".into(),
        audiences: vec!["https://tools.example/mcp".into()],
        scopes: Scopes::default(),
        client: None,
        expires: None,
        not_before: None,
    };
    verifier.issue(&format!("{SECRET}-token"), grant);
    verifier
}

#[tokio::test]
async fn what_is_private_shows_in_no_header_and_nothing_may_be_stored() {
    headers_are_discreet(stage().0, None).await;
}

#[tokio::test]
async fn no_token_shows_anywhere_whether_it_is_good_or_not() {
    let unreachable = MemoryTokenVerifier::default();
    unreachable.set_unavailable(true);
    for (builder, status) in [
        (protected(knowing()), 200),
        (protected(knowing()).require_scope("more"), 403),
        (protected(MemoryTokenVerifier::default()), 401),
        (protected(unreachable), 503),
    ] {
        headers_are_discreet(builder, Some(status)).await;
    }
}

/// Everything over HTTP, where some answer has the given status.
async fn headers_are_discreet(builder: ServerBuilder, status: Option<u16>) {
    let log = Log::start();
    let server = server(builder);
    let http = Http::bind("127.0.0.1:0").listen().await.unwrap();
    let url = http.url();
    let serving = tokio::spawn(async move { server.serve(http).await });
    let writer = Peer::http(&stage().0.build().unwrap());

    let mut exchanges = Vec::new();
    for (method, params) in requests() {
        let name = params["name"].as_str().or(params["uri"].as_str()).map(str::to_owned);
        exchanges.push((method, name, writer.request(1, method, marked(params)).to_string()));
    }
    let unlock = marked(json!({"name": "unlock", "arguments": {}}));
    exchanges.push((
        "tools/call",
        Some("unlock".into()),
        writer.request(1, "tools/call", unlock).to_string(),
    ));
    exchanges.push(("tools/call", Some("keep".into()), format!("{{\"{SECRET}\": ")));
    for region in ["north", SECRET] {
        let params = marked(json!({"name": "keep", "arguments": {"text": "", "region": region}}));
        exchanges.push((
            "tools/call",
            Some("keep".into()),
            writer.request(1, "tools/call", params).to_string(),
        ));
    }

    let mut statuses = BTreeSet::new();
    for (method, name, body) in exchanges {
        let mut headers = vec![
            ("mcp-protocol-version", "2026-07-28".to_owned()),
            ("mcp-method", method.to_owned()),
            ("authorization", format!("Bearer {SECRET}-token")),
            ("cookie", format!("session={SECRET}-cookie")),
            ("baggage", format!("tenant=acme,password={SECRET}-header")),
            ("traceparent", PARENT.to_owned()),
            ("mcp-param-region", format!("{SECRET}-region")),
            ("x-session", format!("{SECRET}-header")),
        ];
        headers.extend(name.map(|name| ("mcp-name", name)));
        for extra in
            [None, Some(("last-event-id", format!("{SECRET}-event"))), Some(("mcp-name", OWN.to_owned()))]
        {
            let mut headers = headers.clone();
            headers.extend(extra);
            let (head, answer) = post(&url, &headers, &body).await;
            statuses.extend(head.split(' ').nth(1).and_then(|status| status.parse::<u16>().ok()));
            assert_discreet(&head);
            assert!(!head.contains(OWN), "{head}");
            assert_discreet(&answer);
            assert!(head.contains("no-store") && !head.contains("etag"), "{head}");
        }
    }
    serving.abort();
    assert!(status.is_none_or(|status| statuses.contains(&status)), "{status:?} is not among {statuses:?}");
    let lines = log.take("");
    if status.is_none_or(|status| status == 200) {
        assert!(lines.iter().any(|line| line.contains("SPAN request")), "{lines:#?}");
    }
    for line in &lines {
        assert!(!line.contains(SECRET) && !line.contains(OWN), "{line}");
    }
    tokio::time::timeout(Duration::from_secs(5), serving).await.unwrap().unwrap_err();
}
