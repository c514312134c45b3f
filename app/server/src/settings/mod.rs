//! Settings of the servers: one table, read from the environment and nothing else.
//!
//! Decides what is a right value and says in one line what is wrong with another. It refuses to look at the file
//! system or the network: whether a path holds a workspace is found out later.

mod access;
mod environment;
mod fault;
mod limit_table;
mod limits;
#[cfg(test)]
mod limits_page;
mod program;
mod read;
mod secret;
mod table;
mod tasks;
mod telemetry;
mod text;
mod value;
mod verification;

pub use access::AccessChoice;
pub use environment::Environment;
pub use fault::SettingFault;
pub use limits::LimitChoice;
pub use program::Program;
pub(crate) use read::fault;
pub use read::{HttpSettings, Settings, WorkspaceChoice};
pub use secret::{CursorKey, DeploymentToken, StateKeys};
pub(crate) use table::{HTTP_ADDRESS_FILE, PATH, WORKSPACES};
pub use table::{SETTINGS, Setting};
pub use tasks::{TaskChoice, TaskStoreChoice};
pub use telemetry::TelemetryChoice;
pub(crate) use telemetry::{METRICS_ADDR, OTLP_URL};
pub use text::{help, markdown_table, remote_table, version_line};
pub use verification::{IntrospectionChoice, JwtChoice, VerifierChoice};
