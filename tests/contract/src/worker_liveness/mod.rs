//! The laws of the port [`WorkerLiveness`](pm_mcp_ports::driven::WorkerLiveness).

mod harness;
mod laws;
mod table;

pub use harness::{FreshLiveness, WorkerLivenessHarness};
pub use table::{LAWS, hold};
