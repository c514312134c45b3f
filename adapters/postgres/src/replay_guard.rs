//! Used nonces in PostgreSQL.

use std::sync::atomic::{AtomicU32, Ordering};

use async_trait::async_trait;
use pm_mcp_domain::continuation::Nonce;
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{ConsumeError, ReplayGuard};

use crate::database::PgDatabase;
use crate::failure::Failure;

/// Remembers used nonces for all processes that share the database. Consuming one is one statement.
///
/// Nonces whose time is past are forgotten in steps of bounded size as new ones come in, faster than these do. Where the
/// clocks of the processes differ, the fastest one decides: let `keep_until` lie that much later.
#[derive(Debug)]
pub struct PgReplayGuard {
    database: PgDatabase,
    consume: String,
    forget: String,
    calls: AtomicU32,
}

impl PgReplayGuard {
    /// After so many nonces some of those whose time is past are forgotten.
    const BETWEEN: u32 = 64;

    /// So many are forgotten at a time.
    const STEP: i64 = 512;

    /// The guard in this database.
    pub fn new(database: &PgDatabase) -> Self {
        let name = database.schema.as_str();
        Self {
            database: database.clone(),
            consume: format!(
                "INSERT INTO {name}.used_nonces (nonce, keep_until) VALUES ($1, $2)
                 ON CONFLICT (nonce) DO NOTHING RETURNING keep_until"
            ),
            // What another process is forgetting at this moment is left to it.
            forget: format!(
                "DELETE FROM {name}.used_nonces WHERE nonce IN (
                     SELECT nonce FROM {name}.used_nonces WHERE keep_until < $1
                     ORDER BY keep_until LIMIT $2 FOR UPDATE SKIP LOCKED
                 )"
            ),
            calls: AtomicU32::new(0),
        }
    }

    /// Forgets a step of what is past its time, now and then. When that fails, the nonce at hand is consumed all the same.
    async fn forget(&self, now: Timestamp) {
        let step = [&now.as_unix_ms() as &(dyn tokio_postgres::types::ToSql + Sync), &Self::STEP];
        if let Err(failure) = self.database.connections.rows(&self.forget, &step).await {
            let fault = failure.of_write("forgetting used nonces");
            tracing::warn!(?fault, "used nonces stay longer than they have to");
        }
    }
}

#[deny(clippy::missing_trait_methods, reason = "a guard answers every call of the port itself")]
#[async_trait]
impl ReplayGuard for PgReplayGuard {
    async fn consume(
        &self,
        nonce: &Nonce,
        keep_until: Timestamp,
        now: Timestamp,
    ) -> Result<(), ConsumeError> {
        let unavailable =
            |failure: Failure| ConsumeError::Unavailable(Box::new(failure.of_write("consuming a nonce")));
        let parameters = [
            &nonce.as_bytes().as_slice() as &(dyn tokio_postgres::types::ToSql + Sync),
            &keep_until.as_unix_ms(),
        ];
        let rows = self.database.connections.rows(&self.consume, &parameters).await.map_err(unavailable)?;
        // Only afterwards, so that a nonce which is still remembered is refused, however late it comes.
        if self.calls.fetch_add(1, Ordering::Relaxed).is_multiple_of(Self::BETWEEN) {
            self.forget(now).await;
        }
        if rows.is_empty() { Err(ConsumeError::AlreadyUsed) } else { Ok(()) }
    }
}
