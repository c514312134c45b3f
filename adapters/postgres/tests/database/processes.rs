//! Several processes on one database, some of which are killed.

use std::sync::Arc;

use pm_mcp_contract::processes::{ProcessTest, StoreAtPlace};
use pm_mcp_contract::{HarnessError, async_trait};
use pm_mcp_ports::driven::TaskStore;
use pm_mcp_postgres::{PgDatabase, PgTaskStore};

use crate::cluster::Cluster;
use crate::count;
use crate::laws::{fresh_schema, settings};

/// A schema of a database: its place is the database's URL and the schema's name, with a line's end between them.
pub(crate) struct InDatabase;

#[async_trait]
impl StoreAtPlace for InDatabase {
    async fn open(&self, place: &str) -> Result<Arc<dyn TaskStore>, HarnessError> {
        let (url, schema) = place.split_once('\n').ok_or("a place is a URL and a schema")?;
        Ok(Arc::new(PgTaskStore::new(&PgDatabase::connect(settings(url, schema)).await?)))
    }

    /// The statements of a killed process may still be under way.
    async fn settle(&self, place: &str) -> Result<(), HarnessError> {
        let url = place.lines().next().unwrap_or_default();
        let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await?;
        let talking = tokio::spawn(connection);
        loop {
            let busy = "SELECT count(*) FROM pg_stat_activity
                        WHERE state <> 'idle' AND pid <> pg_backend_pid() AND backend_type = 'client backend'";
            let busy: i64 = client.query_one(busy, &[]).await?.get(0);
            if busy == 0 {
                break;
            }
        }
        drop(client);
        Ok(talking.await??)
    }
}

fn test(cluster: &Arc<Cluster>) -> ProcessTest<InDatabase> {
    // Its `main` asks what a process was started for, before it looks for a test.
    ProcessTest::new(InDatabase, "processes", format!("{}\n{}", cluster.url(), fresh_schema()))
}

pub(crate) fn kill(cluster: &Arc<Cluster>) {
    eprintln!("{}", test(cluster).kill(count("PM_PG_KILLS", 20), |_| Ok(())).unwrap());
}

pub(crate) fn share(cluster: &Arc<Cluster>) {
    eprintln!("{}", test(cluster).share(count("PM_PG_TRANSITIONS", 10_000)).unwrap());
}
