//! The laws of the port, with an authorization server that knows some tokens.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_contract::{HarnessError, SampleTokens, TokenVerifierHarness, token_verifier_contract};
use pm_mcp_domain::access::{Grant, Issuer, Scopes};
use pm_mcp_domain::authorization::HttpUrl;
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{FetchError, FetchMethod, FetchRequest, FetchResponse, HttpFetch, TokenVerifier};
use pm_mcp_token_introspection::{ClientAuthentication, ClientSecret, Endpoint, IntrospectionVerifier};
use serde_json::json;

const ISSUER: &str = "https://login.example";
const RESOURCE: &str = "https://tools.example/mcp";
const NOW: i64 = 1_800_000_000;
const SECRET: &str = "s3cret-of-the-server";
const GOOD: &str = "3f0f2b9c.known~token";
const ENDED: &str = "0c9b2f0f.ended~token";
const TAKEN_BACK: &str = "7a1e55aa.former~token";

/// Knows its tokens, or is out of reach.
#[derive(Debug)]
struct Server {
    reached: bool,
}

#[async_trait]
impl HttpFetch for Server {
    async fn fetch(&self, request: FetchRequest) -> Result<FetchResponse, FetchError> {
        if !self.reached {
            return Err(FetchError::Unavailable("connection refused".into()));
        }
        let FetchMethod::Post { body, .. } = request.method else { panic!("a token is never in a URL") };
        let form = String::from_utf8(body).unwrap();
        let asked = form.strip_prefix("token=").and_then(|rest| rest.split('&').next()).unwrap();
        let exp = match asked {
            GOOD => NOW + 600,
            ENDED => NOW - 60,
            _ => 0,
        };
        let answer = json!({
            "active": exp > 0, "iss": ISSUER, "sub": "ada", "aud": RESOURCE, "scope": "pm:read", "client_id": "shell",
            "exp": exp,
        });
        Ok(FetchResponse { status: 200, headers: Vec::new(), body: answer.to_string().into_bytes() })
    }
}

struct Asking;

fn scene(reached: bool) -> (Arc<dyn TokenVerifier>, SampleTokens, ()) {
    let client = ClientAuthentication::Basic { id: "tools".into(), secret: ClientSecret::new(SECRET) };
    let endpoint = Endpoint::new(HttpUrl::parse("https://login.example/introspect").unwrap(), client);
    let fetch = Arc::new(Server { reached });
    let verifier = IntrospectionVerifier::new(&Issuer::parse(ISSUER).unwrap(), endpoint, fetch);
    let grant = Grant {
        issuer: ISSUER.to_owned(),
        subject: "ada".to_owned(),
        audiences: vec![RESOURCE.to_owned()],
        scopes: Scopes::parse("pm:read").unwrap(),
        client: Some("shell".to_owned()),
        expires: Some(Timestamp::from_unix_ms((NOW + 600) * 1000)),
        not_before: None,
    };
    let samples = SampleTokens {
        now: Timestamp::from_unix_ms(NOW * 1000),
        good: vec![(GOOD.to_owned(), grant)],
        invalid: vec![TAKEN_BACK.to_owned(), "made-up".to_owned()],
        expired: Some(ENDED.to_owned()),
        secrets: vec![SECRET.to_owned()],
    };
    (Arc::new(verifier), samples, ())
}

#[async_trait]
impl TokenVerifierHarness for Asking {
    type Guard = ();

    async fn fresh(&self) -> Result<(Arc<dyn TokenVerifier>, SampleTokens, ()), HarnessError> {
        Ok(scene(true))
    }

    async fn cut_off(&self) -> Result<Option<(Arc<dyn TokenVerifier>, SampleTokens, ())>, HarnessError> {
        Ok(Some(scene(false)))
    }
}

token_verifier_contract!(Asking);
