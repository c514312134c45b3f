//! The addresses that authorization goes by: of the resource, and of those who issue tokens for it. They are compared letter
//! for letter, so they are kept as they were written.

use alloc::sync::Arc;
use core::fmt;

use thiserror::Error;

/// The canonical URI of this server, which tokens must have as an audience
/// ([Canonical server URI](https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#canonical-server-uri)).
///
/// The text is kept as it was given: `https://h` and `https://h/` are two resources.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Resource(Arc<str>);

impl Resource {
    /// The resource with this URI.
    ///
    /// # Errors
    ///
    /// [`AddressFault`] unless it is an `https` URI, or an `http` one of a loopback host, without fragment and user.
    pub fn parse(uri: &str) -> Result<Self, AddressFault> {
        let parts = Parts::of(uri)?;
        if parts.has_fragment {
            return Err(AddressFault::Fragment);
        }
        Ok(Self(uri.into()))
    }

    /// The URI, letter for letter.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Scheme and authority, such as `https://tools.example`.
    pub fn origin(&self) -> &str {
        self.0.split_at(path_start(&self.0)).0
    }

    /// The host as the header of that name spells it, without port; an IPv6 address in brackets.
    pub fn host(&self) -> &str {
        host_of(self.origin())
    }

    /// The path, as it is written: empty, or with a slash in front; without the query.
    pub fn path(&self) -> &str {
        let path = self.0.split_at(path_start(&self.0)).1;
        path.split_once('?').map_or(path, |(path, _)| path)
    }

    /// Whether it can be reached from this machine alone.
    pub fn is_loopback(&self) -> bool {
        is_loopback(host_of(self.origin()))
    }
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The identifier of an authorization server, as [RFC 8414 section 2](https://www.rfc-editor.org/rfc/rfc8414#section-2) has
/// it, kept letter for letter.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Issuer(Arc<str>);

impl Issuer {
    /// The issuer with this identifier.
    ///
    /// # Errors
    ///
    /// [`AddressFault`] unless it is an `https` URL, or an `http` one of a loopback host, without query, fragment and user.
    pub fn parse(url: &str) -> Result<Self, AddressFault> {
        let parts = Parts::of(url)?;
        if parts.has_fragment {
            return Err(AddressFault::Fragment);
        }
        if parts.has_query {
            return Err(AddressFault::Query);
        }
        Ok(Self(url.into()))
    }

    /// The identifier, letter for letter.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it can be reached from this machine alone, and so needs no HTTPS.
    pub fn is_loopback(&self) -> bool {
        is_loopback(host_of(self.0.split_at(path_start(&self.0)).0))
    }
}

impl fmt::Display for Issuer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Why a text is no address that authorization can go by. It does not repeat the text, which may hold a password.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum AddressFault {
    /// It is no absolute URI of visible ASCII.
    #[error("must be an absolute URI of visible ASCII characters, such as https://tools.example/mcp")]
    NotAbsolute,
    /// It is neither `https`, nor `http` on a loopback host.
    #[error("must begin with https://; http:// is for loopback hosts (localhost, 127.0.0.1, [::1]) only")]
    NotHttps,
    /// It names a user or password.
    #[error("must not hold a user name or password")]
    UserInfo,
    /// It has a fragment.
    #[error("must not have a fragment; leave out the part from # on")]
    Fragment,
    /// It has a query where none may be.
    #[error("must not have a query; leave out the part from ? on")]
    Query,
}

/// What has to be known of an address.
struct Parts {
    has_query: bool,
    has_fragment: bool,
}

impl Parts {
    fn of(uri: &str) -> Result<Self, AddressFault> {
        if !uri.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte)) {
            return Err(AddressFault::NotAbsolute);
        }
        let (secure, rest) = match uri.split_once("://") {
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("https") => (true, rest),
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("http") => (false, rest),
            Some(_) => return Err(AddressFault::NotHttps),
            None => return Err(AddressFault::NotAbsolute),
        };
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        if authority.contains('@') {
            return Err(AddressFault::UserInfo);
        }
        let host = host_of(uri.split_at(path_start(uri)).0);
        if host.is_empty() || !has_usable_port(authority) {
            return Err(AddressFault::NotAbsolute);
        }
        if !secure && !is_loopback(host) {
            return Err(AddressFault::NotHttps);
        }
        let (before, fragment) = rest.split_once('#').map_or((rest, false), |(before, _)| (before, true));
        Ok(Self { has_query: before.contains('?'), has_fragment: fragment })
    }
}

/// Where the authority of an absolute URI ends.
fn path_start(uri: &str) -> usize {
    let authority = uri.find("://").map_or(0, |at| at + 3);
    let rest = uri.get(authority..).unwrap_or_default();
    authority + rest.find(['/', '?', '#']).unwrap_or(rest.len())
}

/// The host of an origin, brackets of an IPv6 address included.
fn host_of(origin: &str) -> &str {
    let authority = origin.split_once("://").map_or(origin, |(_, authority)| authority);
    match authority.find(']') {
        Some(end) => authority.split_at(end + 1).0,
        None => authority.split_once(':').map_or(authority, |(host, _)| host),
    }
}

fn has_usable_port(authority: &str) -> bool {
    let after_host = authority.get(host_of(authority).len()..).unwrap_or_default();
    match after_host.strip_prefix(':') {
        None => after_host.is_empty(),
        Some(port) => port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok(),
    }
}

fn is_loopback(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost")
        || host == "[::1]"
        || host.parse::<core::net::Ipv4Addr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resources_are_kept_letter_for_letter() {
        for (uri, origin, path) in [
            ("https://h", "https://h", ""),
            ("https://h/", "https://h", "/"),
            ("https://H:8443/a%2Fb/mcp?x=1", "https://H:8443", "/a%2Fb/mcp"),
            ("http://127.0.0.1:3000/mcp", "http://127.0.0.1:3000", "/mcp"),
            ("http://[::1]:3000/mcp", "http://[::1]:3000", "/mcp"),
            ("http://localhost/mcp", "http://localhost", "/mcp"),
        ] {
            let resource = Resource::parse(uri).unwrap();
            assert_eq!((resource.as_str(), resource.origin(), resource.path()), (uri, origin, path));
        }
    }

    #[test]
    fn unsafe_addresses_are_refused_by_what_is_wrong() {
        for (uri, fault) in [
            ("", AddressFault::NotAbsolute),
            ("tools.example/mcp", AddressFault::NotAbsolute),
            ("https:///mcp", AddressFault::NotAbsolute),
            ("https://h:99999/", AddressFault::NotAbsolute),
            ("https://h:x/", AddressFault::NotAbsolute),
            ("https://h ost", AddressFault::NotAbsolute),
            ("https://h\"/", AddressFault::NotAbsolute),
            ("https://hé", AddressFault::NotAbsolute),
            ("http://tools.example/mcp", AddressFault::NotHttps),
            ("http://127.0.0.1.evil.example/", AddressFault::NotHttps),
            ("http://localhost.evil.example/", AddressFault::NotHttps),
            ("ftp://h/", AddressFault::NotHttps),
            ("https://user:secret@h/", AddressFault::UserInfo),
            ("https://h/mcp#x", AddressFault::Fragment),
            ("https://h/mcp?a#x", AddressFault::Fragment),
        ] {
            assert_eq!(Resource::parse(uri).unwrap_err(), fault, "{uri}");
            assert_eq!(Issuer::parse(uri).unwrap_err(), fault, "{uri}");
        }
        assert_eq!(Issuer::parse("https://as/?tenant=1").unwrap_err(), AddressFault::Query);
    }
}
