//! An identity provider as a script: what each address answers, and how often it was asked.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use pm_mcp_ports::driven::{FetchError, FetchRequest, FetchResponse, HttpFetch};
use serde_json::json;
use tokio::sync::Semaphore;

use crate::signer::{ISSUER, Signer, jwks};

pub(crate) const METADATA: &str = "https://login.example/.well-known/oauth-authorization-server";
pub(crate) const OPENID: &str = "https://login.example/.well-known/openid-configuration";
pub(crate) const KEYS: &str = "https://login.example/keys";

/// Clones are one provider.
#[derive(Clone, Debug)]
pub(crate) struct Provider {
    state: Arc<Mutex<State>>,
    /// Permits for answers; none are needed unless the provider is held.
    gate: Arc<Semaphore>,
}

#[derive(Debug, Default)]
struct State {
    answers: BTreeMap<String, (u16, String)>,
    asked: BTreeMap<String, usize>,
    down: bool,
    held: bool,
}

impl Provider {
    pub(crate) fn with_keys(signers: &[&Signer]) -> Self {
        let provider = Self { state: Arc::default(), gate: Arc::new(Semaphore::new(0)) };
        provider.answers(METADATA, 200, &json!({"issuer": ISSUER, "jwks_uri": KEYS}).to_string());
        provider.has_keys(signers);
        provider
    }

    pub(crate) fn answers(&self, url: &str, status: u16, body: &str) {
        self.state.lock().unwrap().answers.insert(url.to_owned(), (status, body.to_owned()));
    }

    pub(crate) fn has_keys(&self, signers: &[&Signer]) {
        self.answers(KEYS, 200, &jwks(signers.iter().copied()));
    }

    pub(crate) fn is_down(&self, down: bool) {
        self.state.lock().unwrap().down = down;
    }

    /// Answers wait until they are let go.
    pub(crate) fn is_held(&self) {
        self.state.lock().unwrap().held = true;
    }

    pub(crate) fn lets_go(&self) {
        self.state.lock().unwrap().held = false;
        self.gate.add_permits(100);
    }

    /// How often an address was asked.
    pub(crate) fn asked(&self, url: &str) -> usize {
        self.state.lock().unwrap().asked.get(url).copied().unwrap_or(0)
    }

    pub(crate) fn fetch(&self) -> Arc<dyn HttpFetch> {
        Arc::new(self.clone())
    }
}

#[async_trait]
impl HttpFetch for Provider {
    async fn fetch(&self, request: FetchRequest) -> Result<FetchResponse, FetchError> {
        let url = request.url.as_str().to_owned();
        let held = {
            let mut state = self.state.lock().unwrap();
            *state.asked.entry(url.clone()).or_default() += 1;
            state.held
        };
        if held {
            self.gate.acquire().await.unwrap().forget();
        }
        let state = self.state.lock().unwrap();
        if state.down {
            return Err(FetchError::Unavailable("connection refused".into()));
        }
        let (status, body) = state.answers.get(&url).cloned().unwrap_or((404, "<html>".to_owned()));
        Ok(FetchResponse { status, headers: Vec::new(), body: body.into_bytes() })
    }
}
