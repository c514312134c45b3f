//! `baggage`: values that callers attach to a whole trace.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use thiserror::Error;

/// The longest `baggage` that is looked at, in bytes
/// ([Limits](https://www.w3.org/TR/baggage/#limits)).
pub const LONGEST_BAGGAGE: usize = 8_192;

/// The most members of a `baggage` that is looked at.
pub const MOST_BAGGAGE_MEMBERS: usize = 64;

/// The baggage keys that a host lets in. None by default: baggage may hold anything, secrets among it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct BaggageKeys(BTreeSet<String>);

/// A listed key that no baggage could have.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "the baggage key {key:?} is no HTTP token; use ASCII letters, digits and the marks !#$%&'*+-.^_`|~ only, as in \"tenant.id\""
)]
pub struct BaggageKeyFault {
    /// The key as it was listed.
    pub key: String,
}

impl BaggageKeys {
    /// The listed keys; upper and lower case differ.
    ///
    /// # Errors
    ///
    /// [`BaggageKeyFault`] for the first that is no HTTP token.
    pub fn new<K: Into<String>>(listed: impl IntoIterator<Item = K>) -> Result<Self, BaggageKeyFault> {
        let listed = listed.into_iter().map(|key| {
            let key = key.into();
            if is_token(&key) { Ok(key) } else { Err(BaggageKeyFault { key }) }
        });
        listed.collect::<Result<_, _>>().map(Self)
    }

    /// Whether `key` is listed.
    pub fn lists(&self, key: &str) -> bool {
        self.0.contains(key)
    }

    /// Whether no key is listed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The members of a `baggage` whose keys the host lists ([Baggage](https://www.w3.org/TR/baggage/)).
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Baggage(Vec<(String, String)>);

impl Baggage {
    /// Reads a `baggage`; nothing if it is longer or has more members than the bounds allow.
    ///
    /// A member is left out if its key is not listed or came before, or if it has another form. The properties of a
    /// member are always left out: the list names keys, not what else hangs on them.
    pub fn parse(text: &str, listed: &BaggageKeys) -> Option<Self> {
        if text.len() > LONGEST_BAGGAGE || text.split(',').count() > MOST_BAGGAGE_MEMBERS {
            return None;
        }
        let mut kept = Self::default();
        if listed.is_empty() {
            return Some(kept);
        }
        for member in text.split(',') {
            let pair = member.split(';').next().unwrap_or_default();
            let Some((key, value)) = pair.split_once('=') else { continue };
            let (key, value) = (key.trim_matches([' ', '\t']), value.trim_matches([' ', '\t']));
            if listed.lists(key) && is_value(value) && kept.value(key).is_none() {
                kept.0.push((key.to_owned(), value.to_owned()));
            }
        }
        Some(kept)
    }

    /// The value under `key`, percent-encoded as it came.
    pub fn value(&self, key: &str) -> Option<&str> {
        self.iter().find(|(held, _)| *held == key).map(|(_, value)| value)
    }

    /// Every member, in the order in which they came; values percent-encoded.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text of a `baggage` with these members, to be passed on. Not for logs.
    pub fn encode(&self) -> String {
        let mut text = String::new();
        for (key, value) in self.iter() {
            for part in [if text.is_empty() { "" } else { "," }, key, "=", value] {
                text.push_str(part);
            }
        }
        text
    }
}

impl fmt::Debug for Baggage {
    /// Listed keys are known to the host; values are the callers' own.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter().map(|(key, _)| (key, format_args!("<redacted>")))).finish()
    }
}

fn is_token(key: &str) -> bool {
    !key.is_empty()
        && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

/// Baggage octets, in which a percent sign begins two hexadecimal digits.
fn is_value(value: &str) -> bool {
    let is_octet = |byte: u8| matches!(byte, b'!' | b'#'..=b'+' | b'-'..=b':' | b'<'..=b'[' | b']'..=b'~');
    let is_escape = |after: &str| after.bytes().take(2).filter(u8::is_ascii_hexdigit).count() == 2;
    value.bytes().all(is_octet) && value.split('%').skip(1).all(is_escape)
}
