//! What a resource says of itself ([RFC 9728](https://www.rfc-editor.org/rfc/rfc9728)).

use alloc::string::String;
use alloc::vec::Vec;

use serde::Deserialize;
use thiserror::Error;

use crate::access::{Issuer, Resource, Scope, Scopes};

use super::http_url::HttpUrl;
use super::well_known::PROTECTED_RESOURCE;

/// The longest metadata document that is read, in bytes.
pub const LONGEST_METADATA: usize = 64 << 10;
/// The most authorization servers and scopes that a document may list.
const MOST_LISTED: usize = 256;

/// The metadata of a resource, as far as a client needs it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResourceMetadata {
    /// The identifier of the resource, letter for letter as it was published; what requests send as `resource`.
    pub resource: Resource,
    /// Who issues tokens for it: at least one, in the order of the document.
    pub authorization_servers: Vec<Issuer>,
    /// The scopes of basic use; absent is not the same as none.
    pub scopes_supported: Option<Scopes>,
}

/// Why a metadata document of a resource is not used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ResourceMetadataFault {
    /// It is no JSON object with the members that RFC 9728 asks for, or too long.
    #[error("the document is no metadata of a protected resource")]
    Malformed,
    /// It speaks for another resource than the one that was asked.
    #[error("the document speaks for {resource}, not for the server that was asked")]
    OtherResource {
        /// The resource that the document names.
        resource: Resource,
    },
    /// It names no authorization server that is reached over HTTPS.
    #[error("the document names no usable authorization server")]
    NoAuthorizationServer,
}

#[derive(Deserialize)]
struct Document {
    resource: String,
    #[serde(default)]
    authorization_servers: Vec<String>,
    #[serde(default)]
    scopes_supported: Option<Vec<String>>,
}

/// Reads the metadata that was found at `found_at` for an endpoint.
///
/// The document must speak for the endpoint itself. Only one that lies below the well-known path of the endpoint's own
/// origin may also speak for the part of the origin that its place stands for (RFC 9728 section 3.3): whoever serves the
/// root of an origin may say what all of it is, and nobody else may. Scheme and host are compared without regard to case,
/// everything else letter for letter.
///
/// # Errors
///
/// [`ResourceMetadataFault`] when the document must not be used.
pub fn read_resource_metadata(
    document: &[u8],
    endpoint: &HttpUrl,
    found_at: &HttpUrl,
) -> Result<ResourceMetadata, ResourceMetadataFault> {
    if document.len() > LONGEST_METADATA {
        return Err(ResourceMetadataFault::Malformed);
    }
    let read: Document = serde_json::from_slice(document).map_err(|_| ResourceMetadataFault::Malformed)?;
    let listed = read.scopes_supported.as_ref().map_or(0, Vec::len).max(read.authorization_servers.len());
    if listed > MOST_LISTED {
        return Err(ResourceMetadataFault::Malformed);
    }
    let resource = Resource::parse(&read.resource).map_err(|_| ResourceMetadataFault::Malformed)?;
    if !speaks_for(&resource, endpoint, found_at) {
        return Err(ResourceMetadataFault::OtherResource { resource });
    }
    let authorization_servers: Vec<Issuer> =
        read.authorization_servers.iter().filter_map(|server| Issuer::parse(server).ok()).collect();
    if authorization_servers.is_empty() {
        return Err(ResourceMetadataFault::NoAuthorizationServer);
    }
    let scopes_supported = read
        .scopes_supported
        .map(|scopes| scopes.iter().filter_map(|scope| Scope::parse(scope).ok()).collect::<Scopes>());
    Ok(ResourceMetadata { resource, authorization_servers, scopes_supported })
}

fn speaks_for(resource: &Resource, endpoint: &HttpUrl, found_at: &HttpUrl) -> bool {
    let Ok(named) = HttpUrl::parse(resource.as_str()) else { return false };
    if !named.same_origin(endpoint) {
        return false;
    }
    if (named.path(), named.query()) == (endpoint.path(), endpoint.query()) {
        return true;
    }
    let Some(place) =
        found_at.path().strip_prefix(PROTECTED_RESOURCE).filter(|_| found_at.same_origin(endpoint))
    else {
        return false;
    };
    let part = |path: &str| path.strip_suffix('/').unwrap_or(path).len();
    let (place, path) = (place.get(..part(place)), named.path().get(..part(named.path())));
    place == path && named.query().is_none() && path.is_some_and(|path| lies_below(endpoint.path(), path))
}

/// Whether a path is this one or lies below it.
fn lies_below(path: &str, above: &str) -> bool {
    path.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;
    use std::string::ToString;

    fn url(text: &str) -> HttpUrl {
        HttpUrl::parse(text).unwrap()
    }

    fn read(document: &str) -> Result<ResourceMetadata, ResourceMetadataFault> {
        let found_at = url("https://h/.well-known/oauth-protected-resource/mcp");
        read_resource_metadata(document.as_bytes(), &url("https://h/mcp"), &found_at)
    }

    #[test]
    fn a_document_is_read_letter_for_letter() {
        let document = r#"{"resource":"https://H:443/mcp","authorization_servers":["https://as/","ftp://x","http://as"],
            "scopes_supported":["b","a","a b"],"bearer_methods_supported":["header"],"unknown":{}}"#;
        let metadata = read(document).unwrap();
        assert_eq!(metadata.resource.as_str(), "https://H:443/mcp");
        assert_eq!(
            metadata.authorization_servers.iter().map(Issuer::as_str).collect::<Vec<_>>(),
            ["https://as/"]
        );
        assert_eq!(metadata.scopes_supported.unwrap().to_string(), "a b");
        let bare = read(r#"{"resource":"https://h/mcp","authorization_servers":["https://as"]}"#).unwrap();
        assert_eq!(bare.scopes_supported, None);
    }

    #[test]
    fn what_is_no_metadata_is_refused() {
        let many = format!(
            r#"{{"resource":"https://h/mcp","authorization_servers":["https://as"],"scopes_supported":[{}"a"]}}"#,
            r#""a","#.repeat(MOST_LISTED)
        );
        for document in [
            "",
            "<html></html>",
            "null",
            "[]",
            "{}",
            r#"{"resource":1,"authorization_servers":["https://as"]}"#,
            r#"{"resource":"https://h/mcp","authorization_servers":"https://as"}"#,
            r#"{"resource":"https://h/mcp","resource":"https://h/mcp","authorization_servers":["https://as"]}"#,
            r#"{"resource":"https://h/mcp#f","authorization_servers":["https://as"]}"#,
            r#"{"resource":"https://h/mcp","authorization_servers":["https://as"],"scopes_supported":"a"}"#,
            many.as_str(),
        ] {
            assert_eq!(read(document), Err(ResourceMetadataFault::Malformed), "{document:.80}");
        }
        for servers in
            ["", r#","authorization_servers":[]"#, r#","authorization_servers":["http://as","as"]"#]
        {
            let document = format!(r#"{{"resource":"https://h/mcp"{servers}}}"#);
            assert_eq!(read(&document), Err(ResourceMetadataFault::NoAuthorizationServer), "{servers}");
        }
    }

    #[test]
    fn a_document_speaks_for_no_more_than_its_place_stands_for() {
        const WELL_KNOWN: &str = "https://h/.well-known/oauth-protected-resource";
        for (resource, endpoint, found_at, good) in [
            ("https://h/mcp", "https://h/mcp", "https://h/custom.json", true),
            ("https://h/mcp", "https://h/mcp", "https://elsewhere/custom.json", true),
            ("HTTPS://H/mcp", "https://h:443/mcp", WELL_KNOWN, true),
            ("https://h", "https://h/mcp", WELL_KNOWN, true),
            ("https://h/", "https://h/mcp", WELL_KNOWN, true),
            (
                "https://h/base",
                "https://h/base/mcp",
                "https://h/.well-known/oauth-protected-resource/base",
                true,
            ),
            ("https://evil.example/mcp", "https://h/mcp", WELL_KNOWN, false),
            ("https://h:8443/mcp", "https://h/mcp", WELL_KNOWN, false),
            ("http://localhost/mcp", "https://localhost/mcp", WELL_KNOWN, false),
            ("https://h", "https://h/mcp", "https://h/custom.json", false),
            (
                "https://h",
                "https://h/tenant/mcp",
                "https://h/.well-known/oauth-protected-resource/tenant",
                false,
            ),
            ("https://h", "https://h/mcp", "https://evil/.well-known/oauth-protected-resource", false),
            ("https://h/m", "https://h/mcp", "https://h/.well-known/oauth-protected-resource/m", false),
            ("https://h/other", "https://h/mcp", WELL_KNOWN, false),
            ("https://h/mcp/", "https://h/mcp", WELL_KNOWN, false),
            ("https://h/MCP", "https://h/mcp", WELL_KNOWN, false),
            ("https://h/a%2Fb", "https://h/a/b", WELL_KNOWN, false),
            ("https://h/mcp?x", "https://h/mcp", WELL_KNOWN, false),
        ] {
            let document = format!(r#"{{"resource":"{resource}","authorization_servers":["https://as"]}}"#);
            let read = read_resource_metadata(document.as_bytes(), &url(endpoint), &url(found_at));
            let outcome = match &read {
                Ok(metadata) => metadata.resource.as_str() == resource,
                Err(fault) => !matches!(fault, ResourceMetadataFault::OtherResource { .. }),
            };
            assert_eq!(outcome, good, "{resource} for {endpoint} at {found_at}");
        }
    }
}
