//! A disk without room under the table.

use std::os::unix::fs::chown;
use std::sync::Arc;

use pm_mcp_contract::SmallDisk;
use pm_mcp_contract::task_store::{expect_stored, numbered_record};
use pm_mcp_domain::task::TaskRecord;
use pm_mcp_ports::driven::{CreateError, ReplaceError, TaskStore};
use pm_mcp_postgres::{PgDatabase, PgTaskStore};

use crate::Dice;
use crate::cluster::{self, Cluster};
use crate::failing::beside;
use crate::laws::{fresh_schema, settings};

/// The user that the server runs as when the tests run as root; only root mounts.
const NOBODY: u32 = 65_534;

/// A body that the database cannot make shorter.
fn record(number: u8) -> TaskRecord {
    let mut dice = Dice(u64::from(number));
    let body = (0..50_000).map(|_| u8::try_from(dice.below(256)).unwrap()).collect();
    TaskRecord { body, ..numbered_record(number) }
}

/// On a server of its own, whose tables lie on a small disk and whose log does not.
pub(crate) fn run(_: &Arc<Cluster>) {
    let place = tempfile::tempdir().unwrap();
    let disk = match SmallDisk::mount(place.path(), 4 << 20) {
        Ok(disk) => disk,
        Err(why) => return eprintln!("SKIPPED a full disk under PostgreSQL: {why}"),
    };
    chown(place.path(), Some(NOBODY), Some(NOBODY)).unwrap();
    let cluster = Cluster::start(&cluster::programs().unwrap());
    crate::runtime().block_on(async {
        let operator = beside(&cluster).await;
        let location = format!("CREATE TABLESPACE small LOCATION '{}'", place.path().display());
        operator.batch_execute(&location).await.unwrap();
        operator.batch_execute("ALTER ROLE tester SET default_tablespace = small").await.unwrap();
        let settings = settings(&cluster.url(), &fresh_schema());
        let store = PgTaskStore::new(&PgDatabase::connect(settings.clone()).await.unwrap());
        let mut kept = Vec::new();
        let (next, refused) = loop {
            let next = record(u8::try_from(kept.len()).unwrap());
            match store.create(&next).await {
                Ok(revision) => kept.push((next, revision)),
                Err(refused) => break (next, refused),
            }
        };
        assert!(matches!(refused, CreateError::Full { .. }), "{refused:?}");
        assert!(refused.to_string().contains("no disk space left"), "{refused}");
        let (first, revision) = kept[0].clone();
        let longer = TaskRecord { body: [first.body.as_slice(), &next.body].concat(), ..first.clone() };
        let outcome = store.replace(&longer, revision).await;
        assert!(matches!(outcome, Err(ReplaceError::Full { .. })), "{outcome:?}");
        assert!(store.load(&next.id).await.unwrap().is_none(), "what was refused is there");
        disk.resize(16 << 20).unwrap();
        kept[0] = (longer.clone(), store.replace(&longer, revision).await.unwrap());
        kept.push((next.clone(), store.create(&next).await.unwrap()));
        let again = PgTaskStore::new(&PgDatabase::connect(settings).await.unwrap());
        for (record, revision) in &kept {
            expect_stored(&again, record, *revision).await.unwrap();
        }
    });
    drop(cluster);
}
