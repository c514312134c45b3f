//! Tokens that were verified a short while ago.

use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pm_mcp_domain::access::Grant;
use pm_mcp_ports::driven::KeySet;
use ring::digest::{SHA256, digest};

/// How many tokens are remembered in each of two layers.
const LAYER: usize = 1024;

/// The hash of a token, which is all that is kept of it.
pub(crate) type TokenHash = [u8; 32];

pub(crate) fn hash(token: &str) -> TokenHash {
    let mut hash = TokenHash::default();
    for (place, byte) in hash.iter_mut().zip(digest(&SHA256, token.as_bytes()).as_ref()) {
        *place = *byte;
    }
    hash
}

/// A grant, and the keys by which it was found. It holds no longer than they do.
#[derive(Clone)]
pub(crate) struct Verified {
    pub(crate) grant: Grant,
    pub(crate) keys: Arc<KeySet>,
}

/// What was verified, by hash, in two layers: when the newer one is full, the older one is dropped. So memory is
/// bounded, a token in use stays, and forgetting costs nothing.
#[derive(Default)]
pub(crate) struct Seen {
    layers: Mutex<Layers>,
}

#[derive(Default)]
struct Layers {
    newer: HashMap<TokenHash, Verified>,
    older: HashMap<TokenHash, Verified>,
}

impl Seen {
    pub(crate) fn find(&self, hash: &TokenHash) -> Option<Verified> {
        let mut layers = self.lock();
        if let Some(found) = layers.newer.get(hash) {
            return Some(found.clone());
        }
        let found = layers.older.remove(hash)?;
        layers.keep(*hash, found.clone());
        Some(found)
    }

    pub(crate) fn keep(&self, hash: TokenHash, verified: Verified) {
        self.lock().keep(hash, verified);
    }

    pub(crate) fn forget(&self, hash: &TokenHash) {
        let mut layers = self.lock();
        layers.newer.remove(hash);
        layers.older.remove(hash);
    }

    /// Each change is one call on a map, so a panic elsewhere leaves nothing half done.
    fn lock(&self) -> MutexGuard<'_, Layers> {
        self.layers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Layers {
    fn keep(&mut self, hash: TokenHash, verified: Verified) {
        if self.newer.len() >= LAYER {
            self.older = mem::take(&mut self.newer);
        }
        self.newer.insert(hash, verified);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pm_mcp_domain::access::Scopes;

    fn verified() -> Verified {
        let grant = Grant {
            issuer: String::new(),
            subject: String::new(),
            audiences: Vec::new(),
            scopes: Scopes::default(),
            client: None,
            expires: None,
            not_before: None,
        };
        Verified { grant, keys: Arc::default() }
    }

    #[test]
    fn what_is_in_use_stays_and_the_rest_is_forgotten() {
        let seen = Seen::default();
        let used = hash("used");
        seen.keep(used, verified());
        for number in 0..10 * LAYER {
            assert!(seen.find(&used).is_some(), "{number}");
            seen.keep(hash(&number.to_string()), verified());
        }
        assert!(seen.find(&hash("0")).is_none());
        let layers = seen.lock();
        assert!(layers.newer.len() + layers.older.len() <= 2 * LAYER);
    }
}
