//! Why a server did not start, or ended by a failure.

use std::error::Error;
use std::io;

use pm_mcp::{BuildError, HttpError, StdioError};
use pm_mcp_doctor::TargetError;
use pm_mcp_task_fs::OpenError;
use pm_tracker::TrackerError;
use thiserror::Error;

use crate::arguments::ArgumentError;
use crate::init::InitError;
use crate::places::PlaceError;
use crate::settings::SettingFault;

/// Why a server did not start, or ended by a failure.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StartError {
    /// The command line is wrong.
    #[error(transparent)]
    Argument(#[from] ArgumentError),
    /// No workspace was made.
    #[error(transparent)]
    Init(#[from] InitError),
    /// The doctor was given no server.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// The doctor found something wrong.
    #[error("doctor: {wrong} wrong")]
    Unsound {
        /// How much of it.
        wrong: usize,
    },
    /// A setting is wrong.
    #[error(transparent)]
    Setting(#[from] SettingFault),
    /// There is no workspace to serve.
    #[error(transparent)]
    Place(#[from] PlaceError),
    /// The workspaces cannot be served together.
    #[error(transparent)]
    Tracker(#[from] TrackerError),
    /// The server cannot be put together.
    #[error("cannot put the server together")]
    Build(#[from] BuildError),
    /// The folder of tasks cannot be used.
    #[error("cannot keep tasks; let the server write to the workspace, or set PM_MCP_TASK_STORE=memory")]
    Tasks(#[from] OpenError),
    /// The database of tasks cannot be used.
    #[error(
        "cannot keep tasks in sled; stop the server that has them, or set PM_MCP_TASK_STORE to fs, which servers share, or memory"
    )]
    SledTasks(#[from] pm_mcp_task_sled::OpenError),
    /// The folder by which servers see each other cannot be used.
    #[error(
        "cannot show other servers that this one lives; let the server write to the workspace, or set PM_MCP_TASK_STORE=memory"
    )]
    Workers(#[from] pm_mcp_worker_locks::OpenError),
    /// The PostgreSQL database of tasks cannot be used.
    #[error(
        "cannot keep tasks in PostgreSQL; see that PM_MCP_DATABASE_URL is right and that the database runs"
    )]
    Database(#[from] pm_mcp_postgres::OpenError),
    /// The PostgreSQL database does not carry changes between servers.
    #[error(
        "cannot hear of what other servers change in PostgreSQL; see that the database has a connection free and is reached without a pooler that shares sessions"
    )]
    ChangeBus(#[source] pm_mcp::BackendError),
    /// The operating system refuses what every program needs.
    #[error("cannot {what}")]
    System {
        /// What was tried.
        what: &'static str,
        /// What the operating system says.
        source: io::Error,
    },
    /// The server cannot listen, such as when the port is taken.
    #[error("PM_MCP_HTTP_HOST and PM_MCP_HTTP_PORT: {0}")]
    Http(#[source] HttpError),
    /// The standard streams cannot be used or broke.
    #[error(transparent)]
    Stdio(#[from] StdioError),
}

impl StartError {
    /// The exit status: 2 for what the operator set, 1 for everything else.
    #[must_use]
    pub const fn exit_status(&self) -> u8 {
        match self {
            Self::Argument(_) | Self::Target(_) | Self::Setting(_) | Self::Place(PlaceError::Setting(_)) => 2,
            Self::Place(PlaceError::Folder(_) | PlaceError::Sample(_))
            | Self::Init(_)
            | Self::Unsound { .. }
            | Self::Tracker(_)
            | Self::Build(_)
            | Self::Tasks(_)
            | Self::SledTasks(_)
            | Self::Workers(_)
            | Self::Database(_)
            | Self::ChangeBus(_)
            | Self::System { .. }
            | Self::Http(_)
            | Self::Stdio(_) => 1,
        }
    }

    /// The error and its causes in one line.
    #[must_use]
    pub fn line(&self) -> String {
        let mut line = self.to_string();
        // What a variant shows of its cause is not said twice.
        let mut source = match self {
            Self::Http(error) => error.source(),
            other => other.source(),
        };
        while let Some(cause) = source {
            line.push_str(": ");
            line.push_str(&cause.to_string());
            source = cause.source();
        }
        line.replace(['\n', '\r'], " ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_operator_set_has_its_own_status() {
        let setting = || SettingFault::new("PM_PATH", "is empty", "unset it");
        assert_eq!(StartError::from(setting()).exit_status(), 2);
        assert_eq!(StartError::from(PlaceError::Setting(setting())).exit_status(), 2);
        assert_eq!(StartError::from(TrackerError::NoWorkspace).exit_status(), 1);
    }

    #[test]
    fn an_error_and_its_causes_are_one_line() {
        let source = io::Error::other("first\nsecond");
        let line = StartError::System { what: "listen for signals", source }.line();
        assert_eq!(line, "cannot listen for signals: first second");
    }
}
