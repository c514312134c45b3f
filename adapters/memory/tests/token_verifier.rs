//! The laws of the token verifier, held by the memory verifier.
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
use pm_mcp_domain::access::{Grant, Scopes};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_memory::MemoryTokenVerifier;
use pm_mcp_ports::driven::TokenVerifier;

struct Memory;

fn grant(subject: &str, expires: i64) -> Grant {
    Grant {
        issuer: "https://login.example".to_owned(),
        subject: subject.to_owned(),
        audiences: vec!["https://tools.example/mcp".to_owned()],
        scopes: Scopes::parse("read").unwrap(),
        client: Some("shell".to_owned()),
        expires: Some(Timestamp::from_unix_ms(expires)),
        not_before: None,
    }
}

impl Memory {
    fn stage(out: bool) -> (Arc<dyn TokenVerifier>, SampleTokens, ()) {
        let verifier = MemoryTokenVerifier::default();
        let good: Vec<_> = ["ada", "bob"].map(|name| (format!("token-of-{name}"), grant(name, 9_000))).into();
        for (token, grant) in &good {
            verifier.issue(token, grant.clone());
        }
        verifier.issue("ended-token", grant("ada", 1_000));
        verifier.issue("revoked-token", grant("ada", 9_000));
        verifier.revoke("revoked-token");
        verifier.set_unavailable(out);
        let samples = SampleTokens {
            now: Timestamp::from_unix_ms(5_000),
            good,
            invalid: vec!["revoked-token".to_owned(), "unknown-token".to_owned()],
            expired: Some("ended-token".to_owned()),
            secrets: Vec::new(),
        };
        (Arc::new(verifier), samples, ())
    }
}

#[async_trait]
impl TokenVerifierHarness for Memory {
    type Guard = ();

    async fn fresh(&self) -> Result<(Arc<dyn TokenVerifier>, SampleTokens, ()), HarnessError> {
        Ok(Self::stage(false))
    }

    async fn cut_off(&self) -> Result<Option<(Arc<dyn TokenVerifier>, SampleTokens, ())>, HarnessError> {
        Ok(Some(Self::stage(true)))
    }
}

token_verifier_contract!(Memory);
