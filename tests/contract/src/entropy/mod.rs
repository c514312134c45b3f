//! The law of the port [`Entropy`](pm_mcp_ports::driven::Entropy) that can be seen from outside. EN-02 binds whoever calls,
//! and that a source is a cryptographic one no test can tell; it can tell bytes that were left out or are the same again.

mod laws;
mod table;

pub use table::{LAWS, hold};
