//! Used nonces in memory.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::fmt;
use std::sync::Mutex;

use async_trait::async_trait;
use foldhash::fast::RandomState;
use pm_mcp_domain::continuation::Nonce;
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{ConsumeError, ReplayGuard};
use thiserror::Error;

use crate::poison::lock;

/// Remembers used nonces for as long as the process lives, and each no longer than it has to.
///
/// It forgets only what is past its `keep_until`; when there is no room it refuses, because forgetting early would let
/// a state be used twice. State that was sealed by another process is not known here: several processes need a guard
/// that they share.
pub struct MemoryReplayGuard {
    entries: usize,
    used: Mutex<Used>,
}

#[derive(Default)]
struct Used {
    /// Who gets a nonce in here has opened a seal, and so has not chosen it.
    nonces: HashSet<Nonce, RandomState>,
    by_end: BinaryHeap<Reverse<(Timestamp, Nonce)>>,
}

impl MemoryReplayGuard {
    /// A guard that remembers this many nonces at a time.
    pub fn with_capacity(entries: usize) -> Self {
        Self { entries, used: Mutex::default() }
    }
}

impl Default for MemoryReplayGuard {
    /// 100,000 nonces, about 5 MiB.
    fn default() -> Self {
        Self::with_capacity(100_000)
    }
}

impl fmt::Debug for MemoryReplayGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let used = lock(&self.used).nonces.len();
        f.debug_struct("MemoryReplayGuard").field("entries", &self.entries).field("used", &used).finish()
    }
}

#[deny(clippy::missing_trait_methods, reason = "a guard answers every call of the port itself")]
#[async_trait]
impl ReplayGuard for MemoryReplayGuard {
    async fn consume(
        &self,
        nonce: &Nonce,
        keep_until: Timestamp,
        now: Timestamp,
    ) -> Result<(), ConsumeError> {
        let mut used = lock(&self.used);
        if !used.nonces.insert(*nonce) {
            return Err(ConsumeError::AlreadyUsed);
        }
        used.forget_before(now);
        if used.nonces.len() > self.entries {
            used.nonces.remove(nonce);
            return Err(ConsumeError::Unavailable(Box::new(GuardFull { entries: self.entries })));
        }
        used.by_end.push(Reverse((keep_until, *nonce)));
        Ok(())
    }
}

impl Used {
    /// Forgets what is past its time.
    fn forget_before(&mut self, now: Timestamp) {
        while let Some(Reverse((until, nonce))) = self.by_end.peek()
            && *until < now
        {
            self.nonces.remove(nonce);
            self.by_end.pop();
        }
    }
}

/// The guard has no room for another nonce.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error(
    "the replay guard remembers {entries} nonces and none is past its time; give it room for more, or let continuations expire sooner"
)]
pub struct GuardFull {
    /// How many it remembers at a time.
    pub entries: usize,
}
