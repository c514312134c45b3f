//! Why a session over byte streams could not go on.

use std::io;

use thiserror::Error;

/// Why the transport could not start or ended early. The end of the input is no error.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StdioError {
    /// A standard stream cannot be used.
    #[error("cannot use the standard {stream}")]
    Open {
        /// Which stream: `input` or `output`.
        stream: &'static str,
        /// What the operating system says.
        source: io::Error,
    },
    /// The input broke.
    #[error("reading from the client failed")]
    Read(#[source] io::Error),
    /// The output broke, usually because the client has gone.
    #[error("writing to the client failed")]
    Write(#[source] io::Error),
}
