//! Where authorization servers send users back to.

use alloc::string::String;
use core::fmt;

use thiserror::Error;

use super::http_url::HttpUrl;

/// A redirect URI of this client, letter for letter as it is registered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RedirectUri {
    text: String,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Loopback,
    Https,
    OwnScheme,
}

/// A text that users must not be sent back to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error(
    "the redirect URI must be an https URL, an http URL of this machine, or have a scheme of the application's own with a dot in it, such as com.example.app:/callback, without fragment"
)]
pub struct RedirectUriFault;

impl RedirectUri {
    /// Reads a redirect URI.
    ///
    /// # Errors
    ///
    /// [`RedirectUriFault`] when a code sent there could be read by others.
    pub fn parse(text: &str) -> Result<Self, RedirectUriFault> {
        let kind = match HttpUrl::parse(text) {
            Ok(url) if url.is_https() => Kind::Https,
            Ok(url) if url.is_loopback() => Kind::Loopback,
            Ok(_) => return Err(RedirectUriFault),
            Err(_) if has_own_scheme(text) => Kind::OwnScheme,
            Err(_) => return Err(RedirectUriFault),
        };
        Ok(Self { text: text.into(), kind })
    }

    /// The URI as it was given.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it leads to an application on the user's machine.
    pub fn is_native(&self) -> bool {
        match self.kind {
            Kind::Loopback | Kind::OwnScheme => true,
            Kind::Https => HttpUrl::parse(&self.text).is_ok_and(|url| url.is_loopback()),
        }
    }
}

impl fmt::Display for RedirectUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A scheme made of a domain name (RFC 8252 section 7.1): others, such as `javascript`, belong to somebody else.
fn has_own_scheme(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let spelled = scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    spelled
        && scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.contains('.')
        && !scheme.ends_with('.')
        && text.len() <= super::http_url::LONGEST_URL
        && rest.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'#')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_are_sent_back_to_safe_places_only() {
        for (text, native) in [
            ("http://127.0.0.1:3000/callback", Some(true)),
            ("http://localhost/callback", Some(true)),
            ("http://[::1]:9/", Some(true)),
            ("https://localhost:1/", Some(true)),
            ("com.example.app:/callback", Some(true)),
            ("https://app.example/callback", Some(false)),
            ("http://app.example/callback", None),
            ("http://localhost.app.example/", None),
            ("https://app.example/#x", None),
            ("javascript:alert(1)", None),
            ("data:text/html,x", None),
            ("myapp:/callback", None),
            ("com.example.app:/cb#x", None),
            ("/callback", None),
            ("", None),
        ] {
            assert_eq!(RedirectUri::parse(text).ok().map(|uri| uri.is_native()), native, "{text}");
        }
    }
}
