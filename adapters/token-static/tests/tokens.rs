//! What the verifier of a deployment's tokens knows and does not show.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

use pm_mcp_domain::access::{Issuer, PresentedToken, Resource, Scopes, TokenFault};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{TokenVerifier, VerifyError};
use pm_mcp_token_static::{StaticGrant, StaticTokenVerifier};

const TOKEN: &str = "3f0f2b9c-deployment";

fn grant(subject: &str) -> StaticGrant {
    StaticGrant {
        issuer: Issuer::parse("https://login.example").unwrap(),
        resource: Resource::parse("https://tools.example/mcp").unwrap(),
        subject: subject.to_owned(),
        scopes: Scopes::parse("pm:read pm:write").unwrap(),
    }
}

async fn verify(
    verifier: &StaticTokenVerifier,
    token: &str,
) -> Result<pm_mcp_domain::access::Grant, VerifyError> {
    verifier.verify(&PresentedToken::parse(token).unwrap(), Timestamp::from_unix_ms(0)).await
}

#[tokio::test]
async fn the_token_of_a_deployment_is_good_for_what_is_configured() {
    let verifier = StaticTokenVerifier::new(TOKEN, grant("first")).unwrap();
    let found = verify(&verifier, TOKEN).await.unwrap();
    assert_eq!(found.issuer, "https://login.example");
    assert_eq!(found.audiences, ["https://tools.example/mcp"]);
    assert_eq!((found.subject.as_str(), found.scopes.to_string().as_str()), ("first", "pm:read pm:write"));
    assert_eq!((found.expires, found.not_before, found.client), (None, None, None));
}

#[tokio::test]
async fn every_other_token_is_refused() {
    let verifier = StaticTokenVerifier::new(TOKEN, grant("first")).unwrap();
    for other in ["3f0f2b9c-deploymen", "3f0f2b9c-deployment=", "3F0F2B9C-DEPLOYMENT", "x"] {
        assert!(matches!(verify(&verifier, other).await, Err(VerifyError::Invalid(_))), "{other}");
    }
}

#[tokio::test]
async fn an_old_and_a_new_token_can_be_used_side_by_side() {
    let verifier =
        StaticTokenVerifier::new(TOKEN, grant("first")).unwrap().and("next", grant("second")).unwrap();
    assert_eq!(verify(&verifier, TOKEN).await.unwrap().subject, "first");
    assert_eq!(verify(&verifier, "next").await.unwrap().subject, "second");
}

#[tokio::test]
async fn neither_token_nor_digest_shows_in_what_is_printed() {
    let verifier = StaticTokenVerifier::new(TOKEN, grant("first")).unwrap();
    assert_eq!(format!("{verifier:?}"), "StaticTokenVerifier { tokens: 1, .. }");
    let refused = verify(&verifier, "3f0f2b9c-deploymenx").await.unwrap_err();
    assert!(!format!("{refused:?} {refused}").contains("3f0f2b9c"));
    let unusable = StaticTokenVerifier::new("two words", grant("first")).unwrap_err();
    assert_eq!(unusable, TokenFault::Grammar);
}
