//! The laws of the port [`CursorSigner`](pm_mcp_ports::driven::CursorSigner).

mod harness;
mod laws;
mod table;

pub use harness::{CursorSignerHarness, Signers};
pub use table::{LAWS, hold};
