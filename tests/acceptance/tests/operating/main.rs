//! What `docs/operating.md` says, tried with its own files: workers behind nginx, backups, and rotation of keys.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test stops at the first surprise; what is measured or skipped is told"
)]

mod backup;
#[expect(dead_code, reason = "these tests give the database no orders")]
#[path = "../../../../adapters/postgres/tests/cluster/server.rs"]
mod cluster;
mod limits;
mod load;
mod nginx;
mod page;
mod rotation;
mod workers;
