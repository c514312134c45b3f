//! Client ID Metadata Documents: a client whose id is the URL of a document about it
//! ([Client ID Metadata Documents](https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/client-registration#client-id-metadata-documents)).

use alloc::string::String;
use alloc::vec::Vec;

use serde::Deserialize;
use thiserror::Error;

use super::http_url::HttpUrl;
use super::redirect_uri::RedirectUri;
use super::resource_metadata::LONGEST_METADATA;

/// The URL of a client's metadata document, which is its id.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClientDocumentUrl(HttpUrl);

impl ClientDocumentUrl {
    /// Reads the URL: HTTPS with a path, and none that could be written in two ways.
    ///
    /// # Errors
    ///
    /// [`ClientDocumentFault::Url`] otherwise.
    pub fn parse(url: &str) -> Result<Self, ClientDocumentFault> {
        let url = HttpUrl::parse(url).map_err(|_| ClientDocumentFault::Url)?;
        let has_dots = url.path().split('/').any(|segment| segment == "." || segment == "..");
        if !url.is_https() || url.path().len() < 2 || url.query().is_some() || has_dots {
            return Err(ClientDocumentFault::Url);
        }
        Ok(Self(url))
    }

    /// The URL, letter for letter.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

/// A document that was checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClientDocument {
    /// The name that users are shown.
    pub client_name: String,
    /// Where users may be sent back to; at least one.
    pub redirect_uris: Vec<RedirectUri>,
}

/// Why a client has no valid metadata document.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ClientDocumentFault {
    /// Its URL cannot be a client id.
    #[error(
        "the URL of a client's metadata document must be https with a path, without query, fragment and dot segments"
    )]
    Url,
    /// It is no JSON object with `client_id`, `client_name` and `redirect_uris`, or too long.
    #[error("the document lacks client_id, client_name or redirect_uris, or is no JSON object")]
    Malformed,
    /// Its `client_id` is not, letter for letter, its URL.
    #[error("the client_id of the document is not its URL, letter for letter")]
    OtherClient,
    /// It has no name to show.
    #[error("the client_name of the document is empty")]
    NoName,
    /// It names no place to send users back to, or one that is not safe.
    #[error("the redirect_uris of the document are empty, or one of them is not safe")]
    RedirectUris,
    /// It does not name the place that this client uses.
    #[error("the redirect_uris of the document do not list the redirect URI of this client")]
    OtherRedirectUri,
    /// It holds or asks for a shared secret, which a public document cannot keep.
    #[error("a public document cannot have a client_secret, nor a token_endpoint_auth_method that needs one")]
    Secret,
}

#[derive(Deserialize)]
struct Document {
    client_id: String,
    client_name: String,
    redirect_uris: Vec<String>,
    token_endpoint_auth_method: Option<String>,
    client_secret: Option<serde_json::Value>,
    client_secret_expires_at: Option<serde_json::Value>,
}

/// Checks the document that lies at a URL, for a client that is sent back to `redirect_uri`.
///
/// # Errors
///
/// The first thing that is wrong with it.
pub fn check_client_document(
    url: &ClientDocumentUrl,
    document: &[u8],
    redirect_uri: &RedirectUri,
) -> Result<ClientDocument, ClientDocumentFault> {
    if document.len() > LONGEST_METADATA {
        return Err(ClientDocumentFault::Malformed);
    }
    let read: Document = serde_json::from_slice(document).map_err(|_| ClientDocumentFault::Malformed)?;
    if read.client_id != url.as_str() {
        return Err(ClientDocumentFault::OtherClient);
    }
    if read.client_name.trim().is_empty() {
        return Err(ClientDocumentFault::NoName);
    }
    let shared = read.token_endpoint_auth_method.is_some_and(|method| method.starts_with("client_secret"));
    if shared || read.client_secret.is_some() || read.client_secret_expires_at.is_some() {
        return Err(ClientDocumentFault::Secret);
    }
    let redirect_uris: Result<Vec<RedirectUri>, _> =
        read.redirect_uris.iter().map(|uri| RedirectUri::parse(uri)).collect();
    let redirect_uris = redirect_uris.map_err(|_| ClientDocumentFault::RedirectUris)?;
    if redirect_uris.is_empty() {
        return Err(ClientDocumentFault::RedirectUris);
    }
    if !redirect_uris.contains(redirect_uri) {
        return Err(ClientDocumentFault::OtherRedirectUri);
    }
    Ok(ClientDocument { client_name: read.client_name, redirect_uris })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use std::string::ToString;

    const URL: &str = "https://app.example.com/oauth/client-metadata.json";

    fn check(change: impl FnOnce(&mut Value)) -> Result<ClientDocument, ClientDocumentFault> {
        let mut document = json!({
            "client_id": URL,
            "client_name": "Example MCP Client",
            "redirect_uris": ["http://127.0.0.1:3000/callback", "http://localhost:3000/callback"],
            "grant_types": ["authorization_code"],
            "token_endpoint_auth_method": "none",
        });
        change(&mut document);
        let redirect_uri = RedirectUri::parse("http://localhost:3000/callback").unwrap();
        check_client_document(
            &ClientDocumentUrl::parse(URL).unwrap(),
            document.to_string().as_bytes(),
            &redirect_uri,
        )
    }

    #[test]
    fn the_example_of_the_specification_is_valid() {
        let document = check(|_| ()).unwrap();
        assert_eq!((document.client_name.as_str(), document.redirect_uris.len()), ("Example MCP Client", 2));
        assert!(check(|document| document["token_endpoint_auth_method"] = json!("private_key_jwt")).is_ok());
    }

    #[test]
    fn urls_that_cannot_be_client_ids_are_refused() {
        for url in [
            "http://app.example.com/client.json",
            "http://localhost/client.json",
            "https://app.example.com",
            "https://app.example.com/",
            "https://app.example.com/a/../client.json",
            "https://app.example.com/./client.json",
            "https://app.example.com/client.json?v=1",
            "https://app.example.com/client.json#x",
            "https://user@app.example.com/client.json",
            "client",
        ] {
            assert_eq!(ClientDocumentUrl::parse(url), Err(ClientDocumentFault::Url), "{url}");
        }
    }

    #[test]
    fn a_document_must_be_whole_and_its_own() {
        let remove = |member: &'static str| {
            move |document: &mut Value| drop(document.as_object_mut().unwrap().remove(member))
        };
        let set = |member: &'static str, value: Value| move |document: &mut Value| document[member] = value;
        for (outcome, fault) in [
            (check(remove("client_id")), ClientDocumentFault::Malformed),
            (check(remove("client_name")), ClientDocumentFault::Malformed),
            (check(remove("redirect_uris")), ClientDocumentFault::Malformed),
            (check(|document| *document = json!([])), ClientDocumentFault::Malformed),
            (check(set("client_name", json!(" "))), ClientDocumentFault::NoName),
            (
                check(set("client_id", json!("https://app.example.com/oauth/client-metadata.json/"))),
                ClientDocumentFault::OtherClient,
            ),
            (
                check(set("client_id", json!("https://APP.example.com/oauth/client-metadata.json"))),
                ClientDocumentFault::OtherClient,
            ),
            (check(set("redirect_uris", json!([]))), ClientDocumentFault::RedirectUris),
            (
                check(set(
                    "redirect_uris",
                    json!(["http://localhost:3000/callback", "http://evil.example/"]),
                )),
                ClientDocumentFault::RedirectUris,
            ),
            (
                check(set("redirect_uris", json!(["http://127.0.0.1:3000/callback"]))),
                ClientDocumentFault::OtherRedirectUri,
            ),
            (
                check(set("redirect_uris", json!(["http://localhost:3001/callback"]))),
                ClientDocumentFault::OtherRedirectUri,
            ),
            (check(set("client_secret", json!("s"))), ClientDocumentFault::Secret),
            (
                check(set("token_endpoint_auth_method", json!("client_secret_post"))),
                ClientDocumentFault::Secret,
            ),
        ] {
            assert_eq!(outcome, Err(fault));
        }
    }
}
