//! Clients that have no user in front of them.

use std::error::Error;
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_authorization::{Authorizer, Ports};
use pm_mcp_contract::ScriptedEntropy;
use pm_mcp_domain::access::{Issuer, Resource};
use pm_mcp_domain::authorization::{FlowSettings, GrantKind, HttpUrl, KnownClient, Secret};
use pm_mcp_ports::driven::AssertionSource;
use serde_json::json;

use crate::world::{BARE, Client, ENDPOINT, ISSUER, REGISTER, TOKEN, World, settings};

fn tokens() -> serde_json::Value {
    json!({"access_token": "for-itself", "token_type": "Bearer"})
}

/// A client that was given a secret by the issuer.
fn known(grant: GrantKind) -> FlowSettings {
    let mut settings = FlowSettings { grant, wants_refresh_tokens: true, ..settings() };
    let (issuer, secret) = (Issuer::parse(ISSUER).unwrap(), Some(Secret::new("s")));
    settings.profile.known = vec![KnownClient { issuer, client_id: "machine".to_owned(), secret }];
    settings
}

#[tokio::test]
async fn a_client_stands_for_itself_with_its_secret() {
    let world = World::new();
    world.answer(TOKEN, 200, tokens());
    let client = Client::with(&world, known(GrantKind::ClientCredentials), Arc::default());
    client.refused(401, &format!(r#"{BARE}, scope="files:read""#)).await.unwrap();
    assert_eq!(client.token().await.as_deref(), Some("for-itself"));
    let [form] = world.forms(TOKEN).try_into().unwrap();
    assert_eq!(
        form,
        "grant_type=client_credentials&scope=files%3Aread&resource=https%3A%2F%2Fmcp.example%2Fmcp"
    );
    assert_eq!(world.script().authorizations, ["Basic bWFjaGluZTpz"]);
    assert_eq!(world.visits(), 0);
}

#[tokio::test]
async fn a_client_that_nobody_knows_cannot_stand_for_itself() {
    for grant in [GrantKind::ClientCredentials, GrantKind::Assertion] {
        let world = World::new();
        let client = Client::with(&world, FlowSettings { grant, ..settings() }, Arc::default());
        let said = client.fails(401, BARE).await;
        assert!(said.contains("has no id at https://as.example"), "{said}");
        assert_eq!((world.visits(), world.forms(REGISTER).len(), world.forms(TOKEN).len()), (0, 0, 0));
    }
}

/// Vouches, or does not.
#[derive(Debug)]
struct Voucher(Option<&'static str>);

#[async_trait]
impl AssertionSource for Voucher {
    async fn assertion(
        &self,
        issuer: &Issuer,
        resource: &Resource,
    ) -> Result<Secret, Box<dyn Error + Send + Sync>> {
        assert_eq!((issuer.as_str(), resource.as_str()), (ISSUER, ENDPOINT));
        self.0.map(Secret::new).ok_or_else(|| "the platform is busy".into())
    }
}

#[tokio::test]
async fn what_vouches_for_a_client_is_redeemed_once() {
    for (voucher, expected) in [
        (Some(Voucher(Some("a.b.c"))), Ok(())),
        (Some(Voucher(None)), Err("there is no assertion for the authorization server")),
        (None, Err("nobody gives an assertion for https://as.example; name a source of assertions")),
    ] {
        let world = World::new();
        world.answer(TOKEN, 200, tokens());
        let client = Client::new(&world);
        let ports = Ports {
            fetch: Arc::new(world.clone()),
            store: client.store.clone(),
            consent: Arc::new(world.clone()),
            assertions: voucher.map(|voucher| Arc::new(voucher) as Arc<dyn AssertionSource>),
            entropy: Arc::new(ScriptedEntropy::seeded(1)),
            clock: client.clock.clone(),
        };
        let endpoint = HttpUrl::parse(ENDPOINT).unwrap();
        let authorizer = Authorizer::new(endpoint, known(GrantKind::Assertion), ports).unwrap();
        let refusal =
            pm_mcp_authorization::Refusal { status: 401, challenges: &[BARE], token: None, operation: "x" };
        let outcome = authorizer.refused(refusal).await.map_err(|fault| fault.to_string());
        assert_eq!(outcome, expected.map_err(str::to_owned));
        let forms = world.forms(TOKEN);
        assert_eq!(forms.len(), usize::from(expected.is_ok()));
        assert!(forms.iter().all(|form| form.contains("jwt-bearer&assertion=a.b.c&resource=")), "{forms:?}");
        assert_eq!(world.visits(), 0);
    }
}
