//! Telling this process's listeners what other processes publish.

use std::convert::Infallible;
use std::future::pending;
use std::time::Duration;

use pm_mcp_domain::subscription::{Change, Topic};
use pm_mcp_ports::driven::{BackendError, ChangeBus, Heard};
use tracing::warn;

use crate::core::Core;

/// How long after a failure the bus is tried again.
const TRY_AGAIN: Duration = Duration::from_secs(1);

/// Delivers what the hub's bus yields. A failure is logged, and the bus attached to again.
pub(crate) async fn others(core: &Core) -> Infallible {
    let Some(bus) = core.hub.bus() else { return pending().await };
    let clock = &*core.ports.clock;
    let mut missed = false;
    loop {
        let Err(fault) = follow(core, &**bus, missed).await;
        warn!(%fault, "changes of other processes are not heard of for now");
        missed = true;
        clock.sleep_until(clock.now().after(TRY_AGAIN)).await;
    }
}

async fn follow(core: &Core, bus: &dyn ChangeBus, missed: bool) -> Result<Infallible, BackendError> {
    let mut feed = bus.attach().await?;
    if missed {
        anything_may_have_changed(core).await;
    }
    loop {
        match feed.next().await? {
            Heard::Change(change) => deliver(core, &change).await,
            Heard::Lagged => anything_may_have_changed(core).await,
        }
    }
}

/// A task may have gone on here since another process told of it, so that its listeners hear how it stands now.
async fn deliver(core: &Core, change: &Change) {
    if let (Change::TaskChanged { task, .. }, Some(tasks)) = (change, &core.tasks)
        && tasks.changed_elsewhere(task).await
    {
        return;
    }
    core.hub.deliver(change);
}

/// Which changes were lost is not known. Listeners are told to look again at all that they listen to, and how their tasks
/// stand.
async fn anything_may_have_changed(core: &Core) {
    for topic in core.hub.wanted() {
        let change = match topic {
            Topic::Tools => Change::ToolsListChanged,
            Topic::Prompts => Change::PromptsListChanged,
            Topic::Resources => Change::ResourcesListChanged,
            Topic::Resource(uri) => Change::ResourceUpdated { uri },
            Topic::Task(task) => {
                if let Some(tasks) = &core.tasks {
                    tasks.changed_elsewhere(&task).await;
                }
                continue;
            }
        };
        core.hub.deliver(&change);
    }
    if let Some(tasks) = &core.tasks {
        tasks.look_again();
    }
}
