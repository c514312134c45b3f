//! The metadata of a protected resource, by which clients find who issues tokens for it
//! ([RFC 9728](https://www.rfc-editor.org/rfc/rfc9728)).

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use crate::access::{AccessPolicy, Issuer, Scopes};

/// Where the metadata of a resource begins to be looked for.
pub const PROTECTED_RESOURCE_PATH: &str = "/.well-known/oauth-protected-resource";

/// The metadata document of one resource, written down once, and where it is found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProtectedResource {
    json: String,
    url: String,
    path: String,
    host: String,
}

impl ProtectedResource {
    /// The document of a server with this policy. `scopes` are those that a client may ask consent for; none are
    /// named when there are none. `name` is for people.
    pub fn new(policy: &AccessPolicy, scopes: &Scopes, name: Option<&str>) -> Self {
        #[derive(Serialize)]
        struct Document<'a> {
            resource: &'a str,
            authorization_servers: Vec<&'a str>,
            #[serde(skip_serializing_if = "Vec::is_empty")]
            scopes_supported: Vec<&'a str>,
            bearer_methods_supported: [&'static str; 1],
            #[serde(skip_serializing_if = "Option::is_none")]
            resource_name: Option<&'a str>,
        }
        let resource = &policy.resource;
        let document = Document {
            resource: resource.as_str(),
            authorization_servers: policy.issuers.iter().map(Issuer::as_str).collect(),
            scopes_supported: scopes.iter().map(|scope| scope.as_str()).collect(),
            bearer_methods_supported: ["header"],
            resource_name: name,
        };
        // Texts can always be written.
        let json = serde_json::to_string(&document).unwrap_or_default();
        let path = match resource.path() {
            "/" => String::new(),
            path => path.into(),
        };
        let path = alloc::format!("{PROTECTED_RESOURCE_PATH}{path}");
        let url = alloc::format!("{}{path}", resource.origin());
        Self { json, url, path, host: resource.host().into() }
    }

    /// The document.
    pub fn as_json(&self) -> &str {
        &self.json
    }

    /// Where clients are told to find it.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The host of the resource, without port.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Whether the document is at `path` of a server whose endpoint is at `endpoint`: at the place of its resource, at that
    /// of the endpoint, which differs where a proxy changes paths, and at the root, where clients look last.
    pub fn is_at(&self, path: &str, endpoint: &str) -> bool {
        path == self.path
            || path
                .strip_prefix(PROTECTED_RESOURCE_PATH)
                .is_some_and(|rest| rest.is_empty() || rest == endpoint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Resource;

    fn document(resource: &str) -> ProtectedResource {
        let policy = AccessPolicy::new(
            Resource::parse(resource).unwrap(),
            Issuer::parse("https://as.example/t1").unwrap(),
        );
        ProtectedResource::new(&policy, &Scopes::parse("pm:write pm:read").unwrap(), None)
    }

    #[test]
    fn the_document_names_resource_issuers_and_scopes() {
        assert_eq!(
            document("https://h.example/mcp").as_json(),
            r#"{"resource":"https://h.example/mcp","authorization_servers":["https://as.example/t1"],"scopes_supported":["pm:read","pm:write"],"bearer_methods_supported":["header"]}"#
        );
    }

    #[test]
    fn the_well_known_segment_stands_between_host_and_path() {
        for (resource, url) in [
            ("https://h", "https://h/.well-known/oauth-protected-resource"),
            ("https://h/", "https://h/.well-known/oauth-protected-resource"),
            ("https://h/mcp", "https://h/.well-known/oauth-protected-resource/mcp"),
            ("https://h:1/base/a/mcp", "https://h:1/.well-known/oauth-protected-resource/base/a/mcp"),
        ] {
            assert_eq!(document(resource).url(), url);
        }
    }

    #[test]
    fn the_document_is_found_at_its_own_places_only() {
        let own = document("https://h/base/a/mcp");
        for (path, found) in [
            ("/.well-known/oauth-protected-resource", true),
            ("/.well-known/oauth-protected-resource/mcp", true),
            ("/.well-known/oauth-protected-resource/base/a/mcp", true),
            ("/.well-known/oauth-protected-resource/base/b/mcp", false),
            ("/.well-known/oauth-protected-resource/", false),
            ("/.well-known/oauth-protected-resource2", false),
            ("/mcp/.well-known/oauth-protected-resource", false),
        ] {
            assert_eq!(own.is_at(path, "/mcp"), found, "{path}");
        }
    }
}
