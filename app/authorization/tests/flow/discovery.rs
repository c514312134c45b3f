//! How the authorization server is found, and when it is not believed.

use serde_json::json;

use crate::world::{BARE, Client, ENDPOINT, ISSUER, METADATA, PLACE, TOKEN, World, metadata};

const OPENID: &str = "https://as.example/.well-known/openid-configuration";

#[tokio::test]
async fn nothing_is_asked_before_a_refusal_and_then_in_order() {
    let world = World::new();
    let client = Client::new(&world);
    assert_eq!(client.token().await, None);
    assert!(world.asked().is_empty());
    client.refused(401, BARE).await.unwrap();
    assert_eq!(world.asked(), [PLACE, METADATA, TOKEN]);
    assert_eq!(client.token().await.as_deref(), Some("access-2"));
    assert_eq!(world.visits(), 1);
    let visit = world.script().visits[0].clone();
    let said = ["response_type", "code_challenge_method", "resource", "client_id", "redirect_uri"];
    let expected = ["code", "S256", ENDPOINT, "https://app.example/client.json", "http://127.0.0.1:9/cb"];
    assert_eq!(said.map(|name| visit[name].as_str()), expected);
    assert!(!visit.contains_key("scope"), "no scope was named anywhere: {visit:?}");
}

#[tokio::test]
async fn without_a_named_place_the_well_known_ones_are_asked_in_turn() {
    let world = World::new();
    let document = world.script().documents.remove(PLACE).unwrap();
    let root = "https://mcp.example/.well-known/oauth-protected-resource";
    world.script().documents.insert(root.to_owned(), document);
    world.set(root, "resource", json!("https://mcp.example"));
    for (url, status, body) in [
        (METADATA, 404, metadata(ISSUER)),
        (METADATA, 302, json!({})),
        (METADATA, 200, json!("<html>")),
        (METADATA, 200, json!({})),
        (METADATA, 500, json!({})),
    ] {
        let before = world.asked().len();
        world.answer(url, status, body);
        let document = world.script().documents[METADATA].clone();
        world.script().documents.insert(OPENID.to_owned(), document);
        // The resource is what was published, with no slash at the end; the token is for another one here.
        Client::new(&world).refused(401, "Bearer").await.unwrap_err();
        assert_eq!(world.asked()[before..before + 4], [PLACE, root, METADATA, OPENID]);
    }
    assert_eq!(world.script().visits[0]["resource"], "https://mcp.example");
}

#[tokio::test]
async fn a_document_of_another_is_not_used() {
    for (at, member, value, expected) in [
        (PLACE, "resource", json!("https://evil.example/mcp"), "speaks for https://evil.example/mcp"),
        (PLACE, "authorization_servers", json!(["http://as.example"]), "no usable authorization server"),
        (METADATA, "issuer", json!("https://as.example/"), "letter for letter"),
        (METADATA, "issuer", json!("https://attacker.example"), "letter for letter"),
        (METADATA, "code_challenge_methods_supported", json!(["plain"]), "PKCE"),
        (METADATA, "token_endpoint", json!("http://as.example/token"), "token_endpoint"),
        (METADATA, "authorization_endpoint", json!("javascript:alert(1)"), "authorization_endpoint"),
    ] {
        let world = World::new();
        world.set(at, member, value);
        let said = Client::new(&world).fails(401, BARE).await;
        assert!(said.contains(expected), "{said}");
        assert_eq!((world.visits(), world.forms(TOKEN).len()), (0, 0), "{expected}");
    }
}

#[tokio::test]
async fn what_is_nowhere_is_said() {
    let world = World::new();
    world.script().documents.clear();
    let said = Client::new(&world).fails(401, BARE).await;
    assert!(said.contains("publishes no metadata of a protected resource"), "{said}");
    let world = World::new();
    world.script().documents.remove(METADATA);
    let said = Client::new(&world).fails(401, BARE).await;
    assert!(said.contains(ISSUER) && said.contains("publishes no metadata"), "{said}");
    world.script().down.push(PLACE.to_owned());
    let said = Client::new(&world).fails(401, BARE).await;
    assert!(said.contains("publishes no metadata of a protected resource"), "{said}");
}

#[tokio::test]
async fn an_issuer_that_is_down_leaves_it_to_the_next() {
    let world = World::new();
    world.set(PLACE, "authorization_servers", json!(["https://first.example", ISSUER]));
    Client::new(&world).refused(401, BARE).await.unwrap();
    let first = world.asked().iter().filter(|url| url.starts_with("https://first.example/")).count();
    assert_eq!((first, world.visits()), (2, 1));
}

#[tokio::test]
async fn another_issuer_gets_nothing_of_the_first() {
    let world = World::new();
    let mut settings = crate::world::settings();
    settings.profile.document = None;
    let client = Client::with(&world, settings, std::sync::Arc::default());
    client.refused(401, BARE).await.unwrap();
    let first = world.script().visits[0]["client_id"].clone();
    let other = "https://other.example";
    world
        .script()
        .documents
        .insert(format!("{other}/.well-known/oauth-authorization-server"), metadata(other));
    world.set(PLACE, "authorization_servers", json!([other]));
    client.refused(401, BARE).await.unwrap();
    let visits = world.script().visits.clone();
    assert_ne!(visits[1]["client_id"], first);
    let asked = world.script().requests.clone();
    let sent = asked.iter().filter(|(url, _)| url.starts_with(other));
    assert!(sent.clone().count() >= 3);
    for (url, form) in sent {
        assert!(
            !form.contains(&first) && !form.contains("access-2") && !form.contains("refresh-2"),
            "{url} {form}"
        );
    }
}

#[tokio::test]
async fn plain_http_to_another_machine_is_refused_at_once() {
    let ports = |client: &Client| pm_mcp_authorization::Ports {
        fetch: std::sync::Arc::new(client.world.clone()),
        store: client.store.clone(),
        assertions: None,
        consent: std::sync::Arc::new(client.world.clone()),
        entropy: std::sync::Arc::new(pm_mcp_contract::ScriptedEntropy::seeded(1)),
        clock: client.clock.clone(),
    };
    let client = Client::new(&World::new());
    for (url, good) in [("http://mcp.example/mcp", false), ("http://localhost:1/mcp", true)] {
        let endpoint = pm_mcp_domain::authorization::HttpUrl::parse(url).unwrap();
        let made = pm_mcp_authorization::Authorizer::new(endpoint, client.settings.clone(), ports(&client));
        assert_eq!(made.is_ok(), good, "{url}");
    }
}
