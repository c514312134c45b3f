//! What an authorization server says of itself ([RFC 8414](https://www.rfc-editor.org/rfc/rfc8414), OpenID Connect
//! Discovery).

use alloc::string::String;
use alloc::vec::Vec;

use serde::Deserialize;
use thiserror::Error;

use crate::access::{Issuer, Scope, Scopes};

use super::http_url::HttpUrl;
use super::resource_metadata::LONGEST_METADATA;

/// The most values that a list of the document may have.
const MOST_LISTED: usize = 1024;

/// The metadata of an authorization server, as far as a client needs it. A value that exists was checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ServerMetadata {
    /// Who it is, letter for letter the issuer that was asked.
    pub issuer: Issuer,
    /// Where users are sent to.
    pub authorization_endpoint: HttpUrl,
    /// Where codes and refresh tokens are redeemed.
    pub token_endpoint: HttpUrl,
    /// Where clients register themselves.
    pub registration_endpoint: Option<HttpUrl>,
    /// Where tokens are taken back.
    pub revocation_endpoint: Option<HttpUrl>,
    /// The scopes that it knows of, if it says so.
    pub scopes_supported: Option<Scopes>,
    /// How clients may authenticate at the token endpoint, in the order of the document; `client_secret_basic` if it does
    /// not say (RFC 8414 section 2).
    pub token_endpoint_auth_methods: Vec<String>,
    /// Whether every authorization response says who it is from (RFC 9207).
    pub response_names_issuer: bool,
    /// Whether the URL of a client's metadata document may serve as its id.
    pub takes_client_documents: bool,
}

/// Why a metadata document of an authorization server is not used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ServerMetadataFault {
    /// It is no JSON object with the members that RFC 8414 asks for, or too long.
    #[error("the document is no metadata of an authorization server")]
    Malformed,
    /// Its issuer is not, letter for letter, the one that was asked.
    #[error(
        "the document is from another issuer than the one that was asked; issuers are compared letter for letter"
    )]
    OtherIssuer,
    /// It does not offer PKCE by S256, without which a code that was stolen can be redeemed.
    #[error("the authorization server does not offer PKCE with S256 (code_challenge_methods_supported)")]
    NoPkce,
    /// It does not offer the code flow.
    #[error("the authorization server does not offer the response type code")]
    NoCodeFlow,
    /// An endpoint is no HTTPS URL, and none of this machine.
    #[error("the {member} of the authorization server is no HTTPS URL")]
    Endpoint {
        /// The member of the document.
        member: &'static str,
    },
}

#[derive(Deserialize)]
struct Document {
    issuer: String,
    authorization_endpoint: Option<String>,
    token_endpoint: Option<String>,
    registration_endpoint: Option<String>,
    revocation_endpoint: Option<String>,
    response_types_supported: Option<Vec<String>>,
    scopes_supported: Option<Vec<String>>,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
    code_challenge_methods_supported: Option<Vec<String>>,
    authorization_response_iss_parameter_supported: Option<bool>,
    client_id_metadata_document_supported: Option<bool>,
}

/// Reads the metadata that was found for an issuer.
///
/// # Errors
///
/// [`ServerMetadataFault`] when the document must not be used.
pub fn read_server_metadata(document: &[u8], asked: &Issuer) -> Result<ServerMetadata, ServerMetadataFault> {
    if document.len() > LONGEST_METADATA {
        return Err(ServerMetadataFault::Malformed);
    }
    let read: Document = serde_json::from_slice(document).map_err(|_| ServerMetadataFault::Malformed)?;
    // First of all: whatever else the document of another says is none of our business.
    if read.issuer != asked.as_str() {
        return Err(ServerMetadataFault::OtherIssuer);
    }
    let lists = [
        &read.response_types_supported,
        &read.scopes_supported,
        &read.token_endpoint_auth_methods_supported,
        &read.code_challenge_methods_supported,
    ];
    if lists.iter().any(|list| list.as_ref().is_some_and(|list| list.len() > MOST_LISTED)) {
        return Err(ServerMetadataFault::Malformed);
    }
    let offers = |list: &Option<Vec<String>>, value: &str| {
        list.as_ref().map(|list| list.iter().any(|found| found == value))
    };
    if offers(&read.code_challenge_methods_supported, "S256") != Some(true) {
        return Err(ServerMetadataFault::NoPkce);
    }
    if offers(&read.response_types_supported, "code") == Some(false) {
        return Err(ServerMetadataFault::NoCodeFlow);
    }
    let required =
        |member, url: Option<String>| endpoint(member, url)?.ok_or(ServerMetadataFault::Endpoint { member });
    Ok(ServerMetadata {
        issuer: asked.clone(),
        authorization_endpoint: required("authorization_endpoint", read.authorization_endpoint)?,
        token_endpoint: required("token_endpoint", read.token_endpoint)?,
        registration_endpoint: endpoint("registration_endpoint", read.registration_endpoint)?,
        revocation_endpoint: endpoint("revocation_endpoint", read.revocation_endpoint)?,
        scopes_supported: read
            .scopes_supported
            .map(|scopes| scopes.iter().filter_map(|scope| Scope::parse(scope).ok()).collect()),
        token_endpoint_auth_methods: read
            .token_endpoint_auth_methods_supported
            .unwrap_or_else(|| Vec::from([String::from("client_secret_basic")])),
        response_names_issuer: read.authorization_response_iss_parameter_supported.unwrap_or(false),
        takes_client_documents: read.client_id_metadata_document_supported.unwrap_or(false),
    })
}

fn endpoint(member: &'static str, url: Option<String>) -> Result<Option<HttpUrl>, ServerMetadataFault> {
    let Some(url) = url else { return Ok(None) };
    let url = HttpUrl::parse(&url).ok().filter(HttpUrl::is_protected);
    url.map(Some).ok_or(ServerMetadataFault::Endpoint { member })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use std::format;
    use std::string::ToString;

    fn read(document: &Value) -> Result<ServerMetadata, ServerMetadataFault> {
        read_server_metadata(
            document.to_string().as_bytes(),
            &Issuer::parse("https://as.example/t1").unwrap(),
        )
    }

    fn good() -> Value {
        json!({
            "issuer": "https://as.example/t1",
            "authorization_endpoint": "https://as.example/authorize?x=1",
            "token_endpoint": "https://as.example/token",
            "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["plain", "S256"],
        })
    }

    fn with(member: &str, value: Value) -> Value {
        let mut document = good();
        document[member] = value;
        document
    }

    #[test]
    fn a_good_document_is_read() {
        let metadata = read(&good()).unwrap();
        assert_eq!(metadata.token_endpoint.as_str(), "https://as.example/token");
        assert_eq!(metadata.token_endpoint_auth_methods, ["client_secret_basic"]);
        assert!(!metadata.response_names_issuer && !metadata.takes_client_documents);
        assert!(read(&with("token_endpoint", json!("http://127.0.0.1:9/token"))).is_ok());
        assert!(read(&with("unknown", json!({"a": 1}))).is_ok());
    }

    #[test]
    fn issuers_are_compared_letter_for_letter() {
        for issuer in [
            "https://as.example/t1/",
            "https://as.example/T1",
            "https://AS.example/t1",
            "HTTPS://as.example/t1",
            "https://as.example:443/t1",
            "https://as.example/%741",
            "https://as.example/t1 ",
            "https://attacker.example",
            "",
        ] {
            let outcome = read(&with("issuer", json!(issuer)));
            assert_eq!(outcome, Err(ServerMetadataFault::OtherIssuer), "{issuer}");
        }
    }

    #[test]
    fn a_server_without_s256_is_refused() {
        for methods in [json!(null), json!([]), json!(["plain"]), json!(["s256"])] {
            let document = with("code_challenge_methods_supported", methods);
            assert_eq!(read(&document), Err(ServerMetadataFault::NoPkce), "{document}");
        }
        let document = with("response_types_supported", json!(["token"]));
        assert_eq!(read(&document), Err(ServerMetadataFault::NoCodeFlow));
    }

    #[test]
    fn endpoints_are_https_or_this_machine() {
        for member in
            ["authorization_endpoint", "token_endpoint", "registration_endpoint", "revocation_endpoint"]
        {
            for url in [
                "http://as.example/x",
                "javascript:alert(1)",
                "/x",
                "https://as.example/#x",
                "https://u@as.example/",
                "",
            ] {
                let outcome = read(&with(member, json!(url)));
                assert_eq!(outcome, Err(ServerMetadataFault::Endpoint { member }), "{member} {url}");
            }
        }
        for member in ["authorization_endpoint", "token_endpoint"] {
            let outcome = read(&with(member, json!(null)));
            assert_eq!(outcome, Err(ServerMetadataFault::Endpoint { member }));
        }
    }

    #[test]
    fn what_is_no_metadata_is_refused() {
        let asked = Issuer::parse("https://as.example/t1").unwrap();
        let twice = r#"{"issuer":"https://as.example/t1","issuer":"https://as.example/t1"}"#;
        let long = format!("{{\"x\":\"{}\"}}", "a".repeat(LONGEST_METADATA));
        for document in ["", "<html>", "[]", "null", "{}", twice, &long] {
            let outcome = read_server_metadata(document.as_bytes(), &asked);
            assert_eq!(outcome, Err(ServerMetadataFault::Malformed), "{document:.60}");
        }
        for (member, value) in [
            ("issuer", json!(1)),
            ("token_endpoint", json!(["https://as.example/token"])),
            ("code_challenge_methods_supported", json!("S256")),
            ("authorization_response_iss_parameter_supported", json!("true")),
            ("scopes_supported", json!(std::vec!["a"; MOST_LISTED + 1])),
        ] {
            assert_eq!(read(&with(member, value)), Err(ServerMetadataFault::Malformed), "{member}");
        }
    }
}
