//! What travels through the client between two rounds.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::claims::{Claims, ContinuationRefusal};
use super::nonce::Nonce;
use crate::time::Timestamp;

/// Claims, the answers so far and what the handler wants to remember.
#[derive(Clone, PartialEq, Debug)]
pub struct State<'a> {
    /// To whom and what it belongs.
    pub claims: Claims<'a>,
    /// Answers of earlier rounds, as they came.
    pub answers: Cow<'a, BTreeMap<String, Value>>,
    /// What the handler remembers.
    pub memory: Cow<'a, BTreeMap<String, Value>>,
}

/// Bounds of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StateLimits {
    /// How many bytes it may have before it is sealed.
    pub bytes: usize,
    /// How long it is good for, in milliseconds.
    pub lifetime_ms: u64,
}

impl Default for StateLimits {
    /// 64 KiB, five minutes.
    fn default() -> Self {
        Self { bytes: 64 * 1024, lifetime_ms: 300_000 }
    }
}

/// A state that cannot be written.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum StateFault {
    /// It is larger than the limit.
    #[error("the answers and what the handler remembers are larger than {limit} bytes")]
    TooLarge {
        /// How many bytes are allowed.
        limit: usize,
    },
    /// A value cannot be written as JSON.
    #[error("a value cannot be written as JSON")]
    Json,
}

/// First byte of the written form. A change of the form takes another number: older states are then refused and the
/// client starts again.
const FORM: u8 = 3;

/// Bytes of form, digest, nonce, expiry and the two lengths. What is not JSON already stands before the JSON as it is: within
/// it, it would take longer to read than all else.
const FIXED: usize = 1 + 32 + 16 + 8 + 4 + 4;

#[derive(Serialize)]
struct Writing<'a> {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    a: &'a BTreeMap<String, Value>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    r: &'a BTreeMap<String, Value>,
}

#[derive(Deserialize)]
struct Read {
    #[serde(default)]
    a: BTreeMap<String, Value>,
    #[serde(default)]
    r: BTreeMap<String, Value>,
}

impl<'a> State<'a> {
    /// The bytes to seal: form, digest, nonce, expiry, the lengths of method and principal, these two, then as JSON what was
    /// answered and what is remembered.
    ///
    /// # Errors
    ///
    /// When the state is larger than `limits` allow.
    pub fn encode(&self, limits: &StateLimits) -> Result<Vec<u8>, StateFault> {
        let Self { claims, answers, memory } = self;
        let json = serde_json::to_vec(&Writing { a: answers, r: memory }).map_err(|_| StateFault::Json)?;
        let texts = [claims.method, claims.principal];
        let length = texts.iter().fold(FIXED + json.len(), |sum, text| sum.saturating_add(text.len()));
        if length > limits.bytes {
            return Err(StateFault::TooLarge { limit: limits.bytes });
        }
        let mut bytes = Vec::with_capacity(length);
        bytes.push(FORM);
        bytes.extend_from_slice(&claims.digest);
        bytes.extend_from_slice(claims.nonce.as_bytes());
        bytes.extend_from_slice(&claims.expires.as_unix_ms().to_be_bytes());
        for text in texts {
            let length =
                u32::try_from(text.len()).map_err(|_| StateFault::TooLarge { limit: limits.bytes })?;
            bytes.extend_from_slice(&length.to_be_bytes());
        }
        for text in texts {
            bytes.extend_from_slice(text.as_bytes());
        }
        bytes.extend_from_slice(&json);
        Ok(bytes)
    }

    /// Reads what [`encode`](Self::encode) wrote and a seal protected.
    ///
    /// # Errors
    ///
    /// [`ContinuationRefusal::Unreadable`] for any other form.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, ContinuationRefusal> {
        Self::read(bytes).ok_or(ContinuationRefusal::Unreadable)
    }

    fn read(bytes: &'a [u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(&[FORM])?;
        let (digest, rest) = rest.split_first_chunk()?;
        let (nonce, rest) = rest.split_first_chunk()?;
        let (expires, rest) = rest.split_first_chunk()?;
        let (method, rest) = rest.split_first_chunk()?;
        let (principal, rest) = rest.split_first_chunk()?;
        let (method, rest) = text(rest, *method)?;
        let (principal, json) = text(rest, *principal)?;
        let Read { a, r } = serde_json::from_slice(json).ok()?;
        let claims = Claims {
            method,
            digest: *digest,
            principal,
            expires: Timestamp::from_unix_ms(i64::from_be_bytes(*expires)),
            nonce: Nonce::from_random(*nonce),
        };
        Some(Self { claims, answers: Cow::Owned(a), memory: Cow::Owned(r) })
    }
}

/// The text of a length at the beginning of `bytes`, and what follows it.
fn text(bytes: &[u8], length: [u8; 4]) -> Option<(&str, &[u8])> {
    let length = usize::try_from(u32::from_be_bytes(length)).ok()?;
    let (text, rest) = bytes.split_at_checked(length)?;
    Some((core::str::from_utf8(text).ok()?, rest))
}
