//! What went wrong, and what to do about it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use pm_mcp_ports::driven::{Applied, BackendError, Retry};
use thiserror::Error;

use crate::key::SHORTEST_KEY;

/// Why a folder cannot be opened as a store of credentials.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The key is too short to protect anything. It says the length, never the key.
    #[error(
        "the key has {length} bytes and needs at least {SHORTEST_KEY}; make one with `openssl rand -base64 48`"
    )]
    KeyTooShort {
        /// The length of the refused key, in bytes.
        length: usize,
    },
    /// Others than the owner may look into the folder.
    #[error("the credential folder {} is open to other users; close it with `chmod 700`", .folder.display())]
    OpenToOthers {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder cannot be made or used.
    #[error("the credential folder {} cannot be used", .folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// Something that the folder or a file in it did not do.
#[derive(Debug, Error)]
pub(crate) enum Fault {
    #[error("{doing} {} failed: {source}{}", .path.display(), Advice(.source))]
    Io { doing: &'static str, path: PathBuf, source: io::Error },
    #[error(
        "{} cannot be decrypted: it was written with another key or for another issuer, or is damaged; give the key that it was written with, or remove it and let the user consent again",
        .0.display()
    )]
    Sealed(PathBuf),
    #[error("{} holds a credential of no known format; remove it and let the user consent again", .0.display())]
    Form(PathBuf),
    #[error("the system gives no random bytes")]
    Random,
    #[error("the work on the files of the credential folder was stopped")]
    Stopped,
}

struct Advice<'a>(&'a io::Error);

impl fmt::Display for Advice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                f.write_str("; make room on the disk that holds the credential folder")
            }
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                f.write_str("; let the user of this process write to the credential folder")
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
            Self::Io { .. } | Self::Random | Self::Stopped => Retry::Later,
            Self::Sealed(_) | Self::Form(_) => Retry::Never,
        };
        BackendError { operation, applied, retry, source: Box::new(self) }
    }
}
