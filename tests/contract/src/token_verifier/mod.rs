//! The laws of the port [`TokenVerifier`](pm_mcp_ports::driven::TokenVerifier).

mod harness;
mod laws;
mod table;

pub use harness::{FreshVerifier, SampleTokens, TokenVerifierHarness};
pub use table::{LAWS, hold};
