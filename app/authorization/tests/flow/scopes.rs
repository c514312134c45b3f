//! What is asked for, and how often.

use std::sync::Arc;

use pm_mcp_authorization::AuthorizeError;
use serde_json::json;

use crate::world::{BARE, Client, METADATA, PLACE, World, settings};

fn challenge(scopes: &str) -> String {
    format!(r#"{BARE}, scope="{scopes}""#)
}

fn step_up(scopes: &str) -> String {
    format!(r#"{BARE}, error="insufficient_scope", scope="{scopes}""#)
}

fn asked(world: &World) -> Vec<Option<String>> {
    world.script().visits.iter().map(|visit| visit.get("scope").cloned()).collect()
}

#[tokio::test]
async fn the_challenge_goes_before_what_the_resource_lists() {
    let world = World::new();
    world.set(PLACE, "scopes_supported", json!(["basic", "profile"]));
    Client::new(&world).refused(401, &challenge("files:read")).await.unwrap();
    Client::new(&world).refused(401, BARE).await.unwrap();
    assert_eq!(asked(&world), [Some("files:read".to_owned()), Some("basic profile".to_owned())]);
}

#[tokio::test]
async fn refresh_tokens_are_asked_for_where_they_are_wanted_and_known() {
    for (known, wanted, expected) in [
        (json!(["offline_access", "basic"]), true, "basic offline_access"),
        (json!(["offline_access", "basic"]), false, "basic"),
        (json!(["basic"]), true, "basic"),
        (json!(null), true, "basic"),
    ] {
        let world = World::new();
        world.set(METADATA, "scopes_supported", known);
        let settings =
            pm_mcp_domain::authorization::FlowSettings { wants_refresh_tokens: wanted, ..settings() };
        Client::with(&world, settings, Arc::default()).refused(401, &challenge("basic")).await.unwrap();
        assert_eq!(asked(&world), [Some(expected.to_owned())]);
    }
}

#[tokio::test]
async fn a_step_up_keeps_what_was_granted_and_asks_once() {
    let world = World::new();
    let client = Client::new(&world);
    client.refused(401, &challenge("files:read")).await.unwrap();
    client.refused(403, &step_up("files:write")).await.unwrap();
    assert_eq!(asked(&world), [Some("files:read".to_owned()), Some("files:read files:write".to_owned())]);
    assert_eq!(client.token().await.as_deref(), Some("access-4"));
    // The user of another process steps up further: what that one was granted stays too.
    let other = Client::with(&world, settings(), client.store.clone());
    other.refused(401, &challenge("files:admin")).await.unwrap();
    assert_eq!(asked(&world)[2].as_deref(), Some("files:admin files:read files:write"));
}

#[tokio::test]
async fn a_server_that_is_never_satisfied_is_given_up() {
    let world = World::new();
    let client = Client::new(&world);
    let mut refused = 0;
    let fault = loop {
        match client.refused(403, &step_up("files:write")).await {
            Ok(()) => refused += 1,
            Err(fault) => break fault,
        }
    };
    assert!(matches!(fault, AuthorizeError::Spent(_)), "{fault:?}");
    assert_eq!((refused, world.visits()), (3, 3));
    client.refused(403, &step_up("files:write")).await.unwrap_err();
    // Another operation has attempts of its own, and one that succeeds starts anew.
    let token = client.authorizer.token().await;
    client.refused_for(token, 403, &step_up("files:list"), "tools/call").await.unwrap();
    client.authorizer.succeeded("tools/list");
    client.refused(403, &step_up("files:write")).await.unwrap();
}

#[tokio::test]
async fn what_no_scope_allows_is_not_asked_for() {
    let world = World::new();
    let client = Client::new(&world);
    client.refused(401, BARE).await.unwrap();
    let said = client.fails(403, r#"Bearer error="invalid_request", error_description="not here""#).await;
    assert_eq!(said, "the server forbids the operation: not here");
    assert!(matches!(client.refused(403, "").await, Err(AuthorizeError::Forbidden { description: None })));
    assert!(matches!(client.refused(500, BARE).await, Err(AuthorizeError::NoRefusal { status: 500 })));
    assert_eq!(world.visits(), 1);
}

#[tokio::test]
async fn what_the_user_did_not_consent_to_is_not_asked_for_again_with_the_rest() {
    let world = World::new();
    let client = Client::new(&world);
    client.refused(401, &challenge("files:read")).await.unwrap();
    world.script().declines = true;
    client.refused(403, &step_up("files:write")).await.unwrap_err();
    world.script().declines = false;
    client
        .refused_for(client.authorizer.token().await, 401, &challenge("files:list"), "other")
        .await
        .unwrap();
    let asked: Vec<String> = asked(&world).into_iter().flatten().collect();
    assert_eq!(asked, ["files:read", "files:read files:write", "files:list files:read"]);
}
