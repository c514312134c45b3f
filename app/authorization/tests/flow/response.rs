//! What the user comes back with.

use serde_json::json;

use crate::world::{BARE, Client, METADATA, TOKEN, World};

#[tokio::test]
async fn a_response_of_another_issuer_is_not_redeemed_and_not_shown() {
    for (announced, rest, expected) in [
        (true, "code=c", "does not say which issuer"),
        (true, "code=c&iss=https%3A%2F%2Fas.example%2F", "another issuer"),
        (false, "code=c&iss=https%3A%2F%2Fattacker.example", "another issuer"),
        (false, "code=c&iss=https%3A%2F%2FAS.example", "another issuer"),
        (true, "error=evil&error_description=call+us&iss=https%3A%2F%2Fattacker.example", "another issuer"),
        (false, "code=c&state=x", "none of the code flow"),
        (false, "nothing=x", "none of the code flow"),
    ] {
        let world = World::new();
        world.set(METADATA, "authorization_response_iss_parameter_supported", json!(announced));
        world.script().comes_back_with = Some(rest.to_owned());
        let said = Client::new(&world).fails(401, BARE).await;
        assert!(
            said.contains(expected) && !said.contains("evil") && !said.contains("call us"),
            "{rest}: {said}"
        );
        assert_eq!((world.visits(), world.forms(TOKEN).len()), (1, 0), "{rest}");
    }
}

#[tokio::test]
async fn a_server_or_a_user_that_says_no_is_heard() {
    let world = World::new();
    world.script().comes_back_with = Some("error=access_denied&error_description=not%0Ayou".to_owned());
    let said = Client::new(&world).fails(401, BARE).await;
    assert!(said.contains("access_denied notyou"), "{said}");
    world.script().declines = true;
    let said = Client::new(&world).fails(401, BARE).await;
    assert!(said.contains("the user did not consent"), "{said}");
    assert!(world.forms(TOKEN).is_empty());
}

#[tokio::test]
async fn a_code_that_gives_no_token_ends_the_flow() {
    for (status, body, expected) in [
        (400, json!({"error": "invalid_grant", "error_description": "used"}), "invalid_grant used"),
        (400, json!({"error": "invalid_target"}), "invalid_target"),
        (503, json!({"error": "invalid_grant"}), "status 503"),
        (302, json!({}), "status 302"),
        (200, json!({"access_token": "a", "token_type": "DPoP"}), "no bearer token"),
        (200, json!({"access_token": "a b", "token_type": "Bearer"}), "none of RFC 6749"),
        (200, json!("<html>"), "none of RFC 6749"),
    ] {
        let world = World::new();
        world.answer(TOKEN, status, body);
        let client = Client::new(&world);
        let said = client.fails(401, BARE).await;
        assert!(said.contains(expected), "{said}");
        assert_eq!(client.token().await, None);
    }
    let world = World::new();
    world.script().down.push(TOKEN.to_owned());
    let said = Client::new(&world).fails(401, BARE).await;
    assert!(said.contains("https://as.example gives no answer"), "{said}");
}

#[tokio::test]
async fn nothing_secret_is_printed() {
    let world = World::new();
    let client = Client::new(&world);
    client.refused(401, BARE).await.unwrap();
    world.answer(TOKEN, 400, json!({"error": "access_denied"}));
    let fault = client.refused(401, BARE).await.unwrap_err();
    let shown = format!("{:?} {:?} {fault:?} {fault}", client.authorizer, client.store);
    for secret in ["access-2", "refresh-2", "code-1", &world.script().visits[0]["state"]] {
        assert!(!shown.contains(secret), "{secret} in {shown}");
    }
}
