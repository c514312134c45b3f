//! The laws of the credential store, held by the memory store.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

use pm_mcp_contract::{VolatileCredentials, credential_store_contract};
use pm_mcp_domain::access::Issuer;
use pm_mcp_domain::authorization::{
    ClientAuthentication, ClientRegistration, Credential, RegistrationOrigin,
};
use pm_mcp_memory::MemoryCredentialStore;
use pm_mcp_ports::driven::{CredentialStore, SaveCredentialError};

credential_store_contract!(VolatileCredentials(MemoryCredentialStore::default));

#[tokio::test]
async fn a_full_store_says_what_to_change() {
    let store = MemoryCredentialStore::with_capacity(1);
    let credential = Credential::of(ClientRegistration {
        client_id: "c".to_owned(),
        authentication: ClientAuthentication::None,
        origin: RegistrationOrigin::Dynamic,
    });
    let issuer = |name: &str| Issuer::parse(&format!("https://{name}.example")).unwrap();
    let revision = store.save(&issuer("a"), &credential, None).await.unwrap();
    let full = store.save(&issuer("b"), &credential, None).await.unwrap_err();
    assert!(
        matches!(&full, SaveCredentialError::Full { limit } if limit.contains("give it room")),
        "{full:?}"
    );
    store.save(&issuer("a"), &credential, Some(revision)).await.unwrap();
}

#[tokio::test]
async fn values_are_cloned_in_and_out_and_cross_no_issuers() {
    let store = MemoryCredentialStore::default();
    let client = ClientRegistration {
        client_id: "c".to_owned(),
        authentication: ClientAuthentication::None,
        origin: RegistrationOrigin::Dynamic,
    };
    let [at, near] =
        ["https://as.example", "https://as.example/"].map(|issuer| Issuer::parse(issuer).unwrap());
    let mut given = Credential::of(client);
    let saved = store.save(&at, &given, None).await.unwrap();
    given.client.client_id.push_str(" changed");
    let mut taken = store.load(&at).await.unwrap().unwrap().credential;
    assert_eq!(taken.client.client_id, "c");
    taken.client.client_id.push_str(" changed too");
    assert_eq!(store.load(&at).await.unwrap().unwrap().credential.client.client_id, "c");
    assert_eq!(store.load(&near).await.unwrap(), None);
    let other = store.save(&near, &given, None).await.unwrap();
    store.remove(&at, saved).await.unwrap();
    assert_eq!(store.load(&at).await.unwrap(), None);
    assert_eq!(store.load(&near).await.unwrap().unwrap().revision, other);
}
