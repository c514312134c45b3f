//! Requests of the protocol over HTTP, authorized where the server asks for it.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use pm_mcp_authorization::{Authorizer, Refusal};
use pm_mcp_domain::authorization::{HttpUrl, Secret};
use pm_mcp_domain::header::{HeaderAnnotations, build_request_headers, usable_tools};
use pm_mcp_domain::version::PROTOCOL_VERSION;
use pm_mcp_ports::driven::{FetchMethod, FetchRequest, FetchResponse, HttpFetch};
use serde_json::{Value, json};

/// The longest answer that is read, in bytes.
const LONGEST_ANSWER: usize = 4 << 20;
/// The code that says which versions a server speaks.
const UNSUPPORTED_VERSION: i64 = -32022;

pub(crate) struct Client {
    endpoint: HttpUrl,
    fetch: Arc<dyn HttpFetch>,
    authorizer: Authorizer,
    last_id: AtomicI64,
    annotations: Mutex<BTreeMap<String, HeaderAnnotations>>,
}

impl Client {
    pub(crate) fn new(endpoint: HttpUrl, fetch: Arc<dyn HttpFetch>, authorizer: Authorizer) -> Self {
        Self { endpoint, fetch, authorizer, last_id: AtomicI64::new(0), annotations: Mutex::default() }
    }

    /// The definitions of the tools that may be called; the others are left out with a warning.
    #[expect(clippy::print_stderr, reason = "a warning")]
    pub(crate) async fn tools(&self) -> Result<Vec<Value>, Box<dyn Error>> {
        let result = self.request("tools/list", json!({})).await?;
        let listed = result.get("tools").and_then(Value::as_array).cloned().unwrap_or_default();
        let (usable, unusable) = usable_tools(&listed);
        for tool in unusable {
            eprintln!("warning: the tool {:?} is left out: {}", tool.name, tool.fault);
        }
        let known = usable.iter().map(|tool| (tool.name.clone(), tool.annotations.clone())).collect();
        *self.annotations.lock().map_err(|_| "poisoned")? = known;
        Ok(usable.into_iter().map(|tool| tool.definition).collect())
    }

    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Result<Value, Box<dyn Error>> {
        self.request("tools/call", json!({"name": tool, "arguments": arguments})).await
    }

    /// Sends a request until it is neither refused for want of authorization nor for its version; gives its result.
    pub(crate) async fn request(&self, method: &str, params: Value) -> Result<Value, Box<dyn Error>> {
        let operation = match params.get("name").and_then(Value::as_str) {
            Some(name) => format!("{method} {name}"),
            None => method.to_owned(),
        };
        let mut versions_told = false;
        loop {
            let token = self.authorizer.token().await;
            let (id, response) = self.send(method, &params, token.as_ref()).await?;
            if matches!(response.status, 401 | 403) {
                let challenges: Vec<&str> = response.header("www-authenticate").collect();
                let refusal = Refusal {
                    status: response.status,
                    challenges: &challenges,
                    token: token.as_ref(),
                    operation: &operation,
                };
                self.authorizer.refused(refusal).await?;
                continue;
            }
            self.authorizer.succeeded(&operation);
            let message = answer(&response, id)?;
            if let Some(result) = message.get("result") {
                return Ok(result.clone());
            }
            let error = message.get("error").cloned().unwrap_or_default();
            let speaks = error.pointer("/data/supported").and_then(Value::as_array);
            let speaks_ours = speaks.is_some_and(|versions| versions.contains(&json!(PROTOCOL_VERSION)));
            let unsupported = error.get("code").and_then(Value::as_i64) == Some(UNSUPPORTED_VERSION);
            if !unsupported || !speaks_ours || versions_told {
                return Err(format!("{method} ended with {error}").into());
            }
            versions_told = true;
        }
    }

    async fn send(
        &self,
        method: &str,
        params: &Value,
        token: Option<&Secret>,
    ) -> Result<(i64, FetchResponse), Box<dyn Error>> {
        let id = self.last_id.fetch_add(1, Ordering::Relaxed) + 1;
        let mut params = params.clone();
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": PROTOCOL_VERSION,
            "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}, "sampling": {}, "roots": {}},
            "io.modelcontextprotocol/clientInfo": {"name": "pm-mcp-conformance-client", "version": "1.0.0"},
        });
        let tool = params.get("name").and_then(Value::as_str).filter(|_| method == "tools/call");
        let annotations = {
            let known = self.annotations.lock().map_err(|_| "poisoned")?;
            tool.and_then(|tool| known.get(tool)).cloned().unwrap_or_default()
        };
        let mut headers = build_request_headers(method, &params, &annotations)?;
        headers.push(("Accept".to_owned(), "application/json, text/event-stream".to_owned()));
        headers.extend(token.map(|token| ("Authorization".to_owned(), format!("Bearer {}", token.expose()))));
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let body = message.to_string().into_bytes();
        let request = FetchRequest {
            method: FetchMethod::Post { content_type: "application/json", body },
            url: self.endpoint.clone(),
            headers,
            longest_body: LONGEST_ANSWER,
        };
        Ok((id, self.fetch.fetch(request).await?))
    }
}

/// The message of a response that answers the request, alone or in an event stream.
fn answer(response: &FetchResponse, id: i64) -> Result<Value, Box<dyn Error>> {
    let text = std::str::from_utf8(&response.body)?;
    let is_stream = response.header("content-type").any(|kind| kind.starts_with("text/event-stream"));
    if !is_stream {
        return serde_json::from_str(text)
            .map_err(|_| format!("status {} with {text:?}", response.status).into());
    }
    let events = text.split("\n\n").map(|event| {
        let data = event.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim_start);
        data.collect::<Vec<_>>().join("\n")
    });
    let mut messages = events.filter_map(|data| serde_json::from_str::<Value>(&data).ok());
    messages
        .find(|message| message.get("id") == Some(&json!(id)))
        .ok_or_else(|| "the stream has no answer".into())
}
