//! URLs, as far as a server's address needs them.

use core::fmt;

use http::Uri;

/// An `http` or `https` URL without user and fragment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Url {
    uri: Uri,
    secure: bool,
}

impl Url {
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        let uri: Uri = text.trim().parse().map_err(|_| "it cannot be read")?;
        let secure = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            Some(_) | None => return Err("it must start with http:// or https://"),
        };
        match uri.authority() {
            Some(authority) if authority.as_str().contains('@') => Err("it must not hold a user"),
            Some(_) if uri.host().is_some_and(|host| !host.is_empty()) => Ok(Self { uri, secure }),
            Some(_) | None => Err("it names no host"),
        }
    }

    pub(crate) const fn is_secure(&self) -> bool {
        self.secure
    }

    /// The host, an IPv6 address without its brackets.
    pub(crate) fn host(&self) -> &str {
        self.uri.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']')
    }

    pub(crate) fn port(&self) -> u16 {
        self.uri.port_u16().unwrap_or(if self.secure { 443 } else { 80 })
    }

    /// Host and port as the `Host` header names them.
    pub(crate) fn authority(&self) -> &str {
        self.uri.authority().map_or("", |authority| authority.as_str())
    }

    /// Path and query.
    pub(crate) fn path(&self) -> &str {
        self.uri.path_and_query().map_or("/", |path| path.as_str())
    }

    /// Scheme, host and port.
    pub(crate) fn origin(&self) -> String {
        format!("{}://{}", if self.secure { "https" } else { "http" }, self.authority())
    }

    pub(crate) fn is_loopback(&self) -> bool {
        let host = self.host();
        host == "localhost" || host.parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback())
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.uri.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_taken_apart() {
        let url = Url::parse("https://example.org/mcp?a=b").unwrap();
        assert_eq!((url.host(), url.port(), url.path()), ("example.org", 443, "/mcp?a=b"));
        assert_eq!(url.origin(), "https://example.org");
        let url = Url::parse("http://[::1]:8080").unwrap();
        assert_eq!((url.host(), url.port(), url.path(), url.is_loopback()), ("::1", 8080, "/", true));
    }

    #[test]
    fn what_is_no_address_of_a_server_is_refused() {
        for text in ["ftp://example.org/", "http://", "http://user@example.org/", "http:// x"] {
            assert!(Url::parse(text).is_err(), "{text}");
        }
    }
}
