//! The tables: who makes them, and what is found in them.

use std::num::NonZeroUsize;
use std::sync::Arc;

use pm_mcp_contract::task_store::{numbered_id as id, numbered_record as record};
use pm_mcp_domain::task::TaskId;
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{DuePlace, Page, Retry, Stored, TaskStore};
use pm_mcp_postgres::{OpenError, PgDatabase, PgSettings, PgTaskStore};

use crate::cluster::Cluster;
use crate::failing::beside;
use crate::laws::{fresh_schema, settings};

pub(crate) fn at_once(cluster: &Arc<Cluster>) {
    crate::runtime().block_on(async {
        for _ in 0..4 {
            let settings = settings(&cluster.url(), &fresh_schema());
            let opening: Vec<_> =
                (0..8).map(|_| tokio::spawn(PgDatabase::connect(settings.clone()))).collect();
            for (number, opened) in (1..).zip(opening) {
                let store = PgTaskStore::new(&opened.await.unwrap().unwrap());
                store.create(&record(number)).await.unwrap();
            }
        }
    });
}

pub(crate) fn newer(cluster: &Arc<Cluster>) {
    crate::runtime().block_on(async {
        let schema = fresh_schema();
        let settings = settings(&cluster.url(), &schema);
        PgDatabase::connect(settings.clone()).await.unwrap();
        let client = beside(cluster).await;
        client.batch_execute(&format!("UPDATE {schema}.schema_version SET version = 99")).await.unwrap();
        let outcome = PgDatabase::connect(settings).await;
        assert!(
            matches!(&outcome, Err(OpenError::Newer { schema: told, found: 99, known: 2 }) if *told == schema),
            "{outcome:?}"
        );
    });
}

pub(crate) fn modest_role(cluster: &Arc<Cluster>) {
    crate::runtime().block_on(async {
        let schema = fresh_schema();
        let client = beside(cluster).await;
        client.batch_execute("CREATE ROLE modest LOGIN").await.unwrap();
        let url = cluster.url().replace("user=tester", "user=modest");
        let modest: PgSettings = settings(&url, &schema);
        let outcome = PgDatabase::connect(modest.clone()).await;
        let Err(OpenError::Backend(fault)) = outcome else { panic!("{outcome:?}") };
        assert_eq!(fault.retry, Retry::Never, "{fault:?}");
        PgDatabase::connect(settings(&cluster.url(), &schema)).await.unwrap();
        let grants = format!(
            "GRANT USAGE ON SCHEMA {schema} TO modest;
             GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {schema} TO modest;
             GRANT USAGE ON ALL SEQUENCES IN SCHEMA {schema} TO modest"
        );
        client.batch_execute(&grants).await.unwrap();
        let store = PgTaskStore::new(&PgDatabase::connect(modest).await.unwrap());
        let revision = store.create(&record(1)).await.unwrap();
        store.remove(&record(1).id, revision).await.unwrap();
    });
}

pub(crate) fn damaged(cluster: &Arc<Cluster>) {
    crate::runtime().block_on(async {
        let schema = fresh_schema();
        let store = PgTaskStore::new(&PgDatabase::connect(settings(&cluster.url(), &schema)).await.unwrap());
        for number in [3, 6] {
            store.create(&record(number)).await.unwrap();
        }
        let client = beside(cluster).await;
        let garbage = format!(
            "INSERT INTO {schema}.tasks (id, revision, principal, due, finished, body) VALUES
                 ('', 900, 'ann', 1, false, ''),
                 ('stray', 901, 'ann', 2, false, ''),
                 ('{}', 902, '\\xff', 3, false, ''),
                 ('{}', -1, 'ann', 5000, false, ''),
                 ('zz', 903, 'ann', 5001, false, '')",
            id(1),
            id(4)
        );
        client.batch_execute(&garbage).await.unwrap();
        for (number, column) in [(1, "principal"), (4, "revision")] {
            let fault = store.load(&id(number)).await.unwrap_err();
            assert_eq!(fault.retry, Retry::Never);
            let source = fault.source.to_string();
            assert!(source.contains(id(number).as_str()) && source.contains(column), "{source}");
        }
        let by = Timestamp::from_unix_ms(i64::MAX);
        for size in [1, 2, 10] {
            let mut page: Page<DuePlace> = Page::first(NonZeroUsize::new(size).unwrap());
            let mut due = Vec::new();
            loop {
                let found = store.due(by, page.clone()).await.unwrap();
                let Some(last) = found.last() else { break };
                page = page.following(DuePlace::of(&last.record).unwrap());
                due.extend(ids(&found));
            }
            assert_eq!(due, [id(3), id(6)], "pages of {size}");
            let mut page: Page<TaskId> = Page::first(NonZeroUsize::new(size).unwrap());
            let mut unfinished = Vec::new();
            loop {
                let found = store.unfinished(page.clone()).await.unwrap();
                let Some(last) = found.last() else { break };
                page = page.following(last.record.id.clone());
                unfinished.extend(ids(&found));
            }
            assert_eq!(unfinished, [id(3), id(6)], "pages of {size}");
        }
        let rows = client.query_one(&format!("SELECT count(*) FROM {schema}.tasks"), &[]).await.unwrap();
        assert_eq!(rows.get::<_, i64>(0), 7, "what cannot be read is left where it is");
    });
}

fn ids(found: &[Stored]) -> Vec<TaskId> {
    found.iter().map(|stored| stored.record.id.clone()).collect()
}
