//! Runs linked commands as process groups with time limits and bounded output.
//!
//! A command is given to the system's shell in the repository root. What it starts belongs to its process group, and
//! the whole group ends with it. The server's own settings, among them its keys, are not handed on.

mod end;
mod runner;
mod tail;

pub use runner::{GRACE, ProcessRunner};
