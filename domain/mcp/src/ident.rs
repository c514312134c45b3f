//! Identities: of requests and of those who make them.

use alloc::borrow::{Cow, ToOwned};
use alloc::boxed::Box;
use alloc::sync::Arc;
use core::fmt;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};

/// The id of a request: a string or a whole number, kept as the very characters that the peer sent.
///
/// Numbers beyond 2^53 and strings with escapes come back digit for digit and character for character
/// ([Messages](https://modelcontextprotocol.io/specification/2026-07-28/basic#requests)).
#[derive(Clone, Copy, Debug)]
pub struct RequestId<'a>(&'a RawValue);

impl<'a> RequestId<'a> {
    /// Accepts a JSON string or a JSON number without fraction and exponent; nothing else is an id.
    pub fn parse(raw: &'a RawValue) -> Option<Self> {
        let text = raw.get();
        let valid = match text.as_bytes() {
            [b'"', ..] => !text.contains('\\') || serde_json::from_str::<Cow<'_, str>>(text).is_ok(),
            [b'-', digits @ ..] | digits => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
        };
        valid.then_some(Self(raw))
    }

    /// The id's JSON text.
    pub fn as_json(self) -> &'a str {
        self.0.get()
    }

    /// The id by itself, for what outlives the message that it came with.
    pub fn keep(self) -> KeptRequestId {
        KeptRequestId(self.0.to_owned())
    }
}

/// The id of a request that outlives its message.
#[derive(Clone, Debug)]
pub struct KeptRequestId(Box<RawValue>);

impl KeptRequestId {
    /// The id.
    pub const fn id(&self) -> RequestId<'_> {
        RequestId(&self.0)
    }
}

impl PartialEq for KeptRequestId {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}

impl Eq for KeptRequestId {}

impl PartialEq for RequestId<'_> {
    /// Ids are equal when they stand for the same value of the same JSON type.
    fn eq(&self, other: &Self) -> bool {
        self.as_json() == other.as_json()
    }
}

impl Eq for RequestId<'_> {}

impl Serialize for RequestId<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// The longest name of a principal, in bytes: what every store takes.
const LONGEST_NAME: usize = 1024;

/// Whom a request acts for, as the host decided it from authentication; never a name that the caller supplied.
///
/// Cloning it is cheap. It is part of every key that outlives a request, so that what one principal holds does not exist for another.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Principal(Arc<str>);

impl Principal {
    /// The user of the operating system who started a stdio server.
    pub fn local(user: &str) -> Self {
        Self(alloc::format!("local:{user}").into())
    }

    /// Whoever reaches an HTTP server that listens on the loopback interface without authorization.
    pub fn loopback() -> Self {
        Self("loopback".into())
    }

    /// Whoever reaches a server that strangers may call without showing a token.
    pub fn anonymous() -> Self {
        Self("anonymous".into())
    }

    /// The subject of a token, as this issuer names them. Different pairs give different principals.
    ///
    /// A name that no store would take gives way to its digest.
    pub fn of_subject(issuer: &str, subject: &str) -> Self {
        // An issuer is a URL and has no space, so that the first one parts the two.
        let name = alloc::format!("token:{issuer} {subject}");
        if name.len() <= LONGEST_NAME {
            return Self(name.into());
        }
        let digest = URL_SAFE_NO_PAD.encode(Sha256::digest(&name));
        Self(alloc::format!("token-sha256:{digest}").into())
    }

    /// The principal whose name a store wrote down.
    pub fn from_stored(name: &str) -> Self {
        Self(name.into())
    }

    /// The principal's name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The subject of the token that the principal comes from, or its digest if the name is too long to be kept;
    /// `None` for a principal without a token.
    pub fn subject(&self) -> Option<&str> {
        match self.0.strip_prefix("token:") {
            Some(name) => name.split_once(' ').map(|(_, subject)| subject),
            None => self.0.strip_prefix("token-sha256:"),
        }
    }
}

impl fmt::Display for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn subjects_of_any_length_have_a_name_of_their_own() {
        let (short, long) = ("a".to_string(), "a".repeat(5000));
        assert_eq!(Principal::of_subject("https://as", &short).as_str(), "token:https://as a");
        assert_eq!(Principal::of_subject("https://as", "a b").subject(), Some("a b"));
        assert_eq!((Principal::local("a").subject(), Principal::loopback().subject()), (None, None));
        let digest = Principal::of_subject("https://as", &long);
        assert!(digest.as_str().len() <= LONGEST_NAME);
        assert_ne!(digest, Principal::of_subject("https://as", &(long.clone() + "a")));
        assert_ne!(digest, Principal::of_subject("https://as2", &long));
    }

    #[test]
    fn only_strings_and_whole_numbers_are_ids() {
        for (json, valid) in [
            ("\"1\"", true),
            ("\"\"", true),
            ("\"é🙂\"", true),
            ("\"\\u00e9\"", true),
            ("\"\\ud800\"", false),
            ("1", true),
            ("-1", true),
            ("9007199254740993", true),
            ("18446744073709551615", true),
            ("1.5", false),
            ("1e3", false),
            ("null", false),
            ("true", false),
            ("{}", false),
            ("[]", false),
        ] {
            let raw = serde_json::from_str::<&RawValue>(json).unwrap();
            let id = RequestId::parse(raw);
            assert_eq!(id.is_some(), valid, "{json}");
            if let Some(id) = id {
                assert_eq!(serde_json::to_string(&id).unwrap(), json);
            }
        }
    }
}
