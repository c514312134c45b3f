//! What travels through the client between two rounds.

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
pub struct State {
    /// To whom and what it belongs.
    pub claims: Claims,
    /// Answers of earlier rounds, as they came.
    pub answers: BTreeMap<String, Value>,
    /// What the handler remembers.
    pub memory: BTreeMap<String, Value>,
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
const FORM: u8 = 2;

/// Digest, nonce and expiry stand before the JSON as they are: as lists of numbers they would take longer to read than all
/// else.
const FIXED: usize = 1 + 32 + 16 + 8;

#[derive(Serialize)]
struct Writing<'a> {
    m: &'a str,
    p: &'a str,
    a: &'a BTreeMap<String, Value>,
    r: &'a BTreeMap<String, Value>,
}

#[derive(Deserialize)]
struct Read {
    m: String,
    p: String,
    a: BTreeMap<String, Value>,
    r: BTreeMap<String, Value>,
}

impl State {
    /// The bytes to seal.
    ///
    /// # Errors
    ///
    /// When the state is larger than `limits` allow.
    pub fn encode(&self, limits: &StateLimits) -> Result<Vec<u8>, StateFault> {
        let Self { claims, answers, memory } = self;
        let json = Writing { m: &claims.method, p: &claims.principal, a: answers, r: memory };
        let json = serde_json::to_vec(&json).map_err(|_| StateFault::Json)?;
        if FIXED + json.len() > limits.bytes {
            return Err(StateFault::TooLarge { limit: limits.bytes });
        }
        let mut bytes = Vec::with_capacity(FIXED + json.len());
        bytes.push(FORM);
        bytes.extend_from_slice(&claims.digest);
        bytes.extend_from_slice(claims.nonce.as_bytes());
        bytes.extend_from_slice(&claims.expires.as_unix_ms().to_be_bytes());
        bytes.extend_from_slice(&json);
        Ok(bytes)
    }

    /// Reads what [`encode`](Self::encode) wrote and a seal protected.
    ///
    /// # Errors
    ///
    /// [`ContinuationRefusal::Unreadable`] for any other form.
    pub fn decode(bytes: &[u8]) -> Result<Self, ContinuationRefusal> {
        fn fixed<const COUNT: usize>(bytes: &[u8]) -> Result<([u8; COUNT], &[u8]), ContinuationRefusal> {
            let (first, rest) = bytes.split_first_chunk().ok_or(ContinuationRefusal::Unreadable)?;
            Ok((*first, rest))
        }
        let rest = bytes.strip_prefix(&[FORM]).ok_or(ContinuationRefusal::Unreadable)?;
        let (digest, rest) = fixed(rest)?;
        let (nonce, rest) = fixed(rest)?;
        let (expires, json) = fixed(rest)?;
        let Read { m, p, a, r } =
            serde_json::from_slice(json).map_err(|_| ContinuationRefusal::Unreadable)?;
        let claims = Claims {
            method: m,
            digest,
            principal: p,
            expires: Timestamp::from_unix_ms(i64::from_be_bytes(expires)),
            nonce: Nonce::from_random(nonce),
        };
        Ok(Self { claims, answers: a, memory: r })
    }
}
