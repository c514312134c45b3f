//! The laws of the port [`Clock`](pm_mcp_ports::driven::Clock).

mod harness;
mod laws;
mod table;

pub use harness::{ClockHarness, SelfMoving, TriedClock};
pub use table::{LAWS, hold};
