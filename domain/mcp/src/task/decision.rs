//! What an event makes of a task.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::key::KeyedAnswer;
use super::task::Task;
use crate::continuation::InputKey;
use crate::time::Timestamp;

/// The answer to an event. The next value is stored first, at the revision at which the task was read; the effects are
/// performed after that, and not at all when storing failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// What to store.
    pub next: Next,
    /// What to do then, in this order. Empty when nothing changes; every change that is stored has at least one.
    pub effects: Vec<TaskEffect>,
}

impl Decision {
    /// Nothing is stored and nothing happens.
    pub(super) const fn ignored() -> Self {
        Self { next: Next::Unchanged, effects: Vec::new() }
    }
}

/// What becomes of the stored task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// It stays as it is; there is nothing to write.
    Unchanged,
    /// This task replaces it.
    Replace(Box<Task>),
    /// It is removed.
    Remove,
}

/// Something to do after a decision is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TaskEffect {
    /// Tell whoever listens to the task what it now is.
    Publish,
    /// Tell the worker under which keys its questions were asked, in its order.
    AssignKeys(Vec<KeyAssignment>),
    /// Let the worker know that there are answers to take.
    WakeWorker,
    /// Hand these answers to the worker. They are not stored any more, so this is the only time.
    DeliverInput(Vec<KeyedAnswer>),
    /// Give the worker the signal to stop.
    StopWork,
    /// Look at the task again at this instant.
    WakeAt(Timestamp),
}

/// The key that a question was asked under.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyAssignment {
    /// What the worker wished.
    pub wished: InputKey,
    /// What it got: the same, unless that was used before in this task.
    pub assigned: InputKey,
}
