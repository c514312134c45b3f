//! The laws of the port [`StateSealer`](pm_mcp_ports::driven::StateSealer).

mod harness;
mod laws;
mod table;

pub use harness::{Sealers, StateSealerHarness};
pub use table::{LAWS, hold};
