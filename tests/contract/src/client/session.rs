//! The client and how it is set up.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pm_mcp_domain::header::{HeaderAnnotations, build_request_headers};
use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::wire::TASKS_EXTENSION;
use pm_mcp_ports::driving::McpService;
use serde_json::{Map, Value, json};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::lock::lock;
use crate::virtual_clock::VirtualClock;

use super::call::{Call, OnProgress};
use super::error::ClientError;
use super::http::HttpLink;
use super::link::{Link, Outgoing};
use super::memory::MemoryLink;
use super::outcome::Progress;
use super::reply::Reply;
use super::request::{all_capabilities, with_meta};
use super::stdio::StdioLink;

/// How many pages of one list are read unless told.
const PAGES: usize = 500;

/// A client over one of the three bindings. Nothing but how it was made tells them apart.
///
/// It declares that it can answer everything that a handler may ask; [`declaring`](Self::declaring) says otherwise.
pub struct Client {
    link: Arc<dyn Link>,
    ids: AtomicI64,
    capabilities: Value,
    script: BTreeMap<String, Reply>,
    asked: Mutex<Vec<String>>,
    on_progress: Option<OnProgress>,
    clock: Option<VirtualClock>,
    /// How many pages of one list are read.
    pub(super) pages: usize,
    /// The headers of tool arguments, by tool, once they are known.
    pub(super) annotations: Mutex<Option<BTreeMap<String, HeaderAnnotations>>>,
}

impl Client {
    /// Calls a service in this process, for the local user `test`.
    pub fn memory(service: Arc<dyn McpService>) -> Self {
        Self::over(MemoryLink::new(service, Principal::local("test")))
    }

    /// Calls over a pair of byte streams: `reader` gives what the server writes, `writer` takes what it reads. Within a
    /// Tokio runtime.
    pub fn stdio<R, W>(reader: R, writer: W) -> Self
    where
        R: AsyncRead + Unpin + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        Self::over(StdioLink::new(reader, writer))
    }

    /// Calls over HTTP/1.1 without encryption, such as `http://127.0.0.1:3000/mcp`.
    pub fn http(url: &str) -> Self {
        Self::over(HttpLink::new(url))
    }

    fn over(link: impl Link + 'static) -> Self {
        Self {
            link: Arc::new(link),
            ids: AtomicI64::new(0),
            capabilities: all_capabilities(),
            script: BTreeMap::new(),
            asked: Mutex::default(),
            on_progress: None,
            clock: None,
            pages: PAGES,
            annotations: Mutex::default(),
        }
    }

    /// Answers what is asked under `key`, as often as it is asked.
    #[must_use]
    pub fn on(mut self, key: &str, reply: impl Into<Reply>) -> Self {
        self.script.insert(key.to_owned(), reply.into());
        self
    }

    /// Reads this many pages of one list and no more; 500 unless told.
    #[must_use]
    pub fn page_limit(mut self, pages: usize) -> Self {
        self.pages = pages;
        self
    }

    /// Declares that it can wait for tasks, in addition to what it declares.
    #[must_use]
    pub fn accepting_tasks(mut self) -> Self {
        if let Some(capabilities) = self.capabilities.as_object_mut() {
            let extensions = capabilities.entry("extensions").or_insert_with(|| Value::Object(Map::new()));
            if let Some(extensions) = extensions.as_object_mut() {
                extensions.insert(TASKS_EXTENSION.to_owned(), json!({}));
            }
        }
        self
    }

    /// Declares these client capabilities and no others.
    #[must_use]
    pub fn declaring(mut self, capabilities: Value) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// Hears of every report of progress.
    #[must_use]
    pub fn on_progress(mut self, heard: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        self.on_progress = Some(Arc::new(heard));
        self
    }

    /// Waits between two looks at a task by moving this clock, which is to be the server's as well, so that no time
    /// passes.
    #[must_use]
    pub fn clock(mut self, clock: VirtualClock) -> Self {
        self.clock = Some(clock);
        self
    }

    /// The keys that were asked and answered so far, in that order.
    pub fn asked(&self) -> Vec<String> {
        lock(&self.asked).clone()
    }

    /// Sends a request of any method; `_meta` is added to `params`, which is an object.
    ///
    /// # Errors
    ///
    /// [`ClientError::OtherOutcome`] when the request has no headers that HTTP could carry.
    pub fn send(&self, method: &str, params: Value) -> Result<Call, ClientError> {
        let id = self.ids.fetch_add(1, Ordering::Relaxed).saturating_add(1);
        let params = with_meta(params, id, &self.capabilities);
        let headers = if self.link.has_headers() { self.headers(method, &params)? } else { Vec::new() };
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let messages = self.link.send(Outgoing { id, body: message.to_string().into_bytes(), headers });
        Ok(Call::new(Arc::clone(&self.link), id, method, messages, self.on_progress.clone()))
    }

    /// Sends a request and waits for its result.
    ///
    /// # Errors
    ///
    /// As [`send`](Self::send) and [`Call::end`].
    pub async fn request(&self, method: &str, params: Value) -> Result<Value, ClientError> {
        self.send(method, params)?.end().await
    }

    fn headers(&self, method: &str, params: &Value) -> Result<Vec<(String, String)>, ClientError> {
        let known = lock(&self.annotations);
        let tool = params.get("name").and_then(Value::as_str).filter(|_| method == "tools/call");
        let annotations = tool.and_then(|tool| known.as_ref()?.get(tool)).cloned().unwrap_or_default();
        build_request_headers(method, params, &annotations).map_err(|fault| {
            ClientError::OtherOutcome(format!("there are no headers for the request: {fault}"))
        })
    }

    pub(super) fn has_headers(&self) -> bool {
        self.link.has_headers()
    }

    /// The answers of the script to these questions.
    pub(super) fn answers(&self, questions: &Map<String, Value>) -> Result<Map<String, Value>, ClientError> {
        let mut answers = Map::new();
        for (key, question) in questions {
            let Some(reply) = self.script.get(key) else {
                return Err(ClientError::Unanswered { key: key.clone(), question: question.clone() });
            };
            lock(&self.asked).push(key.clone());
            answers.insert(key.clone(), reply.to(question));
        }
        Ok(answers)
    }

    /// Lets `ms` milliseconds pass.
    pub(super) async fn pass(&self, ms: u64) {
        let Some(clock) = &self.clock else { return tokio::time::sleep(Duration::from_millis(ms)).await };
        clock.advance(Duration::from_millis(ms));
        // Whoever was woken gets its turn before the next look.
        for _ in 0..16 {
            tokio::task::yield_now().await;
        }
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("link", &self.link).finish_non_exhaustive()
    }
}
