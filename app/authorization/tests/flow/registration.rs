//! How the client becomes known.

use std::sync::Arc;

use pm_mcp_domain::access::Issuer;
use pm_mcp_domain::authorization::{KnownClient, RegistrationOrigin, Secret};
use pm_mcp_ports::driven::{CredentialStore as _, SuppliedClient};
use serde_json::json;

use crate::world::{BARE, Client, ISSUER, METADATA, REGISTER, TOKEN, World, settings};

fn issuer() -> Issuer {
    Issuer::parse(ISSUER).unwrap()
}

/// A client without metadata document.
fn undocumented(world: &World) -> Client {
    let mut settings = settings();
    settings.profile.document = None;
    Client::with(world, settings, Arc::default())
}

#[tokio::test]
async fn a_client_that_was_given_an_id_uses_it_where_it_is_good() {
    let world = World::new();
    let mut settings = settings();
    let known = |issuer: &str| KnownClient {
        issuer: Issuer::parse(issuer).unwrap(),
        client_id: "given".to_owned(),
        secret: Some(Secret::new("se:cret")),
    };
    settings.profile.known = vec![known("https://as.example/"), known(ISSUER)];
    Client::with(&world, settings.clone(), Arc::default()).refused(401, BARE).await.unwrap();
    assert_eq!(world.script().visits[0]["client_id"], "given");
    assert_eq!(world.script().authorizations, ["Basic Z2l2ZW46c2UlM0FjcmV0"]);
    settings.profile.known.pop();
    Client::with(&world, settings, Arc::default()).refused(401, BARE).await.unwrap();
    assert_eq!(world.script().visits[1]["client_id"], "https://app.example/client.json");
    assert!(world.forms(REGISTER).is_empty());
}

#[tokio::test]
async fn a_client_registers_itself_once_and_is_known_from_then_on() {
    let world = World::new();
    let client = undocumented(&world);
    world.script().declines = true;
    client.refused(401, BARE).await.unwrap_err();
    let stored = client.store.load(&issuer()).await.unwrap().unwrap().credential;
    assert_eq!(stored.client.origin, RegistrationOrigin::Dynamic);
    world.script().declines = false;
    client.refused(401, BARE).await.unwrap();
    let [document] = world.forms(REGISTER).try_into().unwrap();
    assert!(document.contains(r#""application_type":"native""#), "{document}");
    assert_eq!(world.script().visits[1]["client_id"], "registered-1");
}

#[tokio::test]
async fn a_registration_that_is_refused_is_said_and_bounded() {
    let world = World::new();
    let client = undocumented(&world);
    for _ in 0..2 {
        world.answer(
            REGISTER,
            400,
            json!({"error": "invalid_redirect_uri", "error_description": "loopback"}),
        );
        let said = client.fails(401, BARE).await;
        assert!(said.contains("invalid_redirect_uri loopback"), "{said}");
    }
    let said = client.fails(401, BARE).await;
    assert!(said.contains("this client has no id at https://as.example"), "{said}");
    assert_eq!((world.forms(REGISTER).len(), world.visits()), (2, 0));
}

#[tokio::test]
async fn a_user_who_knows_an_id_tells_it() {
    let world = World::new();
    world.set(METADATA, "registration_endpoint", json!(null));
    let client = undocumented(&world);
    let said = client.fails(401, BARE).await;
    assert!(said.contains("has no id"), "{said}");
    world.script().tells = Some(SuppliedClient { client_id: "told".to_owned(), secret: None });
    client.refused(401, BARE).await.unwrap();
    assert_eq!(world.script().visits[0]["client_id"], "told");
    let stored = client.store.load(&issuer()).await.unwrap().unwrap().credential;
    assert_eq!(stored.client.origin, RegistrationOrigin::UserSupplied);
}

#[tokio::test]
async fn a_registration_that_the_server_forgot_is_made_anew() {
    let world = World::new();
    let client = undocumented(&world);
    client.refused(401, BARE).await.unwrap();
    // Spending the refresh token shows that the client is not known any more.
    world.answer(TOKEN, 401, json!({"error": "invalid_client"}));
    client.refused(401, BARE).await.unwrap();
    assert_eq!((world.forms(REGISTER).len(), world.visits()), (2, 2));
    // Now redeeming the code shows it: the flow ends, and the next one starts without the registration.
    let token = client.authorizer.token().await;
    world.answer(TOKEN, 400, json!({"error": "invalid_grant"}));
    world.answer(TOKEN, 401, json!({"error": "invalid_client"}));
    client.refused_for(token.clone(), 401, BARE, "tools/call").await.unwrap_err();
    assert_eq!(client.store.load(&issuer()).await.unwrap(), None);
}
