//! What can happen to a task.

use alloc::string::String;
use alloc::vec::Vec;

use super::json::JsonObject;
use super::key::{KeyedAnswer, KeyedQuestion};
use super::lease::WorkerId;
use super::state::TaskError;
use crate::continuation::InputKey;
use crate::time::Timestamp;

/// Something that happened. Closed on purpose: a new event does not compile until every state has an answer for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TaskEvent {
    /// The worker asks the client. Keys that were used before are replaced by free ones.
    InputRequested {
        /// The questions, each with the key that the worker wishes.
        questions: Vec<KeyedQuestion>,
    },
    /// The worker no longer waits for these answers.
    InputWithdrawn {
        /// The keys as they were assigned.
        keys: Vec<InputKey>,
    },
    /// The client answered. Whether each answer fits its question was checked before.
    InputSupplied {
        /// The answers, among them perhaps some to no question that is still open.
        answers: Vec<KeyedAnswer>,
    },
    /// The worker came for the answers that were accepted since it last came.
    InputTaken,
    /// The worker told how it is getting on.
    Reported {
        /// What people may read.
        message: String,
    },
    /// The operation gave its result.
    Finished {
        /// The result.
        result: JsonObject,
    },
    /// The operation raised a protocol error, or broke down.
    Broke {
        /// The error.
        error: TaskError,
    },
    /// The client does not want the result any more.
    CancelRequested,
    /// The worker is still there.
    LeaseRenewed {
        /// Who renews.
        worker: WorkerId,
        /// Until when.
        until: Timestamp,
    },
    /// The instant has come at which the lease may have run out.
    LeaseRanOut,
    /// A worker is known to be gone.
    WorkerLost {
        /// Who is gone.
        worker: WorkerId,
    },
    /// The instant has come at which the lifetime may be over.
    Expired,
}
