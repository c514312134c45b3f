//! Connections, and one statement on one of them.

use std::fmt;
use std::time::Duration;

use deadpool_postgres::{
    Hook, HookError, Manager, ManagerConfig, Object, Pool, RecyclingMethod, Runtime, Timeouts,
};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Config, NoTls, Row};

use crate::failure::Failure;
use crate::settings::{PgLimits, PgSettings};

/// A bounded number of connections, each made when it is first needed.
pub(crate) struct Connections {
    pool: Pool,
    /// What connections are made with, also those beside the pool.
    pub(crate) config: Config,
    pub(crate) limits: PgLimits,
}

impl Connections {
    /// How much later than the database an answer is given up here, so that in most cases the database says why.
    pub(crate) const GRACE: Duration = Duration::from_secs(1);

    pub(crate) fn new(settings: &PgSettings) -> Result<Self, Failure> {
        let limits = settings.limits;
        let mut config = settings.config.clone();
        config.connect_timeout(limits.connect);
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(limits.statement + Self::GRACE);
        }
        // A broken connection is noticed without asking: its task has ended.
        let manager = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let begin = begin_session(&limits);
        let pool = Pool::builder(Manager::from_config(config.clone(), NoTls, manager))
            .max_size(limits.connections)
            .runtime(Runtime::Tokio1)
            .timeouts(Timeouts {
                wait: Some(limits.wait),
                create: Some(limits.connect),
                recycle: Some(limits.connect),
            })
            .post_create(Hook::async_fn(move |client, _| {
                let begin = begin.clone();
                Box::pin(async move { client.batch_execute(&begin).await.map_err(HookError::Backend) })
            }))
            .build()
            .map_err(|fault| Failure::Pool(fault.to_string()))?;
        Ok(Self { pool, config, limits })
    }

    pub(crate) async fn connection(&self) -> Result<Object, Failure> {
        self.pool.get().await.map_err(|fault| Failure::of_pool(fault, &self.limits))
    }

    /// Executes one statement, in a transaction of its own, and gives its rows once it is committed.
    pub(crate) async fn rows(
        &self,
        statement: &str,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, Failure> {
        let client = self.connection().await?;
        let answering = async {
            let prepared = client.prepare_cached(statement).await.map_err(Failure::Prepare)?;
            client.query(&prepared, parameters).await.map_err(Failure::Statement)
        };
        let answer = tokio::time::timeout(self.limits.statement + Self::GRACE, answering).await;
        let answer = answer.unwrap_or(Err(Failure::Silent(self.limits.statement)));
        if answer.as_ref().is_err_and(Failure::breaks_connection) {
            drop(Object::take(client));
        }
        answer
    }
}

/// What each session begins with, whatever the server's own settings are.
fn begin_session(limits: &PgLimits) -> String {
    // Zero would mean no limit at all.
    let statement = limits.statement.as_millis().clamp(1, 2_147_483_647);
    format!(
        "SET statement_timeout = {statement};
         SET default_transaction_isolation = 'read committed';
         SELECT set_config('synchronous_commit', 'on', false)
             WHERE current_setting('synchronous_commit') = 'off';"
    )
}

impl fmt::Debug for Connections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = self.pool.status();
        f.debug_struct("Connections")
            .field("limits", &self.limits)
            .field("open", &status.size)
            .finish_non_exhaustive()
    }
}
