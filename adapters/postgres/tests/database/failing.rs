//! Statements that do not end well.

use std::sync::Arc;
use std::time::Duration;

use pm_mcp_contract::task_store::{expect_stored, numbered_record as record};
use pm_mcp_ports::driven::{Applied, ReplaceError, Retry, TaskStore};
use pm_mcp_postgres::{PgDatabase, PgLimits, PgTaskStore};
use tokio_postgres::{Client, NoTls};

use crate::cluster::Cluster;
use crate::laws::{fresh_schema, settings};

/// A client beside the stores.
pub(crate) async fn beside(cluster: &Cluster) -> Client {
    let (client, connection) = tokio_postgres::connect(&cluster.url(), NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

async fn open(cluster: &Cluster, schema: &str, limits: PgLimits) -> PgTaskStore {
    let settings = settings(&cluster.url(), schema).with_limits(limits).unwrap();
    PgTaskStore::new(&PgDatabase::connect(settings).await.unwrap())
}

/// Somebody else holds the row.
pub(crate) fn slow(cluster: &Arc<Cluster>) {
    crate::runtime().block_on(async {
        let schema = fresh_schema();
        let limits = PgLimits { statement: Duration::from_millis(200), ..PgLimits::default() };
        let store = open(cluster, &schema, limits).await;
        let revision = store.create(&record(1)).await.unwrap();
        let other = beside(cluster).await;
        other.batch_execute(&format!("BEGIN; SELECT 1 FROM {schema}.tasks FOR UPDATE")).await.unwrap();
        let outcome = store.replace(&record(1), revision).await;
        let Err(ReplaceError::Backend(fault)) = outcome else { panic!("{outcome:?}") };
        assert_eq!((fault.applied, fault.retry), (Applied::No, Retry::Later), "{fault:?}");
        other.batch_execute("ROLLBACK").await.unwrap();
        expect_stored(&store, &record(1), revision).await.unwrap();
        store.replace(&record(1), revision).await.unwrap();
    });
}

/// The only connection is in use.
pub(crate) fn busy(cluster: &Arc<Cluster>) {
    crate::runtime().block_on(async {
        let schema = fresh_schema();
        let limits = PgLimits { connections: 1, wait: Duration::from_millis(50), ..PgLimits::default() };
        let store = Arc::new(open(cluster, &schema, limits).await);
        let revision = store.create(&record(1)).await.unwrap();
        let other = beside(cluster).await;
        other.batch_execute(&format!("BEGIN; SELECT 1 FROM {schema}.tasks FOR UPDATE")).await.unwrap();
        let writing = tokio::spawn({
            let store = Arc::clone(&store);
            async move { store.replace(&record(1), revision).await }
        });
        waits_for_lock(&beside(cluster).await).await;
        let fault = store.load(&record(1).id).await.unwrap_err();
        assert_eq!((fault.applied, fault.retry), (Applied::No, Retry::Later), "{fault:?}");
        let source = fault.source.to_string();
        assert!(source.contains("`wait`") && source.contains("`connections`"), "{source}");
        other.batch_execute("ROLLBACK").await.unwrap();
        let revision = writing.await.unwrap().unwrap();
        expect_stored(&*store, &record(1), revision).await.unwrap();
    });
}

/// The session ends while the statement is under way.
pub(crate) fn lost(cluster: &Arc<Cluster>) {
    crate::runtime().block_on(async {
        let schema = fresh_schema();
        let store = Arc::new(open(cluster, &schema, PgLimits::default()).await);
        let revision = store.create(&record(1)).await.unwrap();
        let (other, operator) = (beside(cluster).await, beside(cluster).await);
        other.batch_execute(&format!("BEGIN; SELECT 1 FROM {schema}.tasks FOR UPDATE")).await.unwrap();
        let writing = tokio::spawn({
            let store = Arc::clone(&store);
            async move { store.replace(&record(1), revision).await }
        });
        let session = waits_for_lock(&operator).await;
        operator.execute("SELECT pg_terminate_backend($1)", &[&session]).await.unwrap();
        let outcome = writing.await.unwrap();
        let Err(ReplaceError::Backend(fault)) = outcome else { panic!("{outcome:?}") };
        assert_eq!((fault.applied, fault.retry), (Applied::Unknown, Retry::Later), "{fault:?}");
        other.batch_execute("ROLLBACK").await.unwrap();
        expect_stored(&*store, &record(1), revision).await.unwrap();
        store.replace(&record(1), revision).await.unwrap();
    });
}

/// The session that waits for a lock, as soon as there is one.
async fn waits_for_lock(operator: &Client) -> i32 {
    let waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    loop {
        if let Some(row) = operator.query_opt(waiting, &[]).await.unwrap() {
            return row.get(0);
        }
    }
}
