//! The laws of the port [`TaskStore`](pm_mcp_ports::driven::TaskStore).

mod durability;
mod harness;
mod laws;
mod pages;
mod races;
mod records;
mod table;

pub use harness::{FreshStore, TaskStoreHarness, VolatileStore};
pub use records::{expect_stored, numbered_id, numbered_record};
pub use table::{LAWS, hold};
