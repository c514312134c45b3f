//! What goes wrong, and what a caller is told of it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pm_mcp_ports::driven::{Applied, BackendError, Retry};
use thiserror::Error;

/// A database is not opened.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpenError {
    /// Another process has it, or this one has it open already.
    #[error(
        "the database in {} is held by another process; stop that one, or give each server a folder of its own",
        folder.display()
    )]
    HeldElsewhere {
        /// The folder.
        folder: PathBuf,
    },
    /// A newer version of this crate made it.
    #[error("the database in {} has format {found} and this version reads 1; use the version that wrote it", folder.display())]
    NewerFormat {
        /// The folder.
        folder: PathBuf,
        /// Its number.
        found: u64,
    },
    /// An import into it was broken off, so that a part is missing.
    #[error("an import into the database in {} was broken off; remove the folder and import again", folder.display())]
    HalfImported {
        /// The folder.
        folder: PathBuf,
    },
    /// A file or folder cannot be made, read or synced.
    #[error("cannot open the database: {doing} {}", path.display())]
    Io {
        /// What was being done.
        doing: &'static str,
        /// With what.
        path: PathBuf,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// sled refuses.
    #[error("sled cannot open the database in {}", folder.display())]
    Sled {
        /// The folder.
        folder: PathBuf,
        /// Why not.
        #[source]
        source: sled::Error,
    },
}

/// Everything is not moved out of a database, or into one.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TransferError {
    /// The database already holds something; import into a new folder.
    #[error("the database in {} is not empty; import into a new folder", folder.display())]
    NotEmpty {
        /// The folder.
        folder: PathBuf,
    },
    /// A line is not what an export has there.
    #[error("line {line} of the import {problem}")]
    Line {
        /// Its number, from 1.
        line: u64,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// The lines cannot be read or written.
    #[error("the lines of the transfer cannot be read or written")]
    Io(#[from] io::Error),
    /// The database failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
}

/// The guard has no room for another nonce.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error(
    "the replay guard remembers {entries} nonces and none is past its time; raise the option `nonces`, or let continuations expire sooner"
)]
pub struct GuardFull {
    /// How many it remembers at a time.
    pub entries: u64,
}

/// What fails inside, cheap to tell to all who wait.
#[derive(Clone, Debug, Error)]
pub(crate) enum Fault {
    #[error("sled failed in {}", folder.display())]
    Sled {
        folder: Arc<Path>,
        #[source]
        source: sled::Error,
    },
    #[error("{doing} {} failed", path.display())]
    Io {
        doing: &'static str,
        path: PathBuf,
        #[source]
        source: Arc<io::Error>,
    },
    #[error("the database failed before; open it again, by a restart of the server")]
    Unhealthy(#[source] Arc<Fault>),
    #[error("sled panicked: {0}")]
    Panicked(Arc<str>),
    #[error("writing the body of a task record into {} failed", path.display())]
    LargeBody {
        path: PathBuf,
        #[source]
        source: Arc<io::Error>,
    },
    #[error("the import was broken off; remove the folder and import again")]
    HalfImported,
    #[error("the call was broken off: the database has failed or is closed")]
    Ended,
    #[error(
        "the record {key} has envelope version {found} and this version reads 1; use the version that wrote it"
    )]
    NewerEnvelope { key: String, found: u8 },
    #[error("the record {key} is damaged")]
    Damaged { key: String },
}

impl Fault {
    pub(crate) fn io(doing: &'static str, path: &Path, source: io::Error) -> Self {
        Self::Io { doing, path: path.to_owned(), source: Arc::new(source) }
    }

    /// As the port says it, for a call that writes nothing.
    pub(crate) fn reading(self, operation: &'static str) -> BackendError {
        let retry = self.retry();
        BackendError { operation, applied: Applied::No, retry, source: Box::new(self) }
    }

    /// As the port says it, for a call that writes.
    pub(crate) fn writing(self, operation: &'static str) -> BackendError {
        let (applied, retry) = (self.applied(), self.retry());
        BackendError { operation, applied, retry, source: Box::new(self) }
    }

    fn applied(&self) -> Applied {
        match self {
            Self::Unhealthy(_)
            | Self::LargeBody { .. }
            | Self::NewerEnvelope { .. }
            | Self::Damaged { .. } => Applied::No,
            Self::Sled { .. } | Self::Io { .. } | Self::Panicked(_) | Self::HalfImported | Self::Ended => {
                Applied::Unknown
            }
        }
    }

    fn retry(&self) -> Retry {
        match self {
            Self::NewerEnvelope { .. } | Self::Damaged { .. } | Self::HalfImported => Retry::Never,
            Self::Sled { .. }
            | Self::Io { .. }
            | Self::LargeBody { .. }
            | Self::Unhealthy(_)
            | Self::Panicked(_)
            | Self::Ended => Retry::Later,
        }
    }
}
