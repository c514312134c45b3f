//! The calls, typed.

use std::collections::{BTreeMap, BTreeSet};

use pm_mcp_domain::header::collect_header_annotations;
use pm_mcp_domain::request::Method;
use pm_mcp_domain::wire::{PeerRevision, ResultKind};
use serde_json::{Map, Value, json};

use crate::lock::lock;

use super::call::Call;
use super::error::ClientError;
use super::outcome::{Outcome, TaskView, ToolResult};
use super::request::Listing;
use super::session::Client;

/// A handler that asks more often than this asks without end.
const ROUNDS: usize = 64;

impl Client {
    /// What the server offers and who it is.
    ///
    /// # Errors
    ///
    /// As [`Call::end`].
    pub async fn discover(&self) -> Result<Value, ClientError> {
        self.request("server/discover", json!({})).await
    }

    /// All entries of a list, page by page: all of them or an error, never a part. A cursor is followed whatever it is, an
    /// empty one too, and `null` is as good as none.
    ///
    /// # Errors
    ///
    /// As [`Call::end`], [`ClientError::CursorRepeated`] when a page leads back to one that was read, and
    /// [`ClientError::Endless`] when there are more pages than [`page_limit`](Self::page_limit).
    pub async fn list(&self, listing: Listing) -> Result<Vec<Value>, ClientError> {
        let (mut entries, mut params) = (Vec::new(), json!({}));
        let mut followed = BTreeSet::new();
        for _ in 0..self.pages {
            let mut page = self.request(listing.method(), params).await?;
            if let Some(Value::Array(found)) = page.get_mut(listing.member()).map(Value::take) {
                entries.extend(found);
            }
            match page.get("nextCursor") {
                None | Some(Value::Null) => return Ok(entries),
                Some(cursor) => {
                    if !followed.insert(cursor.to_string()) {
                        return Err(ClientError::CursorRepeated(cursor.to_string()));
                    }
                    params = json!({"cursor": cursor});
                }
            }
        }
        Err(ClientError::Endless(self.pages))
    }

    /// Calls a tool with one request and says what that ended with; nothing is answered by the script.
    ///
    /// # Errors
    ///
    /// As [`Call::end`].
    pub async fn call_tool(&self, name: &str, arguments: Value) -> Result<Outcome, ClientError> {
        let result = self.start(name, arguments).await?.end().await?;
        outcome("tools/call", result)
    }

    /// Sends the request for a tool, for a test that acts while it is under way.
    ///
    /// # Errors
    ///
    /// As [`send`](Self::send).
    pub async fn start(&self, name: &str, arguments: Value) -> Result<Call, ClientError> {
        self.learn_headers().await?;
        self.send("tools/call", json!({"name": name, "arguments": arguments}))
    }

    /// Calls a tool and goes on until its result is there: answers what it asks from the script, in as many rounds as it
    /// takes, and waits for its task where it becomes one.
    ///
    /// # Errors
    ///
    /// As [`Call::end`]; [`ClientError::Unanswered`] when the script lacks an answer; [`ClientError::TaskFailed`] and
    /// [`ClientError::TaskCancelled`] when a task ended so.
    pub async fn call_to_end(&self, name: &str, arguments: Value) -> Result<ToolResult, ClientError> {
        self.learn_headers().await?;
        let result = self.rounds("tools/call", json!({"name": name, "arguments": arguments})).await?;
        match outcome("tools/call", result)? {
            Outcome::Complete(result) => Ok(result),
            Outcome::Task(task) => self.task_to_end(task.id()).await,
            Outcome::InputRequired { .. } => Err(ClientError::Endless(ROUNDS)),
        }
    }

    /// Reads a resource; what its handler asks is answered from the script.
    ///
    /// # Errors
    ///
    /// As [`call_to_end`](Self::call_to_end).
    pub async fn read(&self, uri: &str) -> Result<Value, ClientError> {
        self.rounds("resources/read", json!({"uri": uri})).await
    }

    /// Gets a prompt; what its handler asks is answered from the script. `arguments` is an object of strings.
    ///
    /// # Errors
    ///
    /// As [`call_to_end`](Self::call_to_end).
    pub async fn get_prompt(&self, name: &str, arguments: Value) -> Result<Value, ClientError> {
        self.rounds("prompts/get", json!({"name": name, "arguments": arguments})).await
    }

    /// Completes an argument of a prompt (`{"type": "ref/prompt", "name": ...}`) or of a resource template
    /// (`{"type": "ref/resource", "uri": ...}`), and gives the values.
    ///
    /// # Errors
    ///
    /// As [`Call::end`].
    pub async fn complete(
        &self,
        reference: Value,
        argument: &str,
        value: &str,
    ) -> Result<Vec<Value>, ClientError> {
        let params = json!({"ref": reference, "argument": {"name": argument, "value": value}});
        let mut result = self.request("completion/complete", params).await?;
        match result.pointer_mut("/completion/values").map(Value::take) {
            Some(Value::Array(values)) => Ok(values),
            _ => Ok(Vec::new()),
        }
    }

    /// Sends a request again and again, with the answers of the script to what it asks.
    async fn rounds(&self, method: &str, mut params: Value) -> Result<Value, ClientError> {
        for _ in 0..ROUNDS {
            let result = self.request(method, params.clone()).await?;
            let Outcome::InputRequired { requests, state } = outcome(method, result.clone())? else {
                return Ok(result);
            };
            let answers = self.answers(&requests)?;
            if let Some(params) = params.as_object_mut() {
                params.insert("inputResponses".to_owned(), Value::Object(answers));
                params.remove("requestState");
                params.extend(state.map(|state| ("requestState".to_owned(), Value::String(state))));
            }
        }
        Err(ClientError::Endless(ROUNDS))
    }

    /// Where arguments are repeated in headers, the tools have to be known before they are called.
    async fn learn_headers(&self) -> Result<(), ClientError> {
        if !self.has_headers() || lock(&self.annotations).is_some() {
            return Ok(());
        }
        let mut annotations = BTreeMap::new();
        for tool in self.list(Listing::Tools).await? {
            let name = tool.get("name").and_then(Value::as_str).unwrap_or_default();
            if let Some(Ok(found)) = tool.get("inputSchema").map(collect_header_annotations) {
                annotations.insert(name.to_owned(), found);
            }
        }
        *lock(&self.annotations) = Some(annotations);
        Ok(())
    }
}

/// The server speaks the current revision, so every result says what it is.
fn outcome(method: &str, result: Value) -> Result<Outcome, ClientError> {
    let method = Method::parse(method)
        .ok_or_else(|| ClientError::OtherOutcome(format!("{method} is no method with a result")))?;
    let silent = Map::new();
    let members = result.as_object().unwrap_or(&silent);
    Ok(match ResultKind::read(members, method, PeerRevision::Current)? {
        ResultKind::InputRequired => Outcome::InputRequired {
            requests: result
                .get("inputRequests")
                .and_then(Value::as_object)
                .cloned()
                .unwrap_or_else(Map::new),
            state: result.get("requestState").and_then(Value::as_str).map(str::to_owned),
        },
        ResultKind::Task => Outcome::Task(TaskView(result)),
        ResultKind::Complete => Outcome::Complete(ToolResult(result)),
    })
}
