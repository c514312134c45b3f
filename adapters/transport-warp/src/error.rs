//! Why a server cannot listen.

use std::io;
use std::net::SocketAddr;

use thiserror::Error;

/// Why the transport could not start to listen.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HttpError {
    /// The address is no host and port, or its host is unknown.
    #[error("cannot listen on {address}: give a host and a port, such as 127.0.0.1:3000")]
    Resolve {
        /// The address as it was given.
        address: String,
        /// What the operating system says.
        source: io::Error,
    },
    /// The address can be reached from other machines, and nothing asks callers who they are.
    #[error(
        "cannot listen on {address} without authorization: bind a loopback address such as 127.0.0.1, or have the server ask for tokens"
    )]
    NonLoopback {
        /// The address that others can reach.
        address: SocketAddr,
    },
    /// An endpoint in a server of the host's own asks nobody for tokens, and the host has not said that only this machine
    /// reaches it.
    #[error(
        "cannot serve {endpoint} without authorization: have the server ask for tokens, or say loopback_only() if only this machine reaches it"
    )]
    Unguarded {
        /// The path of the endpoint.
        endpoint: String,
    },
    /// The address cannot be bound.
    #[error("cannot listen on {address}: choose another port, or 0 for any free one")]
    Bind {
        /// The address as it was given.
        address: String,
        /// What the operating system says.
        source: io::Error,
    },
}
