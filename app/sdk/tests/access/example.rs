//! The example of a host's own verifier, held to the laws of the port.

#[allow(dead_code, unreachable_pub, reason = "the example's main is run by hand")]
#[path = "../../examples/oauth_verifier.rs"]
mod oauth_verifier;

use std::sync::Arc;

use oauth_verifier::Directory;
use pm_mcp::{Grant, Scopes, Timestamp, TokenVerifier};
use pm_mcp_contract::{
    HarnessError, SampleTokens, TokenVerifierHarness, async_trait, token_verifier_contract,
};

struct Company;

fn grant(subject: &str) -> Grant {
    Grant {
        issuer: "https://login.company.example".to_owned(),
        subject: subject.to_owned(),
        audiences: vec!["http://127.0.0.1:3000/mcp".to_owned()],
        scopes: Scopes::parse("greet").unwrap(),
        client: None,
        expires: None,
        not_before: None,
    }
}

#[async_trait]
impl TokenVerifierHarness for Company {
    type Guard = ();

    async fn fresh(&self) -> Result<(Arc<dyn TokenVerifier>, SampleTokens, ()), HarnessError> {
        let directory = Directory::default();
        let good: Vec<_> = ["ada", "bob"].map(|name| (format!("token-of-{name}"), grant(name))).into();
        for (token, grant) in &good {
            directory.add(token, &grant.subject, grant.scopes.clone());
        }
        let samples = SampleTokens {
            now: Timestamp::from_unix_ms(0),
            good,
            invalid: vec!["token-of-eve".to_owned()],
            expired: None,
            secrets: Vec::new(),
        };
        Ok((Arc::new(directory), samples, ()))
    }

    async fn cut_off(&self) -> Result<Option<(Arc<dyn TokenVerifier>, SampleTokens, ())>, HarnessError> {
        Ok(None)
    }
}

token_verifier_contract!(Company);
