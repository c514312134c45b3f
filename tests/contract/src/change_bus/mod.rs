//! The laws of the port [`ChangeBus`](pm_mcp_ports::driven::ChangeBus).

mod harness;
mod laws;
mod listening;
mod table;

pub use harness::{ChangeBusHarness, FreshBus};
pub use table::{LAWS, hold};
