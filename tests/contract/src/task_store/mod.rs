//! The laws of the port [`TaskStore`](pm_mcp_ports::driven::TaskStore).

mod come_and_go;
mod durability;
mod harness;
mod laws;
mod pages;
mod races;
mod records;
mod table;

pub use come_and_go::{bytes_below, come_and_go, cycles_or};
pub use harness::{FreshStore, TaskStoreHarness, VolatileStore};
pub use records::{expect_stored, numbered_id, numbered_record};
pub use table::{LAWS, hold};
