//! Tokens that end, and what a refresh that fails costs.

use std::time::Duration;

use pm_mcp_domain::access::{Issuer, Resource};
use pm_mcp_ports::driven::CredentialStore as _;
use serde_json::json;

use crate::world::{BARE, Client, ENDPOINT, ISSUER, TOKEN, World, settings};

async fn authorized() -> (World, Client) {
    let world = World::new();
    world.script().lasts = Some(3600);
    let client = Client::new(&world);
    client.refused(401, BARE).await.unwrap();
    (world, client)
}

async fn kept(client: &Client) -> Option<bool> {
    let stored = client.store.load(&Issuer::parse(ISSUER).unwrap()).await.unwrap()?;
    Some(stored.credential.tokens(&Resource::parse(ENDPOINT).unwrap()).is_some())
}

#[tokio::test]
async fn a_token_is_refreshed_before_it_ends_without_the_user() {
    let (world, client) = authorized().await;
    client.clock.advance(Duration::from_secs(3539));
    assert_eq!(client.token().await.as_deref(), Some("access-2"));
    client.clock.advance(Duration::from_secs(2));
    assert_eq!(client.token().await.as_deref(), Some("access-3"));
    assert_eq!(client.token().await.as_deref(), Some("access-3"));
    let forms = world.forms(TOKEN);
    assert!(
        forms[1].contains("grant_type=refresh_token&refresh_token=refresh-2&resource=https%3A%2F%2Fmcp"),
        "{forms:?}"
    );
    assert_eq!((forms.len(), world.visits()), (2, 1));
}

#[tokio::test]
async fn a_token_that_is_refused_is_refreshed_without_the_user() {
    let (world, client) = authorized().await;
    client.refused(401, r#"Bearer error="invalid_token""#).await.unwrap();
    assert_eq!((client.token().await.as_deref(), world.visits()), (Some("access-3"), 1));
}

#[tokio::test]
async fn an_outage_costs_nothing_and_a_void_grant_only_its_tokens() {
    let (world, client) = authorized().await;
    for status in [503, 500, 429] {
        world.answer(TOKEN, status, json!({"error": "invalid_grant"}));
        client
            .refused_for(client.authorizer.token().await, 401, BARE, &format!("{status}"))
            .await
            .unwrap_err();
        assert_eq!((kept(&client).await, client.token().await.as_deref()), (Some(true), Some("access-2")));
    }
    world.answer(TOKEN, 400, json!({"error": "invalid_grant"}));
    world.script().declines = true;
    client.refused(401, BARE).await.unwrap_err();
    assert_eq!(
        kept(&client).await,
        Some(false),
        "tokens that are void are kept, or the registration is lost"
    );
    world.script().declines = false;
    client.refused_for(client.authorizer.token().await, 401, BARE, "again").await.unwrap();
    assert_eq!((kept(&client).await, world.visits()), (Some(true), 3));
}

#[tokio::test]
async fn the_user_is_not_asked_before_a_server_refuses() {
    let (world, client) = authorized().await;
    world.answer(TOKEN, 400, json!({"error": "invalid_grant"}));
    client.clock.advance(Duration::from_secs(3590));
    assert_eq!(client.token().await.as_deref(), Some("access-2"), "a token is good until it is refused");
    assert_eq!(world.visits(), 1);
    client.refused(401, BARE).await.unwrap();
    assert_eq!(world.visits(), 2);
}

#[tokio::test]
async fn the_next_process_has_what_the_first_one_gained() {
    let (world, client) = authorized().await;
    let next = Client::with(&world, settings(), client.store.clone());
    assert_eq!(next.token().await, None);
    next.refused(401, BARE).await.unwrap();
    assert_eq!((next.token().await.as_deref(), world.visits()), (Some("access-2"), 1));
    // A crash between spending and keeping: the token that is kept is spent, and the user consents anew.
    world.answer(TOKEN, 400, json!({"error": "invalid_grant"}));
    next.refused(401, BARE).await.unwrap();
    assert_eq!(world.visits(), 2);
}

#[tokio::test]
async fn forgetting_takes_this_issuer_only() {
    let (world, client) = authorized().await;
    let other = Issuer::parse("https://as.example/").unwrap();
    let stored = client.store.load(&Issuer::parse(ISSUER).unwrap()).await.unwrap().unwrap();
    client.store.save(&other, &stored.credential, None).await.unwrap();
    client.authorizer.forget().await.unwrap();
    assert_eq!((client.token().await, kept(&client).await), (None, None));
    assert!(client.store.load(&other).await.unwrap().is_some());
    client.refused(401, BARE).await.unwrap();
    assert_eq!(world.visits(), 2);
}

#[tokio::test]
async fn an_outage_before_the_end_is_not_waited_out_by_every_request() {
    let (world, client) = authorized().await;
    world.script().down.push(TOKEN.to_owned());
    client.clock.advance(Duration::from_secs(3550));
    for _ in 0..5 {
        assert_eq!(client.token().await.as_deref(), Some("access-2"));
    }
    assert_eq!(world.forms(TOKEN).len(), 2);
    world.script().down.clear();
    client.clock.advance(Duration::from_secs(15));
    assert_eq!(client.token().await.as_deref(), Some("access-3"));
}
