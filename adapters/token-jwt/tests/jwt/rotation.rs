//! Keys that change while the server runs, and issuers that cannot be asked.

use std::sync::Arc;

use pm_mcp_domain::authorization::HttpUrl;
use pm_mcp_ports::driven::{KeySource, TokenVerifier, VerifyError};
use pm_mcp_token_jwt::{IssuerKeys, JwtVerifier, KeyLocation, Schedule};
use serde_json::json;

use crate::provider::{KEYS, METADATA, OPENID, Provider};
use crate::signer::{ISSUER, NOW, Signer, at, claims, issuer, presented};

/// What the answer to a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    Good,
    Invalid,
    Unavailable,
}

async fn answer(verifier: &JwtVerifier, token: &str, second: i64) -> Answer {
    match verifier.verify(&presented(token), at(NOW + second)).await {
        Ok(_) => Answer::Good,
        Err(VerifyError::Invalid(_)) => Answer::Invalid,
        Err(VerifyError::Unavailable(_)) => Answer::Unavailable,
        Err(VerifyError::Expired) => panic!("time is for the domain"),
    }
}

fn verifier(provider: &Provider) -> JwtVerifier {
    JwtVerifier::discover(&issuer(), provider.fetch())
}

#[tokio::test]
async fn a_new_key_is_found_by_one_look_and_the_old_one_ends_with_it() {
    let (old, new) = (Signer::ed("old"), Signer::ed("new"));
    let provider = Provider::with_keys(&[&old]);
    let verifier = verifier(&provider);
    let (with_old, with_new) = (old.token(&claims()), new.token(&claims()));
    assert_eq!(answer(&verifier, &with_old, 0).await, Answer::Good);
    provider.has_keys(&[&new]);
    assert_eq!(answer(&verifier, &with_old, 60).await, Answer::Good, "nobody has told us yet");
    assert_eq!(answer(&verifier, &with_new, 60).await, Answer::Good);
    assert_eq!(provider.asked(KEYS), 2);
    // Also the remembered one is not good any more.
    assert_eq!(answer(&verifier, &with_old, 61).await, Answer::Invalid);
}

#[tokio::test]
async fn a_key_that_was_taken_back_is_not_believed_for_longer_than_an_answer_is_fresh() {
    let (old, new) = (Signer::ed("old"), Signer::ed("new"));
    let provider = Provider::with_keys(&[&old]);
    let verifier = verifier(&provider);
    let token = old.token(&claims());
    assert_eq!(answer(&verifier, &token, 0).await, Answer::Good);
    provider.has_keys(&[&new]);
    assert_eq!(answer(&verifier, &token, 599).await, Answer::Good);
    assert_eq!(answer(&verifier, &token, 600).await, Answer::Invalid);
}

#[tokio::test]
async fn a_key_may_change_under_its_old_name() {
    let (old, new) = (Signer::ed("same"), Signer::ed("same"));
    let provider = Provider::with_keys(&[&old]);
    let verifier = verifier(&provider);
    assert_eq!(answer(&verifier, &old.token(&claims()), 0).await, Answer::Good);
    provider.has_keys(&[&new]);
    assert_eq!(answer(&verifier, &new.token(&claims()), 30).await, Answer::Good);
}

#[tokio::test]
async fn unknown_names_make_the_issuer_be_asked_once_in_a_cool_down() {
    let signer = Signer::ed("known");
    let provider = Provider::with_keys(&[&signer]);
    let verifier = verifier(&provider);
    assert_eq!(answer(&verifier, &signer.token(&claims()), 0).await, Answer::Good);
    for number in 0..1000 {
        let stranger = json!({"alg": "EdDSA", "kid": format!("k{number}")});
        let token = signer.token_as(&stranger, &claims());
        assert_eq!(answer(&verifier, &token, 30 + number / 50).await, Answer::Invalid);
    }
    assert_eq!(provider.asked(KEYS), 2);
}

#[tokio::test]
async fn while_the_issuer_is_down_known_keys_serve_to_the_limit_and_nothing_is_accepted_after_it() {
    let (signer, stranger) = (Signer::ed("known"), Signer::ed("unknown"));
    let provider = Provider::with_keys(&[&signer]);
    let verifier = verifier(&provider);
    let token = signer.token(&claims());
    assert_eq!(answer(&verifier, &token, 0).await, Answer::Good);
    provider.is_down(true);
    for second in [1, 599, 600, 604, 2000, 3599] {
        assert_eq!(answer(&verifier, &token, second).await, Answer::Good, "{second}");
    }
    // Whether it is a new key cannot be told, so it must not look like a bad token.
    assert_eq!(answer(&verifier, &stranger.token(&claims()), 3599).await, Answer::Unavailable);
    for second in [3600, 3601, 100_000] {
        assert_eq!(answer(&verifier, &token, second).await, Answer::Unavailable, "{second}");
    }
    provider.is_down(false);
    assert_eq!(answer(&verifier, &token, 100_005).await, Answer::Good);
}

#[tokio::test]
async fn an_issuer_that_is_down_is_not_asked_by_every_token() {
    let signer = Signer::ed("known");
    let provider = Provider::with_keys(&[&signer]);
    provider.is_down(true);
    let verifier = verifier(&provider);
    let token = signer.token(&claims());
    for _ in 0..100 {
        assert_eq!(answer(&verifier, &token, 0).await, Answer::Unavailable);
    }
    assert_eq!(provider.asked(METADATA), 1);
    provider.is_down(false);
    assert_eq!(answer(&verifier, &token, 4).await, Answer::Unavailable);
    assert_eq!(answer(&verifier, &token, 5).await, Answer::Good, "a failure is forgotten after seconds");
}

#[tokio::test]
async fn a_clock_that_is_set_back_makes_the_issuer_be_asked_again() {
    let signer = Signer::ed("known");
    let provider = Provider::with_keys(&[&signer]);
    let verifier = verifier(&provider);
    let token = signer.token(&claims());
    assert_eq!(answer(&verifier, &token, 0).await, Answer::Good);
    assert_eq!(answer(&verifier, &token, -100_000).await, Answer::Good);
    assert_eq!(provider.asked(KEYS), 2);
}

#[tokio::test]
async fn all_who_wait_share_one_look() {
    let signer = Signer::ed("known");
    let provider = Provider::with_keys(&[&signer]);
    provider.is_held();
    let verifier = Arc::new(verifier(&provider));
    let mut waiting = tokio::task::JoinSet::new();
    for number in 0..50 {
        let (verifier, token) =
            (Arc::clone(&verifier), signer.token(&crate::signer::with(claims(), "jti", number.into())));
        waiting.spawn(async move { answer(&verifier, &token, 0).await });
    }
    provider.lets_go();
    while let Some(answered) = waiting.join_next().await {
        assert_eq!(answered.unwrap(), Answer::Good);
    }
    assert_eq!((provider.asked(METADATA), provider.asked(KEYS)), (1, 1));
}

#[tokio::test]
async fn a_look_goes_on_when_the_one_who_began_it_gives_up() {
    let signer = Signer::ed("known");
    let provider = Provider::with_keys(&[&signer]);
    provider.is_held();
    let verifier = Arc::new(verifier(&provider));
    let token = signer.token(&claims());
    let first = tokio::spawn({
        let (verifier, token) = (Arc::clone(&verifier), token.clone());
        async move { answer(&verifier, &token, 0).await }
    });
    while provider.asked(METADATA) == 0 {
        tokio::task::yield_now().await;
    }
    first.abort();
    assert!(first.await.unwrap_err().is_cancelled());
    provider.lets_go();
    assert_eq!(answer(&verifier, &token, 0).await, Answer::Good);
    assert_eq!((provider.asked(METADATA), provider.asked(KEYS)), (1, 1));
}

#[tokio::test]
async fn metadata_must_be_of_this_very_issuer() {
    let signer = Signer::ed("known");
    let token = signer.token(&claims());
    for other in ["https://login.example/", "https://LOGIN.example", "https://evil.example", ""] {
        let provider = Provider::with_keys(&[&signer]);
        provider.answers(METADATA, 200, &json!({"issuer": other, "jwks_uri": KEYS}).to_string());
        provider.answers(OPENID, 200, &json!({"issuer": ISSUER, "jwks_uri": KEYS}).to_string());
        assert_eq!(answer(&verifier(&provider), &token, 0).await, Answer::Unavailable, "{other}");
        assert_eq!(provider.asked(KEYS), 0);
    }
}

#[tokio::test]
async fn places_without_metadata_are_passed_over() {
    let signer = Signer::ed("known");
    for (status, body) in [(404, "{}"), (200, "<html>"), (200, "{}"), (500, ""), (302, "")] {
        let provider = Provider::with_keys(&[&signer]);
        provider.answers(METADATA, status, body);
        provider.answers(OPENID, 200, &json!({"issuer": ISSUER, "jwks_uri": KEYS}).to_string());
        assert_eq!(
            answer(&verifier(&provider), &signer.token(&claims()), 0).await,
            Answer::Good,
            "{status} {body}"
        );
    }
}

#[tokio::test]
async fn keys_that_cannot_be_read_are_an_outage_and_not_a_bad_token() {
    let signer = Signer::ed("known");
    for (status, body) in [(404, "{}"), (200, "<html>"), (200, r#"{"keys":[]}"#), (302, ""), (500, "")] {
        let provider = Provider::with_keys(&[&signer]);
        provider.answers(KEYS, status, body);
        let token = signer.token(&claims());
        assert_eq!(answer(&verifier(&provider), &token, 0).await, Answer::Unavailable, "{status} {body}");
    }
}

#[tokio::test]
async fn a_place_of_keys_that_is_set_is_asked_without_metadata() {
    let signer = Signer::ed("known");
    let provider = Provider::with_keys(&[&signer]);
    let place = KeyLocation::At(HttpUrl::parse(KEYS).unwrap());
    let keys = IssuerKeys::new(&issuer(), place, provider.fetch(), Schedule::default());
    let before = keys.keys(at(NOW)).await.unwrap();
    let verifier = JwtVerifier::new(&issuer(), keys);
    assert_eq!(answer(&verifier, &signer.token(&claims()), 0).await, Answer::Good);
    assert_eq!((provider.asked(METADATA), provider.asked(KEYS), before.keys().len()), (0, 1, 1));
}

/// Refreshed keys that are the same leave remembered tokens remembered: the set is the same one.
#[tokio::test]
async fn keys_that_did_not_change_stay_the_same_set() {
    let signer = Signer::ed("known");
    let provider = Provider::with_keys(&[&signer]);
    let keys = IssuerKeys::discover(&issuer(), provider.fetch(), Schedule::default());
    let first = keys.keys(at(NOW)).await.unwrap();
    let second = keys.keys(at(NOW + 601)).await.unwrap();
    assert!(Arc::ptr_eq(&first, &second));
    assert_eq!(provider.asked(KEYS), 2);
}
