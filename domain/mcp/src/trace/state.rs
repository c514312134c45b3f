//! `tracestate`: what tracing systems pass along beside the span.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// The longest `tracestate` that is taken, in bytes: as much as every system has to pass on
/// ([Limits](https://www.w3.org/TR/trace-context/#tracestate-limits)).
pub const LONGEST_TRACESTATE: usize = 512;

/// The most members of a `tracestate`.
pub const MOST_TRACESTATE_MEMBERS: usize = 32;

/// A checked `tracestate` ([`tracestate`](https://www.w3.org/TR/trace-context/#tracestate-header)). What its members
/// say is the business of the systems that wrote them.
#[derive(Clone, PartialEq, Eq)]
pub struct TraceState(String);

impl TraceState {
    /// Reads a `tracestate`; nothing if it is longer or has more members than the bounds allow, if a key comes twice,
    /// if one member has another form, or if there is no member. A part of it would have another meaning.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() > LONGEST_TRACESTATE {
            return None;
        }
        let mut keys = Vec::new();
        for member in text.split(',').map(|member| member.trim_matches([' ', '\t'])) {
            // Empty members are allowed, and are no members.
            if member.is_empty() {
                continue;
            }
            let (key, value) = member.split_once('=')?;
            if !is_key(key)
                || !is_value(value)
                || keys.contains(&key)
                || keys.len() == MOST_TRACESTATE_MEMBERS
            {
                return None;
            }
            keys.push(key);
        }
        (!keys.is_empty()).then(|| Self(text.trim_matches([' ', '\t']).to_owned()))
    }

    /// The text, to be passed on as it came.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The value under `key`.
    pub fn value(&self, key: &str) -> Option<&str> {
        let members = self.0.split(',').filter_map(|member| member.trim_matches([' ', '\t']).split_once('='));
        members.into_iter().find(|(held, _)| *held == key).map(|(_, value)| value)
    }
}

impl fmt::Debug for TraceState {
    /// The values are other systems' own.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TraceState(..)")
    }
}

/// A key: of one system, or of a tenant at a system.
fn is_key(key: &str) -> bool {
    fn is_part(part: &str, first: fn(&u8) -> bool, most: usize) -> bool {
        let bytes = part.as_bytes();
        bytes.len() <= most && bytes.first().is_some_and(first) && bytes.iter().all(is_key_byte)
    }
    match key.split_once('@') {
        None => is_part(key, u8::is_ascii_lowercase, 256),
        Some((tenant, system)) => {
            is_part(tenant, |byte| byte.is_ascii_lowercase() || byte.is_ascii_digit(), 241)
                && is_part(system, u8::is_ascii_lowercase, 14)
        }
    }
}

fn is_key_byte(byte: &u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-*/".contains(byte)
}

/// Printable ASCII without comma and equals sign, not ending with a blank.
fn is_value(value: &str) -> bool {
    (1..=256).contains(&value.len())
        && value.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b',' && byte != b'=')
        && !value.ends_with(' ')
}
