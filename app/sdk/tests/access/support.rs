//! A server that asks for tokens, and a client that shows some.

use std::sync::Arc;

use pm_mcp::{
    Answer, Binding, Channel, Credential, Grant, HandlerFault, Inbound, McpDoor, NoArguments, Outbox, Output,
    PeerGone, Principal, PromptMessage, Read, Role, Scopes, Served, Server, ServerBuilder, Timestamp,
    ToolError, async_trait, prompt, resource, template, tool,
};
use pm_mcp_contract::VirtualClock;
use pm_mcp_memory::MemoryTokenVerifier;
use serde_json::{Value, json};

pub(crate) const RESOURCE: &str = "https://tools.example/mcp";
pub(crate) const ISSUER: &str = "https://login.example/t1";
pub(crate) const METADATA: &str = "https://tools.example/.well-known/oauth-protected-resource/mcp";

/// What the tokens of these tests have in common.
pub(crate) fn grant(subject: &str, scopes: &str) -> Grant {
    Grant {
        issuer: ISSUER.to_owned(),
        subject: subject.to_owned(),
        audiences: vec![RESOURCE.to_owned()],
        scopes: Scopes::parse(scopes).unwrap(),
        client: Some("shell".to_owned()),
        expires: Some(Timestamp::from_unix_ms(600_000)),
        not_before: None,
    }
}

/// A server with some of everything, whose time stands at 100 s; `more` is said of it, too.
pub(crate) struct Stage {
    pub(crate) server: Server,
    pub(crate) tokens: Arc<MemoryTokenVerifier>,
    pub(crate) clock: VirtualClock,
}

impl Stage {
    pub(crate) fn new(more: impl FnOnce(ServerBuilder) -> ServerBuilder) -> Self {
        let (clock, tokens) = (VirtualClock::default(), Arc::new(MemoryTokenVerifier::default()));
        clock.set(Timestamp::from_unix_ms(100_000));
        for (token, subject, scopes) in [
            ("reader", "ada", "read"),
            ("writer", "ada", "read write"),
            ("only-writer", "ada", "write"),
            ("powerless", "ada", "other"),
            ("admin", "eve", "admin"),
            ("bob", "bob", "read write"),
        ] {
            tokens.issue(token, grant(subject, scopes));
        }
        let builder = offers(Server::builder("guarded", "1.0.0"))
            .clock(Arc::new(clock.clone()))
            .token_verifier(Arc::clone(&tokens))
            .resource_uri(RESOURCE)
            .issuer(ISSUER)
            .require_scope("read")
            .volatile_tasks();
        Self { server: more(builder).build().unwrap(), tokens, clock }
    }

    /// A client over HTTP without a token.
    pub(crate) fn client(&self) -> Client {
        Client {
            door: Arc::clone(&self.server.service()).open(Channel::PerRequest),
            token: None,
            tasks: false,
        }
    }

    /// A client over HTTP that shows this token.
    pub(crate) fn with(&self, token: &str) -> Client {
        Client { token: Some(token.to_owned()), ..self.client() }
    }
}

/// Some of everything: `look` needs what every request needs, `change` needs more.
fn offers(builder: ServerBuilder) -> ServerBuilder {
    let yes = |_, _: NoArguments| async { Ok::<_, ToolError>(Output::text("yes")) };
    let who = |context: pm_mcp::Context, _: NoArguments| async move {
        Ok::<_, ToolError>(Output::text(format!("{context:?} {}", context.caller().principal)))
    };
    let read = |_, _| async { Ok::<_, HandlerFault>(Read::text("yes")) };
    let suggest = |_, _, _| async { Ok::<_, HandlerFault>(vec!["yes".to_owned()]) };
    let write = |_, _| async {
        Ok::<_, HandlerFault>(vec![PromptMessage {
            role: Role::User,
            content: pm_mcp::ContentBlock::text("yes"),
        }])
    };
    builder
        .tool(tool("look", "Looks.").handler(yes))
        .tool(tool("who", "Tells who calls.").handler(who))
        .tool(tool("change", "Changes.").scope("write").handler(yes))
        .tool(
            tool("mend", "Looks, or changes with `fix`.")
                .scope_when("write", |arguments| arguments["fix"] == json!(true))
                .input_schema(json!({"type": "object", "properties": {"fix": {"type": "boolean"}}}))
                .handler(|_, _: Value| async { Ok::<_, ToolError>(Output::text("yes")) }),
        )
        .tool(
            tool("toil", "Works for long.")
                .scope("write")
                .execution(pm_mcp::Execution::TaskOnly)
                .handler(yes),
        )
        .resource(resource("doc:open", "open").reader(read))
        .resource(resource("doc:closed", "closed").scope("write").reader(read))
        .template(template("item:{id}", "item").scope("write").complete("id", suggest).reader(read))
        .prompt(
            prompt("plan", "Plans.")
                .scope("write")
                .argument("goal", "Of what.")
                .complete("goal", suggest)
                .handler(write),
        )
}

/// One client at one door.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    door: Arc<dyn McpDoor>,
    token: Option<String>,
    tasks: bool,
}

/// What it was told.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) status: u16,
    pub(crate) challenge: Option<String>,
    pub(crate) body: Value,
}

impl Told {
    pub(crate) fn code(&self) -> i64 {
        self.body["error"]["code"].as_i64().unwrap_or_else(|| panic!("no error: {self:?}"))
    }

    pub(crate) fn message(&self) -> &str {
        self.body["error"]["message"].as_str().unwrap_or_else(|| panic!("no error: {self:?}"))
    }

    pub(crate) fn result(&self) -> &Value {
        self.body.get("result").unwrap_or_else(|| panic!("no result: {self:?}"))
    }

    pub(crate) fn challenge(&self) -> &str {
        self.challenge.as_deref().unwrap_or_else(|| panic!("no challenge: {self:?}"))
    }

    /// The scopes of the challenge.
    pub(crate) fn scopes(&self) -> &str {
        self.challenge().split_once("scope=\"").map_or("", |(_, rest)| rest.split_once('"').unwrap().0)
    }

    /// The names of a list.
    pub(crate) fn names(&self, member: &str, name: &str) -> Vec<&str> {
        self.result()[member].as_array().unwrap().iter().map(|entry| entry[name].as_str().unwrap()).collect()
    }
}

impl Client {
    pub(crate) fn with_tasks(self) -> Self {
        Self { tasks: true, ..self }
    }

    pub(crate) fn request(&self, method: &str, mut params: Value) -> Value {
        let extensions = if self.tasks { json!({"io.modelcontextprotocol/tasks": {}}) } else { json!({}) };
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {"extensions": extensions},
        });
        json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
    }

    pub(crate) async fn ask(&self, method: &str, params: Value) -> Told {
        self.send(&self.request(method, params)).await.unwrap()
    }

    pub(crate) async fn call(&self, tool: &str) -> Told {
        self.ask("tools/call", json!({"name": tool})).await
    }

    /// What a message is answered with, if it is.
    pub(crate) async fn send(&self, message: &Value) -> Option<Told> {
        let credential = self.token.as_deref().map_or(Credential::Absent, Credential::Bearer);
        self.send_with(message, credential, &mut Silent).await
    }

    pub(crate) async fn send_with(
        &self,
        message: &Value,
        credential: Credential<'_>,
        outbox: &mut dyn Outbox,
    ) -> Option<Told> {
        let text = message.to_string();
        let method = message["method"].as_str().unwrap_or_default();
        let params = &message["params"];
        let name = ["name", "uri"].iter().find_map(|member| params[member].as_str());
        let mut headers = vec![("mcp-protocol-version", "2026-07-28"), ("mcp-method", method)];
        headers.extend(name.map(|name| ("mcp-name", name)));
        let principal = Principal::loopback();
        let binding = Binding::Http(&headers);
        let inbound = Inbound { bytes: text.as_bytes(), binding, principal: &principal, credential };
        match self.door.serve(inbound, outbox).await {
            Served::Answered(Answer { status, body, challenge, .. }) => Some(Told {
                status,
                challenge: challenge.map(String::from),
                body: serde_json::from_slice(&body).unwrap(),
            }),
            Served::Accepted | Served::Cancelled | Served::HandedOver => None,
        }
    }
}

/// Hears nothing before the answer.
pub(crate) struct Silent;

#[async_trait]
impl Outbox for Silent {
    async fn send(&mut self, _: Vec<u8>) -> Result<(), PeerGone> {
        Ok(())
    }
}
