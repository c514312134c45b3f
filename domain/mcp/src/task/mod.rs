//! Tasks: work that outlives the request that began it
//! ([Tasks extension](https://modelcontextprotocol.io/extensions/tasks/overview)).
//!
//! [`Task::decide`] says what an event does to a task; the caller stores the next value at the revision it read and only
//! then performs the effects. This module knows neither stores nor workers, neither clocks nor the wire.
//!
//! | File | Decides |
//! |---|---|
//! | `state` | what is known in each state |
//! | `event`, `decide` | what may happen, and what then becomes of the task |
//! | `expiry` | how long a task is there, and for whom |
//! | `lifetime`, `limits` | what a host may ask for |
//! | `record` | the bytes that a store keeps |

mod decide;
mod decision;
mod event;
mod expiry;
mod id;
mod json;
mod key;
mod lease;
mod lifetime;
mod limits;
mod operation;
mod record;
mod refusal;
mod state;
mod stored;
#[expect(
    clippy::module_inception,
    reason = "the module is named after what it decides, the file after its type"
)]
mod task;

pub use decide::{WORK_CANCELLED, WORKER_LOST};
pub use decision::{Decision, KeyAssignment, Next, TaskEffect};
pub use event::TaskEvent;
pub use expiry::visible;
pub use id::TaskId;
pub use json::{JsonObject, NotJson, RawJson};
pub use key::{KeyedAnswer, KeyedQuestion};
pub use lease::{Lease, WorkerId};
pub use lifetime::{Lifetime, LifetimeError, LifetimeLimits, LifetimeWish};
pub use limits::{QuotaUsedUp, TaskLimits, TaskQuota};
pub use operation::Operation;
pub use record::{RecordError, TaskRecord};
pub use refusal::TaskRefusal;
pub use state::{TaskError, TaskState, TaskStatus};
pub use task::{NewTask, Task};
