//! What went wrong in the folder, and what to do about it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use pm_mcp_ports::driven::{Applied, BackendError, Retry};
use thiserror::Error;

use crate::header::HeaderFault;

/// Why a folder cannot be opened as a store of tasks.
#[derive(Debug, Error)]
#[error("the task folder {} cannot be used", .folder.display())]
pub struct OpenError {
    folder: PathBuf,
    source: Fault,
}

impl OpenError {
    pub(crate) fn new(folder: &Path, source: Fault) -> Self {
        Self { folder: folder.to_owned(), source }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

/// Something that the folder or a file in it did not do.
#[derive(Debug, Error)]
pub(crate) enum Fault {
    #[error("{doing} {} failed: {source}{}", .path.display(), Advice(.source))]
    Io { doing: &'static str, path: PathBuf, source: io::Error },
    #[error("{} cannot be read as a task record: {fault}", .path.display())]
    Record { path: PathBuf, fault: HeaderFault },
    #[error("{} has given out every revision", .0.display())]
    NoRevisions(PathBuf),
    #[error("the work on the files of the task folder was stopped")]
    Stopped,
}

struct Advice<'a>(&'a io::Error);

impl fmt::Display for Advice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                f.write_str("; make room on the disk that holds the task folder")
            }
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                f.write_str("; let the server's user write to the task folder")
            }
            _ => Ok(()),
        }
    }
}

impl Fault {
    /// Says what was done with which path when the system refused.
    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { doing, path: path.to_owned(), source }
    }

    pub(crate) fn backend(self, operation: &'static str, applied: Applied) -> BackendError {
        let retry = match &self {
            Self::Io { .. } | Self::Stopped => Retry::Later,
            Self::Record { .. } | Self::NoRevisions(_) => Retry::Never,
        };
        BackendError { operation, applied, retry, source: Box::new(self) }
    }
}
