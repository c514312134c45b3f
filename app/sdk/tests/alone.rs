//! A host that shares nothing with the bundled servers: a transport of its own, tokens of its own directory, and of the
//! library all that it composes them with.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use std::convert::Infallible;
use std::sync::Arc;

use pm_mcp::schemars::JsonSchema;
use pm_mcp::serde::Deserialize;
use pm_mcp::{
    Answer, Binding, CachePolicy, CacheScope, Channel, Context, Credential, Execution, Form, Grant, Inbound,
    McpDoor, McpService, NoArguments, Outbox, Output, PeerGone, PresentedToken, Principal, Read, RingSealer,
    Scopes, Served, Server, Shutdown, TimeToLive, Timestamp, TokenVerifier, Transport, VerifyError,
    async_trait, resource, tool,
};
use pm_mcp_contract::VirtualClock;
use pm_mcp_contract::client::Client;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

const RESOURCE: &str = "https://tools.example/mcp";
const ISSUER: &str = "https://login.example";

/// Knows who holds which token: `NAME-SCOPE`, nothing else.
#[derive(Debug)]
struct Directory;

#[async_trait]
impl TokenVerifier for Directory {
    async fn verify(&self, token: &PresentedToken, _: Timestamp) -> Result<Grant, VerifyError> {
        let (name, scope) =
            token.expose().split_once('-').ok_or_else(|| VerifyError::invalid("not of ours"))?;
        Ok(Grant {
            issuer: ISSUER.into(),
            subject: name.to_owned(),
            audiences: vec![RESOURCE.into()],
            scopes: Scopes::parse(scope).map_err(VerifyError::invalid)?,
            client: None,
            expires: None,
            not_before: None,
        })
    }
}

/// One message with its headers, and where what comes of it goes.
struct Letter {
    headers: Vec<(String, String)>,
    token: Option<String>,
    body: Vec<u8>,
    said: mpsc::UnboundedSender<Value>,
    answered: oneshot::Sender<Served>,
}

/// A transport that nobody else has.
struct Letterbox(mpsc::UnboundedReceiver<Letter>);

struct Said(mpsc::UnboundedSender<Value>);

#[async_trait]
impl Outbox for Said {
    async fn send(&mut self, message: Vec<u8>) -> Result<(), PeerGone> {
        self.0.send(serde_json::from_slice(&message).unwrap()).map_err(|_| PeerGone)
    }
}

impl Letter {
    async fn serve(self, door: Arc<dyn McpDoor>) {
        let stranger = Principal::local("stranger");
        let headers: Vec<(&str, &str)> =
            self.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let inbound = Inbound {
            bytes: &self.body,
            binding: Binding::Http(&headers),
            principal: &stranger,
            credential: self.token.as_deref().map_or(Credential::Absent, Credential::Bearer),
        };
        let served = door.serve(inbound, &mut Said(self.said)).await;
        self.answered.send(served).unwrap_or_default();
    }
}

#[async_trait]
impl Transport for Letterbox {
    type Error = Infallible;

    async fn serve(mut self, service: Arc<dyn McpService>, mut shutdown: Shutdown) -> Result<(), Infallible> {
        let door = service.open(Channel::PerRequest);
        loop {
            tokio::select! {
                letter = self.0.recv() => match letter {
                    Some(letter) => drop(tokio::spawn(letter.serve(Arc::clone(&door)))),
                    None => break,
                },
                () = &mut shutdown => break,
            }
        }
        door.close();
        Ok(())
    }
}

#[derive(Deserialize, JsonSchema)]
struct Deploy {
    #[schemars(extend("x-mcp-header" = "Region"))]
    region: String,
}

#[derive(Deserialize, JsonSchema, Form)]
struct Approval {
    approved: bool,
}

fn server() -> Server {
    let deploy = async |ctx: Context, args: Deploy| {
        let Approval { approved } =
            ctx.ask("confirm", Form::new(format!("Deploy to {}?", args.region))).await?;
        Ok(Output::text(if approved { "deployed" } else { "not deployed" }))
    };
    let minute = CachePolicy { ttl: TimeToLive::from_ms(60_000), scope: CacheScope::Private };
    Server::builder("alone", "1.0.0")
        .clock(Arc::new(VirtualClock::default()))
        .state_sealer(RingSealer::new(b"a key of this host, of 32 bytes or more").unwrap())
        .token_verifier(Directory)
        .resource_uri(RESOURCE)
        .issuer(ISSUER)
        .volatile_tasks()
        .tool(tool("deploy", "Deploys.").scope("deploy").handler(deploy))
        .tool(
            tool("count", "Counts.")
                .execution(Execution::Task)
                .handler(|_, _: NoArguments| async { Ok(Output::json(json!({"count": 3}))) }),
        )
        .resource(
            resource("notes://today", "today")
                .cache(minute)
                .reader(|_, _| async { Ok(Read::text("a note")) }),
        )
        .build()
        .unwrap()
}

/// What came back for one letter.
#[derive(Debug)]
struct Reply {
    status: u16,
    challenge: String,
    body: Value,
}

/// The letterbox from outside, for one holder of a token.
#[derive(Clone)]
struct Sender {
    letters: mpsc::UnboundedSender<Letter>,
    token: Option<&'static str>,
}

impl Sender {
    fn with(&self, token: &'static str) -> Self {
        Self { letters: self.letters.clone(), token: Some(token) }
    }

    fn post(
        &self,
        method: &str,
        mut params: Value,
        region: &str,
    ) -> (mpsc::UnboundedReceiver<Value>, oneshot::Receiver<Served>) {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {
                "elicitation": {}, "extensions": {"io.modelcontextprotocol/tasks": {}},
            },
        });
        let mut headers = vec![("mcp-protocol-version", "2026-07-28"), ("mcp-method", method)];
        let name = params["name"].as_str().or(params["uri"].as_str()).map(str::to_owned);
        headers.extend(name.as_deref().map(|name| ("mcp-name", name)));
        headers.extend((name.as_deref() == Some("deploy")).then_some(("mcp-param-region", region)));
        let headers = headers.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let (said, heard) = mpsc::unbounded_channel();
        let (answered, answer) = oneshot::channel();
        let token = self.token.map(str::to_owned);
        let letter = Letter { headers, token, body: body.to_string().into_bytes(), said, answered };
        self.letters.send(letter).unwrap_or_else(|_| panic!("the letterbox is shut"));
        (heard, answer)
    }

    async fn ask(&self, method: &str, params: Value) -> Reply {
        self.ask_for(method, params, "north").await
    }

    async fn ask_for(&self, method: &str, params: Value, region: &str) -> Reply {
        match self.post(method, params, region).1.await.unwrap() {
            Served::Answered(Answer { status, body, challenge, .. }) => Reply {
                status,
                challenge: challenge.map(String::from).unwrap_or_default(),
                body: serde_json::from_slice(&body).unwrap(),
            },
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_host_of_its_own_composes_all_that_the_library_has() {
    let server = server();
    let (letters, post) = mpsc::unbounded_channel();
    let serving = tokio::spawn({
        let server = server.clone();
        async move { server.serve(Letterbox(post)).await }
    });
    let stranger = Sender { letters, token: None };
    let (ann, bob) = (stranger.with("ann-deploy"), stranger.with("bob-deploy"));
    let call = |more: Value| {
        let mut params = json!({"name": "deploy", "arguments": {"region": "north"}});
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        params
    };

    // Authorization: nobody, somebody who may not, somebody who may.
    let refused = stranger.ask("tools/call", call(json!({}))).await;
    assert_eq!(refused.status, 401);
    assert!(refused.challenge.starts_with("Bearer"), "{refused:?}");
    let refused = stranger.with("eve-read").ask("tools/call", call(json!({}))).await;
    assert_eq!(refused.status, 403);
    assert!(refused.challenge.contains("scope=\"deploy\""), "{refused:?}");

    // Schemas, and headers that repeat arguments.
    let refused = ann.ask("tools/call", json!({"name": "count", "arguments": {"from": 1}})).await;
    assert_eq!(refused.body["error"]["code"], -32602, "{refused:?}");
    let refused = ann.ask_for("tools/call", call(json!({})), "south").await;
    assert_eq!((refused.status, &refused.body["error"]["code"]), (400, &json!(-32020)));

    // Continuations: sealed, and for whom they were made.
    let asked = ann.ask("tools/call", call(json!({}))).await;
    assert_eq!(asked.body["result"]["resultType"], "input_required", "{asked:?}");
    let answers = json!({"confirm": {"action": "accept", "content": {"approved": true}}});
    let retry =
        call(json!({"requestState": asked.body["result"]["requestState"], "inputResponses": answers}));
    assert_eq!(bob.ask("tools/call", retry.clone()).await.body["error"]["code"], -32602);
    let done = ann.ask("tools/call", retry).await;
    assert_eq!(done.body["result"]["content"][0]["text"], "deployed", "{done:?}");

    // Cache hints.
    let read = ann.ask("resources/read", json!({"uri": "notes://today"})).await;
    assert_eq!(
        (&read.body["result"]["ttlMs"], &read.body["result"]["cacheScope"]),
        (&json!(60_000), &json!("private"))
    );

    // Tasks, for their owner.
    let task = ann.ask("tools/call", json!({"name": "count", "arguments": {}})).await;
    assert_eq!(task.body["result"]["resultType"], "task", "{task:?}");
    let id = json!({"taskId": task.body["result"]["taskId"]});
    assert_eq!(bob.ask("tasks/get", id.clone()).await.body["error"]["code"], -32602);
    let ended = ann.ask("tasks/get", id).await;
    assert_eq!(ended.body["result"]["result"]["structuredContent"]["count"], 3, "{ended:?}");

    // Streams.
    let wanted = json!({"notifications": {"toolsListChanged": true}});
    let (mut heard, answer) = ann.post("subscriptions/listen", wanted, "north");
    assert_eq!(heard.recv().await.unwrap()["method"], "notifications/subscriptions/acknowledged");
    server
        .edit(|offer| {
            offer.remove_tool("count");
            Ok(())
        })
        .unwrap();
    assert_eq!(heard.recv().await.unwrap()["method"], "notifications/tools/list_changed");
    drop((stranger, ann, bob));
    serving.await.unwrap().unwrap();
    assert!(matches!(answer.await.unwrap(), Served::Answered(_)), "a stream ends with a result");

    // The same server for a process of this machine, whose user nobody doubts.
    let local = Client::memory(server.service()).on("confirm", json!({"approved": false}));
    let result = local.call_to_end("deploy", json!({"region": "north"})).await.unwrap();
    assert_eq!(result.text(), "not deployed");
}
