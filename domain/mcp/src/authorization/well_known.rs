//! Where metadata is looked for, in which order
//! ([Authorization server discovery](https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/authorization-server-discovery)).

use alloc::format;
use alloc::vec::Vec;

use crate::access::Issuer;

use super::http_url::{HttpUrl, UrlFault};

/// Below this path lies the metadata of resources (RFC 9728 section 3).
pub(super) const PROTECTED_RESOURCE: &str = "/.well-known/oauth-protected-resource";
const AUTHORIZATION_SERVER: &str = "/.well-known/oauth-authorization-server";
const OPENID: &str = "/.well-known/openid-configuration";

/// Where the metadata of an authorization server may be, in the order in which clients try: three places for an issuer
/// with a path, two for one without.
///
/// # Errors
///
/// [`UrlFault`] when the issuer cannot be fetched from, or is too long to have anything appended.
pub fn authorization_server_metadata_urls(issuer: &Issuer) -> Result<Vec<HttpUrl>, UrlFault> {
    let url = HttpUrl::parse(issuer.as_str())?;
    // RFC 8414 section 3.1: a slash at the end does not count when the well-known part is inserted.
    let (origin, path) = (url.origin(), url.path());
    let path = path.strip_suffix('/').unwrap_or(path);
    let places = if path.is_empty() {
        Vec::from([format!("{origin}{AUTHORIZATION_SERVER}"), format!("{origin}{OPENID}")])
    } else {
        Vec::from([
            format!("{origin}{AUTHORIZATION_SERVER}{path}"),
            format!("{origin}{OPENID}{path}"),
            format!("{origin}{path}{OPENID}"),
        ])
    };
    places.iter().map(|place| HttpUrl::parse(place)).collect()
}

/// Where the metadata of a resource may be, in the order in which clients try: where the challenge says, then below the
/// well-known path with the endpoint's path, then at the well-known path itself.
///
/// # Errors
///
/// [`UrlFault`] when the endpoint is too long to have anything inserted.
pub fn protected_resource_metadata_urls(
    endpoint: &HttpUrl,
    named: Option<&HttpUrl>,
) -> Result<Vec<HttpUrl>, UrlFault> {
    let origin = endpoint.origin();
    let path = endpoint.path();
    let path = path.strip_suffix('/').unwrap_or(path);
    let mut places: Vec<HttpUrl> = named.cloned().into_iter().collect();
    for path in [path, ""] {
        let place = HttpUrl::parse(&format!("{origin}{PROTECTED_RESOURCE}{path}"))?;
        if !places.contains(&place) {
            places.push(place);
        }
    }
    Ok(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issuers_are_looked_up_in_the_order_of_the_specification() {
        for (issuer, expected) in [
            (
                "https://as.example",
                &[
                    "https://as.example/.well-known/oauth-authorization-server",
                    "https://as.example/.well-known/openid-configuration",
                ][..],
            ),
            (
                "https://as.example:8443/",
                &[
                    "https://as.example:8443/.well-known/oauth-authorization-server",
                    "https://as.example:8443/.well-known/openid-configuration",
                ],
            ),
            (
                "https://as.example/t1",
                &[
                    "https://as.example/.well-known/oauth-authorization-server/t1",
                    "https://as.example/.well-known/openid-configuration/t1",
                    "https://as.example/t1/.well-known/openid-configuration",
                ],
            ),
            (
                "https://as.example/a/T1/",
                &[
                    "https://as.example/.well-known/oauth-authorization-server/a/T1",
                    "https://as.example/.well-known/openid-configuration/a/T1",
                    "https://as.example/a/T1/.well-known/openid-configuration",
                ],
            ),
            (
                "http://localhost:9000",
                &[
                    "http://localhost:9000/.well-known/oauth-authorization-server",
                    "http://localhost:9000/.well-known/openid-configuration",
                ],
            ),
        ] {
            let urls = authorization_server_metadata_urls(&Issuer::parse(issuer).unwrap()).unwrap();
            assert_eq!(urls.iter().map(HttpUrl::as_str).collect::<Vec<_>>(), expected, "{issuer}");
        }
    }

    #[test]
    fn resources_are_looked_up_where_the_challenge_says_and_then_in_the_well_known_order() {
        let named = HttpUrl::parse("https://h/custom.json").unwrap();
        for (endpoint, named, expected) in [
            (
                "https://h/public/mcp",
                None,
                &[
                    "https://h/.well-known/oauth-protected-resource/public/mcp",
                    "https://h/.well-known/oauth-protected-resource",
                ][..],
            ),
            ("https://h", None, &["https://h/.well-known/oauth-protected-resource"]),
            ("https://h/", None, &["https://h/.well-known/oauth-protected-resource"]),
            (
                "https://h/mcp?x=1",
                Some(&named),
                &[
                    "https://h/custom.json",
                    "https://h/.well-known/oauth-protected-resource/mcp",
                    "https://h/.well-known/oauth-protected-resource",
                ],
            ),
        ] {
            let urls = protected_resource_metadata_urls(&HttpUrl::parse(endpoint).unwrap(), named).unwrap();
            assert_eq!(urls.iter().map(HttpUrl::as_str).collect::<Vec<_>>(), expected, "{endpoint}");
        }
    }
}
