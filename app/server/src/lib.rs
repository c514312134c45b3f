//! The bundled servers pm-mcp (stdio) and pm-mcp-http (Streamable HTTP) over a work tracker in a git repository.
//!
//! [`run`] is the whole of both programs: settings, finding workspaces, putting the server together, serving, ending.

mod access;
pub mod address_file;
pub mod arguments;
mod assemble;
pub mod init;
pub mod places;
mod run;
pub mod sample;
pub mod settings;
pub mod signals;
mod skills;
mod start;
mod tasks;
mod telemetry;
pub mod user;
mod verification;

pub use assemble::assemble;
pub use run::run;
pub use start::StartError;
