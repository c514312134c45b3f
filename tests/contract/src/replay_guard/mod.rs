//! The laws of the port [`ReplayGuard`](pm_mcp_ports::driven::ReplayGuard).

mod harness;
mod laws;
mod table;

pub use harness::{FreshGuard, ReplayGuardHarness, VolatileGuard};
pub use table::{LAWS, hold};
