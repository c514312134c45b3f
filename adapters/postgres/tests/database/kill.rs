//! Processes that are killed in the middle of their work.

use std::io::{BufRead as _, BufReader};
use std::num::NonZeroUsize;
use std::sync::Arc;

use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{Page, TaskStore};
use pm_mcp_postgres::{PgDatabase, PgTaskStore};

use crate::cluster::Cluster;
use crate::laws::{fresh_schema, settings};
use crate::oracle::Oracle;
use crate::work::{Role, start};
use crate::{Dice, count};

pub(crate) fn run(cluster: &Arc<Cluster>) {
    let rounds = count("PM_PG_KILLS", 20);
    let (url, schema, runtime) = (cluster.url(), fresh_schema(), crate::runtime());
    let settings = settings(&url, &schema);
    let (mut oracle, mut dice, mut acknowledged) = (Oracle::default(), Dice(2026), 0_u64);
    let mut found = 0;
    for round in 0..rounds {
        let mut child = start(Role::Lives, &url, &schema, round);
        let (mut left, mut heard) = (1 + dice.below(200), 0);
        for line in BufReader::new(child.stdout.take().unwrap()).lines() {
            if oracle.hear(round, &line.unwrap()) {
                (left, heard) = (left.saturating_sub(1), heard + 1);
                if left == 0 {
                    // Killed: what it told before it died is still read to the end.
                    child.kill().unwrap();
                }
            }
        }
        assert!(!child.wait().unwrap().success(), "the process ended by itself");
        assert!(heard > 0);
        acknowledged += heard;
        runtime.block_on(async {
            let database = PgDatabase::connect(settings.clone()).await.unwrap();
            settle(&url).await;
            let store = PgTaskStore::new(&database);
            oracle.check(&store, round).await;
            if round + 1 < rounds {
                return;
            }
            found = oracle.check(&store, 0).await;
            let due = store.due(Timestamp::from_unix_ms(i64::MAX), all()).await.unwrap();
            assert_eq!(due.len(), found, "the list of what is due is another one than the records");
            let unfinished = store.unfinished(all()).await.unwrap();
            let expected = due.iter().filter(|stored| !stored.record.finished).count();
            assert_eq!(unfinished.len(), expected);
        });
    }
    eprintln!(
        "{rounds} processes killed, {acknowledged} acknowledged steps, {found} records left, none lost or torn"
    );
}

/// Waits until the database has ended what the killed process had begun: its statements may still be under way.
async fn settle(url: &str) {
    let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await.unwrap();
    let talking = tokio::spawn(connection);
    loop {
        let busy = "SELECT count(*) FROM pg_stat_activity
                    WHERE state <> 'idle' AND pid <> pg_backend_pid() AND backend_type = 'client backend'";
        let busy: i64 = client.query_one(busy, &[]).await.unwrap().get(0);
        if busy == 0 {
            break;
        }
    }
    drop(client);
    talking.await.unwrap().unwrap();
}

fn all<P>() -> Page<P> {
    Page::first(NonZeroUsize::MAX)
}
