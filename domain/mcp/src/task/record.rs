//! The bytes that a store keeps of a task.
//!
//! The form has a number. A change takes another one, and the old ones stay readable for ever:
//!
//! | Reader | Data | What happens |
//! |---|---|---|
//! | newer | older | read by the number it carries |
//! | older | newer | [`RecordError::UnknownFormat`]; the record stays untouched in the store |
//! | same number, unknown member | | [`RecordError::Unreadable`], because writing the task again would lose the member |

use alloc::vec::Vec;

use serde::Deserialize;
use thiserror::Error;

use super::id::TaskId;
use super::stored::StoredTask;
use super::task::Task;
use crate::ident::Principal;
use crate::time::Timestamp;

/// What a store keeps: a few plain columns to find tasks by, and an opaque body. The columns repeat what the body says,
/// so a store never has to read a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TaskRecord {
    /// The task's handle: the key of the record.
    pub id: TaskId,
    /// Whose task it is.
    pub principal: Principal,
    /// When someone has to look at the task; `None` for never.
    pub due: Option<Timestamp>,
    /// Whether the task has ended.
    pub finished: bool,
    /// The task, in a form that only the domain reads.
    pub body: Vec<u8>,
}

impl TaskRecord {
    /// The number of the form that [`Task::to_record`] writes.
    pub const FORMAT: u32 = 1;
}

impl Task {
    /// The task as a store keeps it.
    pub fn to_record(&self) -> TaskRecord {
        TaskRecord {
            id: self.id.clone(),
            principal: self.principal.clone(),
            due: self.next_deadline(),
            finished: self.status().is_ended(),
            body: StoredTask::of(self).to_bytes(),
        }
    }

    /// The task of a record.
    ///
    /// # Errors
    ///
    /// [`RecordError`] when the record cannot be read; it is then to be reported and left where it is.
    pub fn from_record(record: &TaskRecord) -> Result<Self, RecordError> {
        let stored = match serde_json::from_slice::<StoredTask>(&record.body) {
            Ok(stored) => stored,
            Err(_) => return Err(unreadable(&record.body)),
        };
        if stored.format != TaskRecord::FORMAT {
            return Err(RecordError::UnknownFormat { found: stored.format });
        }
        let task = stored.into_task().ok_or(RecordError::Unreadable)?;
        let TaskRecord { id, principal, due, finished, body: _ } = record;
        let agrees = task.id == *id
            && task.principal == *principal
            && task.next_deadline() == *due
            && task.status().is_ended() == *finished;
        if agrees { Ok(task) } else { Err(RecordError::Disagrees) }
    }
}

/// What to say of a body that is not in the form of today: its number, if it has one.
fn unreadable(body: &[u8]) -> RecordError {
    #[derive(Deserialize)]
    struct Numbered {
        format: u32,
    }
    match serde_json::from_slice::<Numbered>(body) {
        Ok(Numbered { format }) if format != TaskRecord::FORMAT => {
            RecordError::UnknownFormat { found: format }
        }
        Ok(_) | Err(_) => RecordError::Unreadable,
    }
}

/// A record cannot be read as a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum RecordError {
    /// It was written in a form that this version does not know, most likely by a newer one.
    #[error(
        "the task record has format {found}, and this version reads {}; use the version that wrote it",
        TaskRecord::FORMAT
    )]
    UnknownFormat {
        /// The number that the record carries.
        found: u32,
    },
    /// It is damaged, or no task record.
    #[error("the task record cannot be read; it is damaged")]
    Unreadable,
    /// The columns say something else than the body.
    #[error("the columns of the task record do not agree with its body; it is damaged")]
    Disagrees,
}
