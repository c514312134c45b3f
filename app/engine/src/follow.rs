//! Telling this process's listeners what other processes publish.

use std::convert::Infallible;
use std::future::pending;
use std::time::Duration;

use pm_mcp_domain::subscription::Change;
use pm_mcp_ports::driven::{BackendError, ChangeBus, Clock, Heard};
use tracing::warn;

use crate::hub::Hub;

/// How long after a failure the bus is tried again.
const TRY_AGAIN: Duration = Duration::from_secs(1);

/// Delivers what the hub's bus yields. A failure is logged, and the bus attached to again.
pub(crate) async fn others(hub: &Hub, clock: &dyn Clock) -> Infallible {
    let Some(bus) = hub.bus() else { return pending().await };
    let mut missed = false;
    loop {
        let Err(fault) = follow(hub, &**bus, missed).await;
        warn!(%fault, "changes of other processes are not heard of for now");
        missed = true;
        clock.sleep_until(clock.now().after(TRY_AGAIN)).await;
    }
}

async fn follow(hub: &Hub, bus: &dyn ChangeBus, missed: bool) -> Result<Infallible, BackendError> {
    let mut feed = bus.attach().await?;
    if missed {
        anything_may_have_changed(hub);
    }
    loop {
        match feed.next().await? {
            Heard::Change(change) => hub.deliver(&change),
            Heard::Lagged => anything_may_have_changed(hub),
        }
    }
}

/// Which changes were lost is not known, so that listeners are told to look at every list again.
fn anything_may_have_changed(hub: &Hub) {
    for change in [Change::ToolsListChanged, Change::PromptsListChanged, Change::ResourcesListChanged] {
        hub.deliver(&change);
    }
}
