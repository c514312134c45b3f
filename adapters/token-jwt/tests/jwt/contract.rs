//! The laws of the port, with keys that are found from the issuer.

use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_contract::{HarnessError, SampleTokens, TokenVerifierHarness, token_verifier_contract};
use pm_mcp_domain::access::{Grant, Scopes};
use pm_mcp_ports::driven::TokenVerifier;
use pm_mcp_token_jwt::JwtVerifier;
use serde_json::json;

use crate::provider::Provider;
use crate::signer::{ISSUER, NOW, RESOURCE, Signer, at, claims, issuer, with, without};

struct Discovered;

fn expected() -> Grant {
    Grant {
        issuer: ISSUER.to_owned(),
        subject: "ada".to_owned(),
        audiences: vec![RESOURCE.to_owned()],
        scopes: Scopes::parse("pm:read pm:write").unwrap(),
        client: Some("shell".to_owned()),
        expires: Some(at(NOW + 600)),
        not_before: Some(at(NOW - 5)),
    }
}

fn scene() -> (Provider, JwtVerifier, SampleTokens) {
    let (signer, other, stranger) = (Signer::p256("p"), Signer::rsa("r", 0), Signer::p256("p"));
    let provider = Provider::with_keys(&[&signer, &other]);
    let verifier = JwtVerifier::discover(&issuer(), provider.fetch());
    let two = with(claims(), "aud", json!(["https://other.example", RESOURCE]));
    let audiences = vec!["https://other.example".to_owned(), RESOURCE.to_owned()];
    let samples = SampleTokens {
        now: at(NOW),
        good: vec![
            (signer.token(&claims()), expected()),
            (other.token(&two), Grant { audiences, ..expected() }),
        ],
        invalid: vec![
            stranger.token(&claims()),
            signer.token(&with(claims(), "iss", "https://evil.example".into())),
            signer.token(&without(claims(), "exp")),
            "opaque".to_owned(),
        ],
        expired: Some(signer.token(&with(claims(), "exp", (NOW - 60).into()))),
        secrets: Vec::new(),
    };
    (provider, verifier, samples)
}

#[async_trait]
impl TokenVerifierHarness for Discovered {
    type Guard = ();

    async fn fresh(&self) -> Result<(Arc<dyn TokenVerifier>, SampleTokens, ()), HarnessError> {
        let (_, verifier, samples) = scene();
        Ok((Arc::new(verifier), samples, ()))
    }

    async fn cut_off(&self) -> Result<Option<(Arc<dyn TokenVerifier>, SampleTokens, ())>, HarnessError> {
        let (provider, verifier, samples) = scene();
        provider.is_down(true);
        Ok(Some((Arc::new(verifier), samples, ())))
    }
}

token_verifier_contract!(Discovered);
