//! Used nonces.

use async_trait::async_trait;
use pm_mcp_domain::continuation::Nonce;
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{ConsumeError, ReplayGuard};

use crate::database::SledDatabase;
use crate::fault::{Fault, GuardFull};
use crate::kept::Kept;
use crate::keys;
use crate::writer::Done;

/// The most nonces that one call forgets, so that none takes long.
const FORGOTTEN_AT_ONCE: usize = 256;

/// The used nonces of a [`SledDatabase`]. A clone is the same guard.
///
/// It forgets only what is past its `keep_until`; with [`SledOptions::nonces`](crate::SledOptions::nonces) remembered it
/// refuses with [`GuardFull`], because forgetting early would let a state be used twice.
#[derive(Clone, Debug)]
pub struct SledReplayGuard {
    database: SledDatabase,
}

impl SledReplayGuard {
    pub(crate) fn of(database: SledDatabase) -> Self {
        Self { database }
    }
}

#[deny(clippy::missing_trait_methods, reason = "a guard answers every call of the port itself")]
#[async_trait]
impl ReplayGuard for SledReplayGuard {
    async fn consume(
        &self,
        nonce: &Nonce,
        keep_until: Timestamp,
        now: Timestamp,
    ) -> Result<(), ConsumeError> {
        let nonce = *nonce;
        let done = self.database.submit(move |kept| consume(kept, &nonce, keep_until, now)).await;
        done.map_err(|fault| ConsumeError::Unavailable(Box::new(fault)))?
    }
}

fn consume(
    kept: &mut Kept,
    nonce: &Nonce,
    keep_until: Timestamp,
    now: Timestamp,
) -> Result<Done<Result<(), ConsumeError>>, Fault> {
    if kept.value(&keys::nonce(nonce))?.is_some() {
        return Ok(Done::Unchanged(Err(ConsumeError::AlreadyUsed)));
    }
    forget_before(kept, now)?;
    let entries = kept.options().nonces;
    if kept.counters().nonces >= entries {
        let full = Box::new(GuardFull { entries });
        return Ok(Done::Unchanged(Err(ConsumeError::Unavailable(full))));
    }
    remember(kept, nonce, keep_until);
    Ok(Done::Changed(Ok(())))
}

/// Remembers a nonce that is not remembered yet.
pub(crate) fn remember(kept: &mut Kept, nonce: &Nonce, keep_until: Timestamp) {
    kept.put(keys::nonce(nonce), keys::ordered(keep_until).to_vec());
    kept.put(keys::end(keep_until, nonce), Vec::new());
    let counters = kept.counters();
    counters.nonces = counters.nonces.saturating_add(1);
    let first = kept.first_end();
    *first = Some(first.map_or(keep_until, |first| first.min(keep_until)));
}

/// Forgets what is past its time, as much of it as one call may.
fn forget_before(kept: &mut Kept, now: Timestamp) -> Result<(), Fault> {
    if kept.first_end().is_none_or(|first| first >= now) {
        return Ok(());
    }
    let mut last = keys::ENDS.to_vec();
    last.push(0xFF);
    last.extend([0xFF; 24]);
    let mut first = None;
    for key in kept.keys(keys::ENDS, &last, FORGOTTEN_AT_ONCE)? {
        let damaged = || Fault::Damaged { key: "of a nonce".to_owned() };
        let (until, nonce) = keys::end_parts(&key).ok_or_else(damaged)?;
        if until >= now {
            first = Some(until);
            break;
        }
        kept.delete(keys::nonce(&nonce));
        kept.delete(key.to_vec());
        let counters = kept.counters();
        counters.nonces = counters.nonces.saturating_sub(1);
        first = Some(until);
    }
    *kept.first_end() = first;
    Ok(())
}
