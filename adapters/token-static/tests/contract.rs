//! The laws of the port, held by the verifier of a deployment's tokens.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

use std::sync::Arc;

use pm_mcp_contract::{
    HarnessError, SampleTokens, TokenVerifierHarness, async_trait, token_verifier_contract,
};
use pm_mcp_domain::access::{Grant, Issuer, Resource, Scopes};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::TokenVerifier;
use pm_mcp_token_static::{StaticGrant, StaticTokenVerifier};

const TOKENS: [(&str, &str); 2] = [("3f0f2b9c-4a5d-91c2e7aa", "first"), ("Zq9~Rt+v2/Xw7-Lk4==", "second")];

fn configured(subject: &str) -> StaticGrant {
    StaticGrant {
        issuer: Issuer::parse("https://login.example").unwrap(),
        resource: Resource::parse("https://tools.example/mcp").unwrap(),
        subject: subject.to_owned(),
        scopes: Scopes::parse("pm:read pm:write").unwrap(),
    }
}

fn expected(subject: &str) -> Grant {
    Grant {
        issuer: "https://login.example".to_owned(),
        subject: subject.to_owned(),
        audiences: vec!["https://tools.example/mcp".to_owned()],
        scopes: Scopes::parse("pm:read pm:write").unwrap(),
        client: None,
        expires: None,
        not_before: None,
    }
}

struct Deployment;

#[async_trait]
impl TokenVerifierHarness for Deployment {
    type Guard = ();

    async fn fresh(&self) -> Result<(Arc<dyn TokenVerifier>, SampleTokens, ()), HarnessError> {
        let [(first, one), (second, two)] = TOKENS;
        let verifier = StaticTokenVerifier::new(first, configured(one))?.and(second, configured(two))?;
        let samples = SampleTokens {
            now: Timestamp::from_unix_ms(0),
            good: TOKENS.map(|(token, subject)| (token.to_owned(), expected(subject))).to_vec(),
            invalid: vec!["somebody-elses-token".to_owned(), first.to_uppercase()],
            expired: None,
            secrets: Vec::new(),
        };
        Ok((Arc::new(verifier), samples, ()))
    }

    async fn cut_off(&self) -> Result<Option<(Arc<dyn TokenVerifier>, SampleTokens, ())>, HarnessError> {
        Ok(None)
    }
}

token_verifier_contract!(Deployment);
