//! What a client keeps of one authorization server, and the bytes that a store keeps of it.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use zeroize::Zeroizing;

use crate::access::{Resource, Scopes};
use crate::time::Timestamp;

use super::client::{ClientAuthentication, ClientRegistration, RegistrationOrigin};
use super::secret::Secret;
use super::token_response::TokenSet;

/// The format that is written.
const FORMAT: u32 = 1;

/// How a client is known to one issuer, and its tokens from there, by the resource that they are good for. It means
/// nothing to any other issuer, and no token is good for any other resource.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Credential {
    /// The client, as the issuer knows it.
    pub client: ClientRegistration,
    tokens: BTreeMap<String, TokenSet>,
}

impl Credential {
    /// The credential of a client that has no tokens yet.
    pub const fn of(client: ClientRegistration) -> Self {
        Self { client, tokens: BTreeMap::new() }
    }

    /// The tokens for this very resource.
    pub fn tokens(&self, resource: &Resource) -> Option<&TokenSet> {
        self.tokens.get(resource.as_str())
    }

    /// With these tokens in the place of what was there for the resource.
    #[must_use]
    pub fn with_tokens(mut self, resource: &Resource, tokens: TokenSet) -> Self {
        self.tokens.insert(resource.as_str().to_owned(), tokens);
        self
    }

    /// Without tokens for the resource.
    #[must_use]
    pub fn without_tokens(mut self, resource: &Resource) -> Self {
        self.tokens.remove(resource.as_str());
        self
    }

    /// The stored form: one JSON object with every secret in the clear, so that only a store that protects it may keep it.
    ///
    /// # Errors
    ///
    /// [`CredentialFormFault`] never in practice: every credential can be written.
    pub fn encode(&self) -> Result<Zeroizing<Vec<u8>>, CredentialFormFault> {
        let (authentication, secret) = match &self.client.authentication {
            ClientAuthentication::None => (StoredAuthentication::None, None),
            ClientAuthentication::SecretBasic(secret) => (StoredAuthentication::SecretBasic, Some(secret)),
            ClientAuthentication::SecretPost(secret) => (StoredAuthentication::SecretPost, Some(secret)),
        };
        let stored = StoredForm {
            format: FORMAT,
            client_id: self.client.client_id.as_str().into(),
            client_secret: secret.map(|secret| secret.expose().to_owned().into()),
            authentication,
            origin: match self.client.origin {
                RegistrationOrigin::PreRegistered => StoredOrigin::PreRegistered,
                RegistrationOrigin::MetadataDocument => StoredOrigin::MetadataDocument,
                RegistrationOrigin::Dynamic => StoredOrigin::Dynamic,
                RegistrationOrigin::UserSupplied => StoredOrigin::UserSupplied,
            },
            tokens: self.tokens.iter().map(|(resource, tokens)| StoredTokens::of(resource, tokens)).collect(),
        };
        serde_json::to_vec(&stored).map(Zeroizing::new).map_err(|_| CredentialFormFault)
    }

    /// Reads the stored form.
    ///
    /// # Errors
    ///
    /// [`CredentialFormFault`] when the bytes are of no known format.
    pub fn decode(bytes: &[u8]) -> Result<Self, CredentialFormFault> {
        let stored: StoredForm = serde_json::from_slice(bytes).map_err(|_| CredentialFormFault)?;
        if stored.format != FORMAT {
            return Err(CredentialFormFault);
        }
        let secret = stored.client_secret.map(|secret| Secret::new(&secret));
        let authentication = match (stored.authentication, secret) {
            (StoredAuthentication::None, None) => ClientAuthentication::None,
            (StoredAuthentication::SecretBasic, Some(secret)) => ClientAuthentication::SecretBasic(secret),
            (StoredAuthentication::SecretPost, Some(secret)) => ClientAuthentication::SecretPost(secret),
            (StoredAuthentication::None, Some(_))
            | (StoredAuthentication::SecretBasic | StoredAuthentication::SecretPost, None) => {
                return Err(CredentialFormFault);
            }
        };
        let origin = match stored.origin {
            StoredOrigin::PreRegistered => RegistrationOrigin::PreRegistered,
            StoredOrigin::MetadataDocument => RegistrationOrigin::MetadataDocument,
            StoredOrigin::Dynamic => RegistrationOrigin::Dynamic,
            StoredOrigin::UserSupplied => RegistrationOrigin::UserSupplied,
        };
        let client = ClientRegistration { client_id: stored.client_id.to_string(), authentication, origin };
        let tokens = stored.tokens.into_iter().map(StoredTokens::read).collect::<Result<_, _>>()?;
        Ok(Self { client, tokens })
    }
}

/// The bytes are no credential, or one of a format that is not known here. Nothing of them is repeated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the stored credential is of no known format; remove it, and the user is asked for consent again")]
pub struct CredentialFormFault;

/// Text whose memory is cleared.
type Clearing = Zeroizing<String>;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredForm {
    format: u32,
    client_id: String,
    #[serde(with = "clearing", default, skip_serializing_if = "Option::is_none")]
    client_secret: Option<Clearing>,
    authentication: StoredAuthentication,
    origin: StoredOrigin,
    tokens: Vec<StoredTokens>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredAuthentication {
    None,
    SecretBasic,
    SecretPost,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredOrigin {
    PreRegistered,
    MetadataDocument,
    Dynamic,
    UserSupplied,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredTokens {
    resource: String,
    #[serde(with = "clearing")]
    access_token: Option<Clearing>,
    #[serde(with = "clearing", default, skip_serializing_if = "Option::is_none")]
    refresh_token: Option<Clearing>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scopes: Option<String>,
    /// Milliseconds since the Unix epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expires_ms: Option<i64>,
}

impl StoredTokens {
    fn of(resource: &str, tokens: &TokenSet) -> Self {
        Self {
            resource: resource.to_owned(),
            access_token: Some(tokens.access_token.expose().to_owned().into()),
            refresh_token: tokens.refresh_token.as_ref().map(|token| token.expose().to_owned().into()),
            scopes: tokens.scopes.as_ref().map(|scopes| alloc::format!("{scopes}")),
            expires_ms: tokens.expires.map(Timestamp::as_unix_ms),
        }
    }

    fn read(self) -> Result<(String, TokenSet), CredentialFormFault> {
        let scopes = self.scopes.map(|scopes| Scopes::parse(&scopes)).transpose();
        let tokens = TokenSet {
            access_token: Secret::new(&self.access_token.ok_or(CredentialFormFault)?),
            refresh_token: self.refresh_token.map(|token| Secret::new(&token)),
            scopes: scopes.map_err(|_| CredentialFormFault)?,
            expires: self.expires_ms.map(Timestamp::from_unix_ms),
        };
        Ok((self.resource, tokens))
    }
}

/// Secrets on their way to and from JSON.
mod clearing {
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    use super::{Clearing, String};

    pub(super) fn serialize<S: Serializer>(
        secret: &Option<Clearing>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        secret.as_ref().map(|secret| secret.as_str()).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Clearing>, D::Error> {
        Ok(Option::<String>::deserialize(deserializer)?.map(Clearing::new))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;

    fn credential(authentication: ClientAuthentication, origin: RegistrationOrigin) -> Credential {
        let client = ClientRegistration { client_id: "the-client".into(), authentication, origin };
        let tokens = |number: u32| TokenSet {
            access_token: Secret::new(&format!("access-{number}")),
            refresh_token: (number == 1).then(|| Secret::new("refresh-1")),
            scopes: (number == 1).then(|| Scopes::parse("a b").unwrap()),
            expires: (number == 1).then(|| Timestamp::from_unix_ms(5)),
        };
        Credential::of(client)
            .with_tokens(&Resource::parse("https://h/mcp").unwrap(), tokens(1))
            .with_tokens(&Resource::parse("https://h/mcp/").unwrap(), tokens(2))
    }

    #[test]
    fn credentials_come_back_as_they_were() {
        for (authentication, origin) in [
            (ClientAuthentication::None, RegistrationOrigin::MetadataDocument),
            (ClientAuthentication::SecretBasic(Secret::new("s\"ü")), RegistrationOrigin::Dynamic),
            (ClientAuthentication::SecretPost(Secret::new("s")), RegistrationOrigin::PreRegistered),
            (ClientAuthentication::None, RegistrationOrigin::UserSupplied),
        ] {
            let credential = credential(authentication, origin);
            assert_eq!(Credential::decode(&credential.encode().unwrap()), Ok(credential));
        }
    }

    #[test]
    fn format_1_is_read_for_ever() {
        let written = r#"{"format":1,"client_id":"the-client","client_secret":"s","authentication":"secret_post","origin":"pre_registered","tokens":[{"resource":"https://h/mcp","access_token":"access-1","refresh_token":"refresh-1","scopes":"a b","expires_ms":5},{"resource":"https://h/mcp/","access_token":"access-2"}]}"#;
        let expected =
            credential(ClientAuthentication::SecretPost(Secret::new("s")), RegistrationOrigin::PreRegistered);
        assert_eq!(Credential::decode(written.as_bytes()), Ok(expected.clone()));
        assert_eq!(expected.encode().unwrap().as_slice(), written.as_bytes());
    }

    #[test]
    fn tokens_are_good_for_one_resource() {
        let credential = credential(ClientAuthentication::None, RegistrationOrigin::Dynamic);
        let token = |resource: &str| {
            credential
                .tokens(&Resource::parse(resource).unwrap())
                .map(|tokens| tokens.access_token.expose().to_owned())
        };
        assert_eq!(token("https://h/mcp").as_deref(), Some("access-1"));
        assert_eq!(token("https://h/mcp/").as_deref(), Some("access-2"));
        assert_eq!((token("https://h"), token("https://H/mcp")), (None, None));
        assert!(!format!("{credential:?}").contains("access-1"));
    }

    #[test]
    fn other_bytes_are_no_credential() {
        for bytes in [
            "",
            "{}",
            r#"{"format":2,"client_id":"c","authentication":"none","origin":"dynamic","tokens":[]}"#,
            r#"{"format":1,"client_id":"c","authentication":"none","origin":"dynamic","tokens":[],"more":1}"#,
            r#"{"format":1,"client_id":"c","authentication":"secret_post","origin":"dynamic","tokens":[]}"#,
            r#"{"format":1,"client_id":"c","authentication":"none","origin":"dynamic","tokens":[{"resource":"r","access_token":null}]}"#,
        ] {
            assert_eq!(Credential::decode(bytes.as_bytes()), Err(CredentialFormFault), "{bytes}");
        }
    }
}
