//! How long, and by whom, a result may be kept
//! ([Caching](https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching)).

use serde::Serialize;

use crate::time::TimeToLive;

/// Who may keep a result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CacheScope {
    /// Safe for shared intermediaries and for every principal, for the whole lifetime.
    Public,
    /// For the caller alone: the result depends on its workspace, its principal or what it may do.
    Private,
}

/// The freshness hint on a list, a read or a discovery result. A hint only: never proof that nothing changed,
/// never a reason to keep an authorization decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CachePolicy {
    /// How long the result may be treated as fresh.
    pub ttl: TimeToLive,
    /// Who may keep it.
    pub scope: CacheScope,
}

impl CachePolicy {
    /// Anyone may keep the result for `ttl_ms` milliseconds.
    pub const fn public(ttl_ms: u64) -> Self {
        Self { ttl: TimeToLive::from_ms(ttl_ms), scope: CacheScope::Public }
    }

    /// The caller may keep the result for `ttl_ms` milliseconds.
    pub const fn private(ttl_ms: u64) -> Self {
        Self { ttl: TimeToLive::from_ms(ttl_ms), scope: CacheScope::Private }
    }
}

impl Default for CachePolicy {
    /// Private and stale at once: what holds when nothing is known about a result.
    fn default() -> Self {
        Self { ttl: TimeToLive::ZERO, scope: CacheScope::Private }
    }
}
