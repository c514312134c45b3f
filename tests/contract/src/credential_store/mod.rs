//! The laws of the port [`CredentialStore`](pm_mcp_ports::driven::CredentialStore).

mod harness;
mod holds;
mod laws;
mod samples;
mod table;

pub use harness::{CredentialStoreHarness, FreshCredentials, VolatileCredentials};
pub use table::{LAWS, hold};
