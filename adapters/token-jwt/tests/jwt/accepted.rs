//! Tokens as they are made by well-behaved providers.

use pm_mcp_domain::access::{Grant, Issuer, authorize};
use pm_mcp_ports::driven::{TokenVerifier, VerifyError};
use pm_mcp_token_jwt::{JwtVerifier, StaticKeys};
use serde_json::json;

use crate::signer::{NOW, RESOURCE, Signer, at, claims, issuer, jwks, policy, presented, with, without};

fn verifier(signers: &[&Signer]) -> JwtVerifier {
    JwtVerifier::new(&issuer(), StaticKeys::from_jwks(jwks(signers.iter().copied()).as_bytes()).unwrap())
}

async fn grant(verifier: &JwtVerifier, token: &str) -> Result<Grant, VerifyError> {
    verifier.verify(&presented(token), at(NOW)).await
}

async fn is_accepted(verifier: &JwtVerifier, token: &str) -> bool {
    let Ok(grant) = grant(verifier, token).await else { return false };
    let needs = pm_mcp_domain::access::Scopes::parse("pm:read").unwrap();
    authorize(grant, &needs, &policy(), at(NOW)).is_ok()
}

#[tokio::test]
async fn every_algorithm_is_accepted_with_a_key_of_its_kind() {
    let (rsa, p256, p384, ed) = (Signer::rsa("r", 0), Signer::p256("p"), Signer::p384("q"), Signer::ed("e"));
    let verifier = verifier(&[&rsa, &p256, &p384, &ed]);
    for (signer, algorithms) in [
        (&rsa, &["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"][..]),
        (&p256, &["ES256"]),
        (&p384, &["ES384"]),
        (&ed, &["EdDSA", "Ed25519"]),
    ] {
        for algorithm in algorithms {
            let header = with(signer.header(), "alg", (*algorithm).into());
            assert!(is_accepted(&verifier, &signer.token_as(&header, &claims())).await, "{algorithm}");
        }
    }
}

#[tokio::test]
async fn headers_of_many_providers_are_accepted() {
    let signer = Signer::p256("p");
    let verifier = verifier(&[&Signer::p256("other"), &signer]);
    let header = signer.header();
    for header in [
        header.clone(),
        with(header.clone(), "typ", "JWT".into()),
        with(header.clone(), "typ", "jwt".into()),
        with(header.clone(), "typ", "application/at+jwt".into()),
        with(header.clone(), "typ", "AT+JWT".into()),
        without(header.clone(), "typ"),
        without(header.clone(), "kid"),
        with(header.clone(), "x5t", "abc".into()),
        with(header.clone(), "jku", "https://login.example/keys".into()),
    ] {
        assert!(is_accepted(&verifier, &signer.token_as(&header, &claims())).await, "{header}");
    }
}

#[tokio::test]
async fn keys_that_share_a_name_are_all_tried() {
    let (first, second) = (Signer::p256("same"), Signer::p256("same"));
    let verifier = verifier(&[&first, &second, &Signer::rsa("same", 0)]);
    for signer in [first, second] {
        assert!(is_accepted(&verifier, &signer.token(&claims())).await);
    }
}

#[tokio::test]
async fn audiences_and_scopes_are_accepted_in_each_of_their_forms() {
    let signer = Signer::ed("e");
    let verifier = verifier(&[&signer]);
    for changed in [
        with(claims(), "aud", json!(["https://other.example", RESOURCE])),
        with(without(claims(), "scope"), "scp", json!(["pm:read"])),
        with(claims(), "exp", json!(NOW as f64 + 0.5)),
        without(without(claims(), "nbf"), "iat"),
    ] {
        assert!(is_accepted(&verifier, &signer.token(&changed)).await, "{changed}");
    }
}

#[tokio::test]
async fn time_is_judged_with_the_leeway_of_the_policy() {
    let signer = Signer::ed("e");
    let verifier = verifier(&[&signer]);
    for (name, second, accepted) in
        [("exp", NOW - 20, true), ("exp", NOW - 40, false), ("nbf", NOW + 20, true), ("nbf", NOW + 40, false)]
    {
        let token = signer.token(&with(claims(), name, second.into()));
        assert_eq!(is_accepted(&verifier, &token).await, accepted, "{name} {second}");
    }
}

#[tokio::test]
async fn an_expired_token_gives_a_grant_that_says_so_and_is_never_called_invalid() {
    let signer = Signer::ed("e");
    let token = signer.token(&with(claims(), "exp", (NOW - 1000).into()));
    let grant = grant(&verifier(&[&signer]), &token).await.unwrap();
    assert_eq!(grant.expires, Some(at(NOW - 1000)));
}

#[tokio::test]
async fn issuers_have_only_their_own_keys() {
    let (ours, theirs) = (Signer::ed("same"), Signer::ed("same"));
    let other = "https://other.example";
    let source = |signer| StaticKeys::from_jwks(jwks([signer]).as_bytes()).unwrap();
    let verifier = JwtVerifier::new(&issuer(), source(&ours))
        .with_issuer(&Issuer::parse(other).unwrap(), source(&theirs));
    let foreign = with(claims(), "iss", other.into());
    assert!(grant(&verifier, &ours.token(&claims())).await.is_ok());
    assert_eq!(grant(&verifier, &theirs.token(&foreign)).await.unwrap().issuer, other);
    assert!(grant(&verifier, &theirs.token(&claims())).await.is_err());
    assert!(grant(&verifier, &ours.token(&foreign)).await.is_err());
}

#[tokio::test]
async fn a_remembered_token_gives_the_same_grant() {
    let signer = Signer::p256("p");
    let (verifier, token) = (verifier(&[&signer]), signer.token(&claims()));
    let first = grant(&verifier, &token).await.unwrap();
    for _ in 0..3 {
        assert_eq!(grant(&verifier, &token).await.unwrap(), first);
    }
}

/// A key that says which algorithm it is for is used with no other.
#[tokio::test]
async fn a_key_for_one_algorithm_checks_no_other() {
    let signer = Signer::rsa("r", 0);
    let set = json!({"keys": [with(signer.jwk(), "alg", "PS256".into())]}).to_string();
    let verifier = JwtVerifier::new(&issuer(), StaticKeys::from_jwks(set.as_bytes()).unwrap());
    for (algorithm, accepted) in [("PS256", true), ("RS256", false), ("PS384", false)] {
        let header = with(signer.header(), "alg", algorithm.into());
        let token = signer.token_as(&header, &claims());
        assert_eq!(is_accepted(&verifier, &token).await, accepted, "{algorithm}");
    }
}

/// Every character of a token counts: a changed one is another token, and no other token is good.
#[tokio::test]
async fn no_changed_character_leaves_a_token_good() {
    let signer = Signer::ed("e");
    let (verifier, token) = (verifier(&[&signer]), signer.token(&claims()));
    assert!(is_accepted(&verifier, &token).await);
    for (place, old) in token.char_indices() {
        for new in ['A', 'B', 'g', '_', '-', '.', '=', '+', '/', '~'].into_iter().filter(|new| *new != old) {
            let mut changed = token.clone();
            changed.replace_range(place..=place, new.encode_utf8(&mut [0; 4]));
            let Ok(presented) = pm_mcp_domain::access::PresentedToken::parse(&changed) else { continue };
            assert!(verifier.verify(&presented, at(NOW)).await.is_err(), "{place} {new}");
        }
    }
    for end in 1..token.len() {
        assert!(!is_accepted(&verifier, &token[..end]).await, "cut at {end}");
    }
}

#[tokio::test]
async fn escapes_in_claims_mean_what_they_say() {
    let signer = Signer::ed("e");
    let text = claims().to_string().replace("login", "log\\u0069n");
    let token = signer.token_of(&signer.header().to_string(), &text, "EdDSA");
    assert!(is_accepted(&verifier(&[&signer]), &token).await);
}
