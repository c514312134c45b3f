//! Black-box tests of the bundled servers: real processes, pipes and sockets.
//!
//! The harness speaks both transports by hand, byte for byte, and holds every message that a server writes against
//! the schema of the revision, where that is at hand (see [`WireSchema`]).
//!
//! | For | Use |
//! |---|---|
//! | a project folder to serve | [`Project`] |
//! | a request | [`request`], [`call`] |
//! | `pm-mcp` | [`StdioServer`] |
//! | `pm-mcp-http` | [`HttpServer`], [`HttpRequest`], [`HttpReply`], [`ListenStream`] |
//! | a program that ends by itself | [`run_to_end`] |
//! | what servers wrote into a tracker, judged by other code than theirs | [`ledger`] |
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a harness of tests stops at the first surprise"
)]

mod binaries;
mod definitions;
mod http_exchange;
mod http_server;
pub mod ledger;
mod legacy_schema;
mod listen_stream;
mod message;
mod process;
mod project;
mod stdio_server;
mod wire_schema;

pub use binaries::{Binary, path_of};
pub use http_exchange::{HttpReply, HttpRequest};
pub use http_server::HttpServer;
pub use legacy_schema::{LEGACY_REVISIONS, LegacySchema, legacy_schema};
pub use listen_stream::ListenStream;
pub use message::{call, meta, request, text_of};
pub use process::{Ended, PATIENCE, run_to_end};
pub use project::Project;
pub use stdio_server::StdioServer;
pub use wire_schema::{WireSchema, wire_schema};
