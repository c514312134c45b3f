//! The laws of the ports.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use pm_mcp_contract::{
    ChangeBusHarness, HarnessError, ReplayGuardHarness, TaskStoreHarness, async_trait, change_bus,
    replay_guard, task_store,
};
use pm_mcp_ports::driven::{ChangeBus, Durability, ReplayGuard, TaskStore};
use pm_mcp_postgres::{PgChangeBus, PgDatabase, PgReplayGuard, PgSettings, PgTaskStore};

use crate::Test;
use crate::cluster::Cluster;

/// A name that no other schema of this run has.
pub(crate) fn fresh_schema() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("tried_{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

pub(crate) fn settings(url: &str, schema: &str) -> PgSettings {
    PgSettings::parse(url).unwrap().with_schema(schema).unwrap()
}

/// One schema a store.
struct InSchemas(Arc<Cluster>);

#[async_trait]
impl TaskStoreHarness for InSchemas {
    type Guard = PgSettings;

    fn durability(&self) -> Durability {
        Durability::Durable
    }

    async fn fresh(&self) -> Result<(Arc<dyn TaskStore>, PgSettings), HarnessError> {
        let settings = settings(&self.0.url(), &fresh_schema());
        let database = PgDatabase::connect(settings.clone()).await?;
        Ok((Arc::new(PgTaskStore::new(&database)), settings))
    }

    async fn reopen(
        &self,
        settings: &mut PgSettings,
        killed: Arc<dyn TaskStore>,
    ) -> Result<Arc<dyn TaskStore>, HarnessError> {
        std::mem::forget(killed);
        Ok(Arc::new(PgTaskStore::new(&PgDatabase::connect(settings.clone()).await?)))
    }
}

#[async_trait]
impl ReplayGuardHarness for InSchemas {
    type Guard = ();

    fn bound(&self) -> Option<usize> {
        None
    }

    async fn fresh(&self) -> Result<(Arc<dyn ReplayGuard>, Option<Arc<dyn ReplayGuard>>, ()), HarnessError> {
        let settings = settings(&self.0.url(), &fresh_schema());
        let one = PgReplayGuard::new(&PgDatabase::connect(settings.clone()).await?);
        let other = PgReplayGuard::new(&PgDatabase::connect(settings).await?);
        Ok((Arc::new(one), Some(Arc::new(other)), ()))
    }
}

/// How many changes may wait for a feed: few, so that one soon lags.
const WAITING: usize = 128;

#[async_trait]
impl ChangeBusHarness for InSchemas {
    type Guard = ();

    async fn fresh(&self) -> Result<([Arc<dyn ChangeBus>; 2], ()), HarnessError> {
        let settings = settings(&self.0.url(), &fresh_schema());
        let one = PgDatabase::connect(settings.clone()).await?;
        let other = PgDatabase::connect(settings).await?;
        let one = PgChangeBus::connect_with(&one, WAITING.try_into()?).await?;
        let other = PgChangeBus::connect_with(&other, WAITING.try_into()?).await?;
        Ok(([Arc::new(one), Arc::new(other)], ()))
    }

    fn most_waiting(&self) -> usize {
        WAITING
    }
}

/// One test a law.
pub(crate) fn tests() -> Vec<Test> {
    let stores = task_store::LAWS.iter().map(|law| {
        crate::test(law.name, |cluster| task_store::hold(InSchemas(Arc::clone(cluster)), law.name))
    });
    let guards = replay_guard::LAWS.iter().map(|law| {
        crate::test(law.name, |cluster| replay_guard::hold(InSchemas(Arc::clone(cluster)), law.name))
    });
    let buses = change_bus::LAWS.iter().map(|law| {
        crate::test(law.name, |cluster| change_bus::hold(InSchemas(Arc::clone(cluster)), law.name))
    });
    stores.chain(guards).chain(buses).collect()
}
