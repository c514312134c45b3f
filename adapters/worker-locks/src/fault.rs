//! What goes wrong with files.

use std::io;
use std::path::{Path, PathBuf};

use pm_mcp_ports::driven::{Applied, BackendError, Retry};
use thiserror::Error;

/// A folder of workers cannot be used.
#[derive(Debug, Error)]
#[error("the folder of workers {} cannot be used", folder.display())]
pub struct OpenError {
    folder: PathBuf,
    source: Fault,
}

impl OpenError {
    pub(crate) fn new(folder: &Path, source: Fault) -> Self {
        Self { folder: folder.to_owned(), source }
    }
}

/// A call of the operating system that failed.
#[derive(Debug, Error)]
pub(crate) enum Fault {
    #[error("{doing} {} failed", path.display())]
    Io { doing: &'static str, path: PathBuf, source: io::Error },
    #[error("the work was stopped with the runtime")]
    Stopped,
}

impl Fault {
    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { doing, path, source }
    }

    /// Nothing here is done by halves: a file is in its place or not.
    pub(crate) fn backend(self, operation: &'static str) -> BackendError {
        BackendError { operation, applied: Applied::Unknown, retry: Retry::Later, source: Box::new(self) }
    }
}
