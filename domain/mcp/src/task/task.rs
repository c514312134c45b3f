//! The task itself.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use super::id::TaskId;
use super::key::KeyedAnswer;
use super::lease::Lease;
use super::lifetime::Lifetime;
use super::operation::Operation;
use super::state::{TaskState, TaskStatus};
use crate::continuation::InputKey;
use crate::ident::Principal;
use crate::time::Timestamp;

/// Work that outlives the request that began it. A value: what happens to it gives another value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    pub(super) id: TaskId,
    pub(super) principal: Principal,
    pub(super) operation: Operation,
    pub(super) created: Timestamp,
    pub(super) updated: Timestamp,
    pub(super) lifetime: Lifetime,
    pub(super) poll_interval: Duration,
    pub(super) status_message: Option<String>,
    pub(super) lease: Lease,
    pub(super) used_keys: BTreeSet<InputKey>,
    pub(super) untaken: Vec<KeyedAnswer>,
    pub(super) state: TaskState,
}

/// What a task begins with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewTask {
    /// The handle that the client gets.
    pub id: TaskId,
    /// Whose task it is.
    pub principal: Principal,
    /// What it is doing.
    pub operation: Operation,
    /// How long it is kept.
    pub lifetime: Lifetime,
    /// How often a client should ask for it.
    pub poll_interval: Duration,
    /// What people may read.
    pub status_message: Option<String>,
    /// Who works on it.
    pub lease: Lease,
}

impl Task {
    /// A task that begins to work now.
    pub fn create(new: NewTask, now: Timestamp) -> Self {
        let NewTask { id, principal, operation, lifetime, poll_interval, status_message, lease } = new;
        Self {
            id,
            principal,
            operation,
            created: now,
            updated: now,
            lifetime,
            poll_interval,
            status_message,
            lease,
            used_keys: BTreeSet::new(),
            untaken: Vec::new(),
            state: TaskState::Working,
        }
    }

    /// The task's handle.
    pub fn id(&self) -> &TaskId {
        &self.id
    }

    /// Whose task it is.
    pub fn principal(&self) -> &Principal {
        &self.principal
    }

    /// What the task is doing.
    pub fn operation(&self) -> &Operation {
        &self.operation
    }

    /// When it was created.
    pub fn created(&self) -> Timestamp {
        self.created
    }

    /// When a client could last see a change.
    pub fn updated(&self) -> Timestamp {
        self.updated
    }

    /// How long it is kept.
    pub fn lifetime(&self) -> Lifetime {
        self.lifetime
    }

    /// How often a client should ask for it.
    pub fn poll_interval(&self) -> Duration {
        self.poll_interval
    }

    /// What people may read of how it is getting on.
    pub fn status_message(&self) -> Option<&str> {
        self.status_message.as_deref()
    }

    /// Who works on it, or did when it ended.
    pub fn lease(&self) -> &Lease {
        &self.lease
    }

    /// Where it stands.
    pub fn state(&self) -> &TaskState {
        &self.state
    }

    /// The name of where it stands.
    pub fn status(&self) -> TaskStatus {
        self.state.status()
    }

    /// Whether accepted answers wait for the worker.
    pub fn has_untaken_answers(&self) -> bool {
        !self.untaken.is_empty()
    }
}
