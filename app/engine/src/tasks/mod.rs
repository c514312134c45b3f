//! Tasks: work that outlives the request that began it.
//!
//! | Part | Job |
//! |---|---|
//! | [`Tasks`] | loads a task, asks the domain, stores the decision, carries out its effects |
//! | `runner` | lets the work go on, renews its lease, brings questions out and answers in |
//! | `link` | the worker's side of its questions |
//! | `counts` | what became of tasks, in numbers |
//! | `create` | makes a task of work that has begun |
//! | `methods` | `tasks/get`, `tasks/update`, `tasks/cancel` |
//! | `quota` | says who may have another task |
//! | `recovery` | ends what a worker left that is known to be gone |
//! | `elsewhere` | hears what other processes did to tasks |
//! | `sweep` | ends what nobody works on, removes what has expired |

mod counts;
mod create;
mod elsewhere;
mod link;
mod methods;
mod quota;
mod recovery;
mod runner;
mod running;
mod sweep;
mod transition;

pub(crate) use counts::TaskCounts;
pub(crate) use create::Work;
pub(crate) use link::TaskLink;
pub(crate) use running::Tasks;
