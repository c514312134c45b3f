//! `tasks/get`, `tasks/update`, `tasks/cancel`
//! ([Tasks extension](https://github.com/modelcontextprotocol/ext-tasks)).

use std::collections::BTreeMap;
use std::sync::Arc;

use pm_mcp_domain::access::{Scope, Scopes};
use pm_mcp_domain::continuation::InputKey;
use pm_mcp_domain::fault::{ArgumentFault, Refusal};
use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::{JsonObject, KeyedAnswer, Task, TaskEvent, TaskId, TaskRefusal, visible};
use pm_mcp_domain::wire::{Acknowledgement, DetailedTask, ResultResponse};
use pm_mcp_ports::driving::Served;
use pm_mcp_ports::feature::HandlerFault;
use serde_json::value::RawValue;

use super::running::Tasks;
use super::transition::TransitionError;
use crate::answer::answer;
use crate::exchange::Request;
use crate::failure::Failure;

impl From<TransitionError> for Failure {
    /// A task that is gone, or ends while it is being asked for, is as unknown as any other.
    fn from(fault: TransitionError) -> Self {
        match fault {
            TransitionError::Unknown | TransitionError::Refused(TaskRefusal::Expired) => {
                Refusal::UnknownTask.into()
            }
            fault => HandlerFault::internal(fault).into(),
        }
    }
}

impl Tasks {
    /// The task, if it exists as far as this principal can tell. What nobody works on any more is ended first.
    async fn find(&self, id: &str, principal: &Principal) -> Result<Task, Failure> {
        let id = TaskId::parse(id).ok_or(Refusal::UnknownTask)?;
        let found = self.load(&id).await?.map(|(task, _)| task);
        let now = self.clock.now();
        let task = visible(found, principal, now)?;
        let Some(event) = self.end_of_work(&task, now).await else { return Ok(task) };
        self.apply(&id, event).await?;
        let found = self.load(&id).await?.map(|(task, _)| task);
        Ok(visible(found, principal, self.clock.now())?)
    }
}

impl Tasks {
    /// The scopes that whoever asks for the task needs; `None` unless it exists as far as this principal can tell.
    pub(crate) async fn scopes_if_visible(&self, id: &str, principal: &Principal) -> Option<Scopes> {
        let task = self.find(id, principal).await.ok()?;
        scopes_of(&task).ok()
    }
}

impl Request<'_> {
    pub(crate) async fn get_task(&self, id: &str) -> Result<Served, Failure> {
        let task = self.find_task(self.tasks()?, id).await?;
        answer(&ResultResponse::of(self.id, &self.core.identity, &DetailedTask(&task))).map(Served::Answered)
    }

    pub(crate) async fn update_task(&self, id: &str, responses: &RawValue) -> Result<Served, Failure> {
        let tasks = self.tasks()?;
        let task = self.find_task(tasks, id).await?;
        let answers = answers(&task, responses)?;
        tasks.apply_in_full(task.id().clone(), TaskEvent::InputSupplied { answers }).await?;
        self.acknowledge()
    }

    pub(crate) async fn cancel_task(&self, id: &str) -> Result<Served, Failure> {
        let tasks = self.tasks()?;
        let task = self.find_task(tasks, id).await?;
        tasks.apply_in_full(task.id().clone(), TaskEvent::CancelRequested).await?;
        self.acknowledge()
    }

    /// The caller's task, if its token allows what the operation needed that made the task. A caller with too little for
    /// any task is told so, whether there is such a task or not.
    async fn find_task(&self, tasks: &Tasks, id: &str) -> Result<Task, Failure> {
        match tasks.find(id, &self.caller.principal).await {
            Ok(task) => {
                self.permit(&scopes_of(&task)?)?;
                Ok(task)
            }
            Err(failure) => {
                self.permit(Scopes::NONE)?;
                Err(failure)
            }
        }
    }

    fn acknowledge(&self) -> Result<Served, Failure> {
        answer(&ResultResponse::of(self.id, &self.core.identity, &Acknowledgement)).map(Served::Answered)
    }

    fn tasks(&self) -> Result<&Arc<Tasks>, Failure> {
        self.core.tasks.as_ref().ok_or_else(|| Refusal::UnknownTask.into())
    }
}

/// The scopes that the operation needed that made the task.
fn scopes_of(task: &Task) -> Result<Scopes, HandlerFault> {
    let scopes = task.operation().scopes.iter().map(|scope| Scope::parse(scope));
    scopes.collect::<Result<_, _>>().map_err(HandlerFault::internal)
}

/// The answers that some open question waits for. Others are ignored whatever they are; an answer to an open question
/// that is no object cannot fit and is refused.
fn answers(task: &Task, responses: &RawValue) -> Result<Vec<KeyedAnswer>, Refusal> {
    let given: BTreeMap<String, Box<RawValue>> = serde_json::from_str(responses.get())
        .map_err(|_| Refusal::Unusable("params.inputResponses must be an object".to_owned()))?;
    let (mut answers, mut faults) = (Vec::new(), Vec::new());
    for (key, value) in given {
        let Some(key) =
            InputKey::parse(&key).ok().filter(|key| task.asked().iter().any(|open| open.key == *key))
        else {
            continue;
        };
        match JsonObject::parse(value.get()) {
            Ok(response) => answers.push(KeyedAnswer { key, response }),
            Err(_) => faults.push(ArgumentFault {
                pointer: format!("/inputResponses/{key}"),
                message: "must be an object".to_owned(),
            }),
        }
    }
    if faults.is_empty() { Ok(answers) } else { Err(Refusal::InvalidArguments(faults)) }
}
