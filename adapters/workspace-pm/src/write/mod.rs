//! Writing: locks, files, histories, batches.
//!
//! Decides the order of steps, so that a stop at any of them leaves an item in its old or its new state. It refuses to
//! know what changes mean; that is decided elsewhere, under the lock that is taken here.

mod batch;
mod commit;
mod disk;
mod journal;
mod lock;
mod new_id;
mod present;
mod recover;
mod repair;
mod session;
mod step;
mod writer;

pub use step::{StepObserver, WriteStep};
pub(crate) use writer::Writing;
