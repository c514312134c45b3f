//! Making a task of work that has begun.

use std::sync::Arc;

use pm_mcp_domain::access::Scopes;
use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::limit::Limit;
use pm_mcp_domain::task::{Lease, LifetimeWish, NewTask, Operation, Task, TaskId};
use pm_mcp_domain::wire::CallToolResult;
use pm_mcp_ports::driven::CreateError;
use pm_mcp_ports::feature::HandlerFault;
use tokio::sync::Notify;

use super::link::TaskLink;
use super::runner::Finish;
use super::running::{Running, Tasks};
use crate::exchange::{Exchange, HandlerFuture};
use crate::intercept::Watch;

/// Work that is to go on as a task.
pub(crate) struct Work {
    pub(crate) exchange: Arc<Exchange>,
    pub(crate) future: HandlerFuture<CallToolResult>,
    /// Looks at the result and writes it as the task keeps it.
    pub(crate) finish: Finish,
    /// What stands around the call, if something does.
    pub(crate) watch: Option<Arc<Watch>>,
}

impl Tasks {
    /// Stores a task; once this is `Ok`, a later read finds it, also after the process was killed.
    pub(crate) async fn create(
        &self,
        principal: &Principal,
        tool: &str,
        needs: &Scopes,
        message: Option<String>,
    ) -> Result<Task, HandlerFault> {
        let _room = self.quotas.room(&*self.store, principal).await?;
        let mut random = [0; TaskId::RANDOM_BYTES];
        self.entropy.fill(&mut random).map_err(HandlerFault::internal)?;
        let now = self.clock.now();
        let new = NewTask {
            id: TaskId::from_random(&random),
            principal: principal.clone(),
            operation: Operation::call_tool(tool, needs.iter().map(|scope| scope.as_str().to_owned())),
            lifetime: self.settings.lifetime.grant(LifetimeWish::Usual).map_err(HandlerFault::internal)?,
            poll_interval: self.settings.poll_interval,
            status_message: message,
            lease: Lease { worker: self.worker.clone(), until: now.after(self.settings.lease) },
        };
        let task = Task::create(new, now);
        match self.store.create(&task.to_record()).await {
            Ok(_) => {
                self.tally.created();
                Ok(task)
            }
            Err(CreateError::Full { limit }) => {
                self.limit_counts.count(Limit::Tasks);
                Err(HandlerFault::Busy(format!(
                    "there is no room for another task (limit tasks): {limit}; try again when others have ended"
                )))
            }
            Err(fault) => Err(HandlerFault::internal(fault)),
        }
    }

    /// Lets the work of a task that was created go on without the request.
    pub(crate) fn run(self: &Arc<Self>, task: &Task, work: Work) {
        let running = Running {
            link: Arc::new(TaskLink::default()),
            exchange: Arc::clone(&work.exchange),
            give_up: Arc::new(Notify::new()),
        };
        work.exchange.enter_task(Arc::clone(&running.link));
        self.began(task.id().clone(), running.clone());
        tokio::spawn(Arc::clone(self).work(task.id().clone(), running, work));
    }
}
