//! Issuers and credentials to try.

use pm_mcp_domain::access::{Issuer, Resource, Scopes};
use pm_mcp_domain::authorization::{
    ClientAuthentication, ClientRegistration, Credential, RegistrationOrigin, Secret, TokenSet,
};
use pm_mcp_domain::time::Timestamp;

use crate::law::Violation;

/// Stands in every secret of [`credential`].
pub(super) const SECRET: &str = "Zq7-hidden-Zq7-hidden-Zq7";

pub(super) fn issuer(url: &str) -> Result<Issuer, Violation> {
    Ok(Issuer::parse(url)?)
}

/// A credential with everything that one can have, and different for each number.
pub(super) fn credential(number: u32) -> Result<Credential, Violation> {
    let client = ClientRegistration {
        client_id: format!("client {number} ü\u{0}\""),
        authentication: ClientAuthentication::SecretBasic(Secret::new(&format!("{SECRET}c{number}"))),
        origin: RegistrationOrigin::Dynamic,
    };
    let full = TokenSet {
        access_token: Secret::new(&format!("{SECRET}a{number}")),
        refresh_token: Some(Secret::new(&format!("{SECRET}r{number}"))),
        scopes: Some(Scopes::parse("files:read files:write")?),
        expires: Some(Timestamp::from_unix_ms(i64::from(number))),
    };
    let bare = TokenSet { refresh_token: None, scopes: None, expires: None, ..full.clone() };
    let of = Credential::of(client);
    Ok(of
        .with_tokens(&Resource::parse("https://h/mcp")?, full)
        .with_tokens(&Resource::parse("https://h/mcp/")?, bare))
}
