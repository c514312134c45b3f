//! Linked test commands: which there are, whether they may run, and what comes of them.

mod linked;
mod report;
mod run;

pub use report::{TestReport, TestRun};

pub(crate) use linked::LinkedTests;
pub(crate) use report::listed;
pub(crate) use run::{consent, run};
