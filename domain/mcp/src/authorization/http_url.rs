//! Absolute `http` and `https` URLs, kept letter for letter.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;
use core::net::{Ipv4Addr, Ipv6Addr};

use thiserror::Error;

/// The longest URL that is read, in bytes.
pub const LONGEST_URL: usize = 2048;

/// An absolute `http` or `https` URL without user information and fragment.
///
/// It is split and never rewritten: identifiers of authorization servers and resources are compared and sent exactly as
/// they were published, so nothing here folds case, drops a port or decodes an escape.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HttpUrl {
    text: String,
    https: bool,
    /// Where the authority begins.
    authority: usize,
    /// Where the host ends and, if there is one, the port with its colon begins.
    host_end: usize,
    port: Option<u16>,
    /// Where the authority ends and the path begins.
    path: usize,
    /// Where the path ends and, if there is one, the query with its question mark begins.
    path_end: usize,
}

/// Why a text is no URL that is used here. No fault repeats the text, which may hold a credential.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum UrlFault {
    /// It is longer than [`LONGEST_URL`].
    #[error("the URL is longer than {LONGEST_URL} bytes")]
    TooLong,
    /// It does not begin with `https://` or `http://`.
    #[error("the URL does not begin with https:// or http://")]
    Scheme,
    /// It holds a character that URLs do not hold, such as a blank or a control character.
    #[error("the URL holds a character that must be percent-encoded")]
    Character,
    /// It names a user before its host.
    #[error("the URL holds a user name; leave out everything before and with the @")]
    User,
    /// Its host is missing or no name and no address.
    #[error("the URL has no host name or address")]
    Host,
    /// Its port is no number from 1 to 65535.
    #[error("the port of the URL is no number from 1 to 65535")]
    Port,
    /// It has a fragment.
    #[error("the URL has a fragment; leave out the # and everything behind it")]
    Fragment,
}

impl HttpUrl {
    /// Reads a URL.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong with it.
    pub fn parse(text: &str) -> Result<Self, UrlFault> {
        if text.len() > LONGEST_URL {
            return Err(UrlFault::TooLong);
        }
        let https = starts_with_ignoring_case(text, "https://");
        if !https && !starts_with_ignoring_case(text, "http://") {
            return Err(UrlFault::Scheme);
        }
        if text.contains('#') {
            return Err(UrlFault::Fragment);
        }
        if !text.bytes().all(is_url_byte) {
            return Err(UrlFault::Character);
        }
        let authority = if https { "https://".len() } else { "http://".len() };
        let rest = text.get(authority..).unwrap_or_default();
        let path = authority + rest.find(['/', '?']).unwrap_or(rest.len());
        let path_end = text.find('?').unwrap_or(text.len());
        let whole = text.get(authority..path).unwrap_or_default();
        if whole.contains('@') {
            return Err(UrlFault::User);
        }
        let host_len = match whole.rfind(']') {
            Some(end) => end + 1,
            None => whole.find(':').unwrap_or(whole.len()),
        };
        let (host, port) = whole.split_at_checked(host_len).unwrap_or((whole, ""));
        if !is_host(host) {
            return Err(UrlFault::Host);
        }
        let port = match port.strip_prefix(':') {
            None if port.is_empty() => None,
            None => return Err(UrlFault::Host),
            Some(digits) => Some(read_port(digits).ok_or(UrlFault::Port)?),
        };
        Ok(Self {
            text: text.to_owned(),
            https,
            authority,
            host_end: authority + host_len,
            port,
            path,
            path_end,
        })
    }

    /// The URL as it was given.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether its scheme is `https`.
    pub const fn is_https(&self) -> bool {
        self.https
    }

    /// Its host: a name, an IPv4 address, or an IPv6 address in brackets.
    pub fn host(&self) -> &str {
        self.text.get(self.authority..self.host_end).unwrap_or_default()
    }

    /// Its port, or the one that its scheme stands for.
    pub fn port(&self) -> u16 {
        self.port.unwrap_or(if self.https { 443 } else { 80 })
    }

    /// Host and port as they were given.
    pub fn authority(&self) -> &str {
        self.text.get(self.authority..self.path).unwrap_or_default()
    }

    /// Scheme, host and port as they were given, such as `https://mcp.example.com:8443`.
    pub fn origin(&self) -> &str {
        self.text.get(..self.path).unwrap_or_default()
    }

    /// Its path: empty, or beginning with a slash.
    pub fn path(&self) -> &str {
        self.text.get(self.path..self.path_end).unwrap_or_default()
    }

    /// Its query without the question mark.
    pub fn query(&self) -> Option<&str> {
        self.text.get(self.path_end + 1..)
    }

    /// Whether its host names this very machine: `localhost`, an address of `127.0.0.0/8`, or `[::1]`.
    pub fn is_loopback(&self) -> bool {
        let host = self.host();
        if host.eq_ignore_ascii_case("localhost") {
            return true;
        }
        match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
            Some(address) => address.parse::<Ipv6Addr>().is_ok_and(|address| address.is_loopback()),
            None => host.parse::<Ipv4Addr>().is_ok_and(|address| address.is_loopback()),
        }
    }

    /// Whether nobody on the way can read or change what is exchanged: `https`, or a host that is this very machine.
    pub fn is_protected(&self) -> bool {
        self.https || self.is_loopback()
    }

    /// Whether both have the same scheme, host and port. The case of scheme and host does not matter, and a port that
    /// the scheme stands for may be left out.
    pub fn same_origin(&self, other: &Self) -> bool {
        self.https == other.https
            && self.port() == other.port()
            && self.host().eq_ignore_ascii_case(other.host())
    }
}

impl fmt::Debug for HttpUrl {
    /// Without the query, which may hold a code or a state.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let query = if self.query().is_some() { "?.." } else { "" };
        write!(f, "HttpUrl({}{}{query})", self.origin(), self.path())
    }
}

fn starts_with_ignoring_case(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|found| found.eq_ignore_ascii_case(start))
}

/// Whether a URL may hold the byte as it is (RFC 3986 section 2).
const fn is_url_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'-' | b'.'
                | b'_'
                | b'~'
                | b'%'
                | b':'
                | b'/'
                | b'?'
                | b'['
                | b']'
                | b'@'
                | b'!'
                | b'$'
                | b'&'
                | b'\''
                | b'('
                | b')'
                | b'*'
                | b'+'
                | b','
                | b';'
                | b'='
        )
}

fn is_host(host: &str) -> bool {
    match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(address) => address.parse::<Ipv6Addr>().is_ok(),
        None => {
            !host.is_empty()
                && host.len() <= 253
                && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_'))
                && host.bytes().any(|byte| byte.is_ascii_alphanumeric())
        }
    }
}

fn read_port(digits: &str) -> Option<u16> {
    if !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok().filter(|port| *port != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;

    #[test]
    fn urls_are_split_and_kept_letter_for_letter() {
        for (text, host, port, path, query) in [
            ("https://as.example", "as.example", 443, "", None),
            ("HTTPS://As.Example:443/", "As.Example", 443, "/", None),
            ("http://localhost:8080/a/b%2Fc?x=/y?z", "localhost", 8080, "/a/b%2Fc", Some("x=/y?z")),
            ("https://[2001:db8::1]:8443/t?", "[2001:db8::1]", 8443, "/t", Some("")),
            ("https://h?q", "h", 443, "", Some("q")),
        ] {
            let url = HttpUrl::parse(text).unwrap();
            assert_eq!((url.as_str(), url.host(), url.port()), (text, host, port), "{text}");
            assert_eq!((url.path(), url.query()), (path, query), "{text}");
        }
    }

    #[test]
    fn what_is_no_url_is_refused() {
        for (text, fault) in [
            ("", UrlFault::Scheme),
            ("mcp.example.com", UrlFault::Scheme),
            ("ftp://h/", UrlFault::Scheme),
            ("javascript:alert(1)", UrlFault::Scheme),
            ("https:/h", UrlFault::Scheme),
            ("https://", UrlFault::Host),
            ("https:///path", UrlFault::Host),
            ("https://./", UrlFault::Host),
            ("https://h\\@evil/", UrlFault::Character),
            ("https://ü/", UrlFault::Character),
            ("https://h/a b", UrlFault::Character),
            ("https://h/\r\nX: y", UrlFault::Character),
            ("https://user:secret@h/", UrlFault::User),
            ("https://h:0/", UrlFault::Port),
            ("https://h:65536/", UrlFault::Port),
            ("https://h:+1/", UrlFault::Port),
            ("https://h:/", UrlFault::Port),
            ("https://h/#f", UrlFault::Fragment),
            ("https://[::1", UrlFault::Host),
            ("https://[::1]x/", UrlFault::Host),
            ("https://%68/", UrlFault::Host),
        ] {
            assert_eq!(HttpUrl::parse(text), Err(fault), "{text}");
        }
        let long = format!("https://h/{}", "a".repeat(LONGEST_URL));
        assert_eq!(HttpUrl::parse(&long), Err(UrlFault::TooLong));
    }

    #[test]
    fn only_this_machine_is_loopback() {
        for (text, loopback) in [
            ("http://localhost/", true),
            ("http://LOCALHOST:1/", true),
            ("http://127.0.0.1/", true),
            ("http://127.255.0.9/", true),
            ("http://[::1]:80/", true),
            ("http://localhost.evil.example/", false),
            ("http://127.0.0.1.evil.example/", false),
            ("http://127.1/", false),
            ("http://0.0.0.0/", false),
            ("http://[::ffff:10.0.0.1]/", false),
            ("http://10.0.0.1/", false),
        ] {
            assert_eq!(HttpUrl::parse(text).unwrap().is_loopback(), loopback, "{text}");
        }
    }

    #[test]
    fn a_query_is_not_printed() {
        let url = HttpUrl::parse("http://localhost/cb?code=hidden").unwrap();
        assert_eq!(format!("{url:?}"), "HttpUrl(http://localhost/cb?..)");
    }
}
