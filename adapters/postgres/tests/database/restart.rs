//! A database that goes away and comes back.

use std::sync::Arc;

use pm_mcp_contract::task_store::{expect_stored, numbered_record as record};
use pm_mcp_domain::continuation::Nonce;
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{
    Applied, BackendError, ConsumeError, CreateError, ReplaceError, ReplayGuard, Retry, Revision, TaskStore,
};
use pm_mcp_postgres::{OpenError, PgDatabase, PgReplayGuard, PgTaskStore};

use crate::cluster::{self, Cluster, Order};
use crate::laws::{fresh_schema, settings};

/// On a server of its own, so that the other tests keep theirs.
pub(crate) fn run(_: &Arc<Cluster>) {
    let cluster = Cluster::start(&cluster::programs().unwrap());
    crate::runtime().block_on(survive(&cluster));
}

async fn survive(cluster: &Cluster) {
    let schema = fresh_schema();
    let settings = settings(&cluster.url(), &schema);
    let database = PgDatabase::connect(settings.clone()).await.unwrap();
    let (store, guard) = (PgTaskStore::new(&database), PgReplayGuard::new(&database));
    let mut revision = store.create(&record(1)).await.unwrap();
    let nonce = |number| Nonce::from_random([number; 16]);
    let at = Timestamp::from_unix_ms;
    guard.consume(&nonce(1), at(1_000), at(0)).await.unwrap();

    // As if the power were lost, and nobody is there for a while. What was acknowledged, and so shown, right before stays,
    // also where sessions are set up not to wait for the disk.
    let hasty = format!("{} options='-c synchronous_commit=off'", cluster.url());
    let hasty = PgDatabase::connect(crate::laws::settings(&hasty, &schema)).await.unwrap();
    let acknowledged = PgTaskStore::new(&hasty).create(&record(3)).await.unwrap();
    cluster.order(Order::Stop);
    // The connection of before may break only now; the next one is refused.
    store.load(&record(1).id).await.unwrap_err();
    passes(&store.load(&record(1).id).await.unwrap_err());
    let Err(CreateError::Backend(fault)) = store.create(&record(2)).await else { panic!("it was created") };
    passes(&fault);
    let Err(ReplaceError::Backend(fault)) = store.replace(&record(1), revision).await else {
        panic!("it was replaced")
    };
    passes(&fault);
    let outcome = guard.consume(&nonce(2), at(1_000), at(0)).await;
    assert!(matches!(outcome, Err(ConsumeError::Unavailable(_))), "{outcome:?}");
    let outcome = PgDatabase::connect(settings.clone()).await;
    let Err(OpenError::Backend(fault)) = outcome else { panic!("{outcome:?}") };
    passes(&fault);

    // The first call afterwards makes a new connection.
    cluster.order(Order::Start);
    expect_stored(&store, &record(1), revision).await.unwrap();
    expect_stored(&store, &record(3), acknowledged).await.unwrap();
    let outcome = guard.consume(&nonce(1), at(1_000), at(0)).await;
    assert!(matches!(outcome, Err(ConsumeError::AlreadyUsed)), "{outcome:?}");
    guard.consume(&nonce(2), at(1_000), at(0)).await.unwrap();
    store.create(&record(2)).await.unwrap();

    // While others write: after each failed write the stored record is the one before or the one after.
    let store = Arc::new(store);
    let writing = tokio::spawn(write_on(Arc::clone(&store), revision));
    let restarts = 3;
    for _ in 0..restarts {
        tokio::task::block_in_place(|| cluster.order(Order::Restart));
    }
    store.remove(&record(2).id, store.load(&record(2).id).await.unwrap().unwrap().revision).await.unwrap();
    let (last, failures) = writing.await.unwrap();
    revision = last;
    expect_stored(&*store, &record(1), revision).await.unwrap();
    assert!(failures > 0, "no write met a restart");
    eprintln!("{restarts} restarts under load, {failures} failed calls, none with more or less than it says");
}

/// Writes the record 1 again and again, until the record 2 is gone.
async fn write_on(store: Arc<PgTaskStore>, mut revision: Revision) -> (Revision, u32) {
    let mut failures = 0;
    loop {
        let outcome = store.replace(&record(1), revision).await;
        match outcome {
            Ok(next) => {
                assert_ne!(next, revision);
                revision = next;
            }
            Err(ReplaceError::Backend(fault)) => {
                failures += 1;
                assert_eq!(fault.retry, Retry::Later, "{fault:?}");
                let stored = loop {
                    match store.load(&record(1).id).await {
                        Ok(stored) => break stored.unwrap(),
                        Err(fault) => assert_eq!(fault.retry, Retry::Later, "{fault:?}"),
                    }
                };
                if fault.applied == Applied::No {
                    assert_eq!(stored.revision, revision, "{fault:?}");
                }
                revision = stored.revision;
            }
            Err(other) => panic!("{other}"),
        }
        if let Ok(None) = store.load(&record(2).id).await {
            return (revision, failures);
        }
    }
}

/// It was not done, and may work later.
fn passes(fault: &BackendError) {
    assert_eq!((fault.applied, fault.retry), (Applied::No, Retry::Later), "{fault:?}");
}
