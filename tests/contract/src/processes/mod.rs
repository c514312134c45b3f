//! A task store among processes: several that share it, and some that are killed in the middle of their work.
//!
//! The laws of a port are tried within one process. What a killed process leaves behind, and what two processes do to each
//! other, show only with real ones: [`ProcessTest`] starts the test again as a process of its own, takes down what it
//! tries and what the store acknowledges, kills it at a moment that is the same in each run, and compares.
//!
//! ```no_run
//! use std::sync::Arc;
//!
//! use pm_mcp_contract::processes::{ProcessTest, StoreAtPlace, work_as_child};
//! use pm_mcp_contract::{HarnessError, async_trait};
//! use pm_mcp_ports::driven::TaskStore;
//! # async fn open(_: &str) -> Result<Arc<dyn TaskStore>, HarnessError> { unimplemented!() }
//!
//! struct MyStore;
//!
//! #[async_trait]
//! impl StoreAtPlace for MyStore {
//!     async fn open(&self, place: &str) -> Result<Arc<dyn TaskStore>, HarnessError> {
//!         open(place).await
//!     }
//!
//!     async fn settle(&self, _: &str) -> Result<(), HarnessError> {
//!         Ok(())
//!     }
//! }
//!
//! # fn tests() {
//! // #[test]
//! fn a_killed_process_loses_nothing() {
//!     if work_as_child(&MyStore) {
//!         return;
//!     }
//!     let place = std::env::temp_dir().join("a-name-of-its-own");
//!     let test = ProcessTest::new(MyStore, "a_killed_process_loses_nothing", place.to_string_lossy());
//!     eprintln!("{}", test.kill(30, |_| Ok(())).unwrap());
//! }
//! # }
//! ```

mod counters;
mod dice;
mod harness;
mod kill;
mod lives;
mod oracle;
mod role;
mod share;

pub use harness::{ProcessTest, StoreAtPlace};
pub use kill::Kills;
pub use role::work_as_child;
pub use share::Shared;
