//! The bundled servers, from outside.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test stops at the first surprise; what is measured or skipped is told"
)]

mod bad_input;
#[expect(dead_code, reason = "these tests do not give the database every order")]
#[path = "../../../../adapters/postgres/tests/cluster/server.rs"]
mod cluster;
mod damaged_workspace;
mod ending;
mod http;
mod legacy;
mod listening;
mod long_work;
mod same_answers;
mod schema_check;
mod settings;
mod shared_changes;
mod speed;
mod stdio;
mod tasks;
mod two_servers;
mod two_writers;
mod writing;
