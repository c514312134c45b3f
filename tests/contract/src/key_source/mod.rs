//! The laws of the port [`KeySource`](pm_mcp_ports::driven::KeySource).

mod harness;
mod laws;
mod table;

pub use harness::{FreshKeys, KeySourceHarness, PlayedIssuer};
pub use table::{LAWS, hold};
