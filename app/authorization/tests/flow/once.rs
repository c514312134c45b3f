//! Many who are refused at once.

use std::sync::Arc;

use pm_mcp_contract::ScriptedEntropy;

use crate::world::{BARE, Client, TOKEN, World, settings};

const CALLERS: usize = 20;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_who_are_refused_at_once_one_gets_the_token_for_all() {
    let world = World::new();
    let client = Arc::new(Client::new(&world));
    for round in 1..4 {
        let token = client.authorizer.token().await;
        let mut callers = Vec::new();
        for _ in 0..CALLERS {
            let (client, token) = (Arc::clone(&client), token.clone());
            callers.push(tokio::spawn(async move {
                client.refused_for(token, 401, BARE, "tools/list").await.unwrap();
                client.authorizer.succeeded("tools/list");
                client.token().await.unwrap()
            }));
        }
        let mut tokens = Vec::new();
        for caller in callers {
            tokens.push(caller.await.unwrap());
        }
        tokens.dedup();
        assert_eq!((tokens.len(), world.forms(TOKEN).len(), world.visits()), (1, round, 1));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn clients_that_share_a_store_never_spend_one_refresh_token_twice() {
    let world = World::new();
    let first = Client::new(&world);
    first.refused(401, BARE).await.unwrap();
    let clients: Vec<Arc<Client>> =
        (0..4).map(|_| Arc::new(Client::with(&world, settings(), first.store.clone()))).collect();
    for client in &clients {
        client.refused(401, BARE).await.unwrap();
        assert_eq!(client.token().await.as_deref(), Some("access-2"));
    }
    let callers = clients.iter().map(|client| {
        let client = Arc::clone(client);
        tokio::spawn(async move {
            client.refused(401, BARE).await.unwrap();
            client.token().await.unwrap()
        })
    });
    for caller in callers.collect::<Vec<_>>() {
        assert_eq!(caller.await.unwrap(), "access-3");
    }
    assert_eq!((world.forms(TOKEN).len(), world.visits()), (2, 1));
}

#[tokio::test]
async fn a_caller_that_goes_away_does_not_stop_what_was_begun() {
    let world = World::new();
    let client = Client::new(&world);
    let mut call = Box::pin(client.refused(401, BARE));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    for _ in 0..2 {
        assert!(call.as_mut().poll(&mut context).is_pending());
        tokio::task::yield_now().await;
    }
    drop(call);
    // Who comes next waits for the flow that is under way, and needs none of its own.
    client.refused(401, BARE).await.unwrap();
    assert_eq!((client.token().await.as_deref(), world.visits()), (Some("access-2"), 1));
}

#[tokio::test]
async fn without_random_bytes_nobody_is_asked() {
    let world = World::new();
    let client = Client::new(&world);
    let ports = pm_mcp_authorization::Ports {
        fetch: Arc::new(world.clone()),
        store: client.store.clone(),
        assertions: None,
        consent: Arc::new(world.clone()),
        entropy: Arc::new(ScriptedEntropy::seeded(1).failing(1)),
        clock: client.clock.clone(),
    };
    let endpoint = pm_mcp_domain::authorization::HttpUrl::parse(crate::world::ENDPOINT).unwrap();
    let authorizer = pm_mcp_authorization::Authorizer::new(endpoint, settings(), ports).unwrap();
    let refusal =
        pm_mcp_authorization::Refusal { status: 401, challenges: &[BARE], token: None, operation: "x" };
    let fault = authorizer.refused(refusal).await.unwrap_err();
    assert!(matches!(fault, pm_mcp_authorization::AuthorizeError::Entropy(_)), "{fault:?}");
    assert!(world.asked().is_empty());
}

#[tokio::test]
async fn nobody_who_has_a_token_waits_for_the_user() {
    let world = World::new();
    let client = Client::new(&world);
    client.refused(401, BARE).await.unwrap();
    world.script().hesitates = true;
    let mut step_up = Box::pin(client.refused(403, r#"Bearer error="insufficient_scope", scope="more""#));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    while world.visits() < 2 {
        assert!(step_up.as_mut().poll(&mut context).is_pending());
        tokio::task::yield_now().await;
    }
    assert_eq!(client.token().await.as_deref(), Some("access-2"));
    client.authorizer.succeeded("tools/list");
    world.script().hesitates = false;
    step_up.await.unwrap();
    assert_eq!(client.token().await.as_deref(), Some("access-4"));
}
