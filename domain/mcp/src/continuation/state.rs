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
const FORM: u8 = 1;

#[derive(Serialize, Deserialize)]
struct Written {
    m: String,
    d: [u8; 32],
    p: String,
    e: i64,
    n: [u8; 16],
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
        let written = Written {
            m: claims.method.clone(),
            d: claims.digest,
            p: claims.principal.clone(),
            e: claims.expires.as_unix_ms(),
            n: *claims.nonce.as_bytes(),
            a: answers.clone(),
            r: memory.clone(),
        };
        let json = serde_json::to_vec(&written).map_err(|_| StateFault::Json)?;
        if json.len() >= limits.bytes {
            return Err(StateFault::TooLarge { limit: limits.bytes });
        }
        let mut bytes = Vec::with_capacity(json.len() + 1);
        bytes.push(FORM);
        bytes.extend_from_slice(&json);
        Ok(bytes)
    }

    /// Reads what [`encode`](Self::encode) wrote and a seal protected.
    ///
    /// # Errors
    ///
    /// [`ContinuationRefusal::Unreadable`] for any other form.
    pub fn decode(bytes: &[u8]) -> Result<Self, ContinuationRefusal> {
        let json = bytes.strip_prefix(&[FORM]).ok_or(ContinuationRefusal::Unreadable)?;
        let Written { m, d, p, e, n, a, r } =
            serde_json::from_slice(json).map_err(|_| ContinuationRefusal::Unreadable)?;
        let claims = Claims {
            method: m,
            digest: d,
            principal: p,
            expires: Timestamp::from_unix_ms(e),
            nonce: Nonce::from_random(n),
        };
        Ok(Self { claims, answers: a, memory: r })
    }
}
