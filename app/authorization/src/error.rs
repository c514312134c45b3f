//! Why a refused request is not sent again.

use std::error::Error;

use pm_mcp_domain::authorization::{AttemptsSpent, FlowFault};
use pm_mcp_ports::driven::{BackendError, EntropyUnavailable, SaveCredentialError};
use thiserror::Error as ThisError;

/// There is no better token for a request.
#[derive(Debug, ThisError)]
#[non_exhaustive]
pub enum AuthorizeError {
    /// The server forbids the operation, and says of no scope that would allow it.
    #[error("the server forbids the operation{}", description.as_ref().map(|text| format!(": {text}")).unwrap_or_default())]
    Forbidden {
        /// What the server says to it, cut to a bound.
        description: Option<String>,
    },
    /// The status is neither 401 nor 403.
    #[error("status {status} is no refusal for want of authorization; only 401 and 403 are")]
    NoRefusal {
        /// The status.
        status: u16,
    },
    /// Authorization was asked for too often for this operation.
    #[error(transparent)]
    Spent(#[from] AttemptsSpent),
    /// The way to a token ended without one.
    #[error(transparent)]
    Flow(#[from] FlowFault),
    /// The user cannot be asked.
    #[error("the user cannot be asked")]
    Consent(#[source] Box<dyn Error + Send + Sync>),
    /// Whoever vouches for the client does not.
    #[error("there is no assertion for the authorization server")]
    Assertion(#[source] Box<dyn Error + Send + Sync>),
    /// What is kept of an issuer cannot be read.
    #[error("the credential store failed")]
    Load(#[from] BackendError),
    /// What was gained cannot be kept.
    #[error("the credential store did not keep what was gained")]
    Save(#[from] SaveCredentialError),
    /// There are no random bytes.
    #[error(transparent)]
    Entropy(#[from] EntropyUnavailable),
    /// The work was stopped, because its runtime ends.
    #[error("the authorization was stopped")]
    Stopped,
}
