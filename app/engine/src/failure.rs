//! Why a request gets no result, from wherever it arose.

use pm_mcp_domain::access::Scopes;
use pm_mcp_domain::fault::{Denial, Refusal, Rejection};
use pm_mcp_ports::feature::HandlerFault;

/// Why a request gets no result.
#[derive(Debug)]
pub(crate) enum Failure {
    /// It should not have been dispatched.
    Rejected(Rejection),
    /// What it names or hands over does not fit.
    Refused(Refusal),
    /// The caller may not; the scopes are all that the operation needs.
    Denied(Denial, Scopes),
    /// The handler raised it.
    Handler(HandlerFault),
}

impl From<Rejection> for Failure {
    fn from(rejection: Rejection) -> Self {
        Self::Rejected(rejection)
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<crate::build::BuildError> for Failure {
    fn from(fault: crate::build::BuildError) -> Self {
        Self::Handler(HandlerFault::internal(fault))
    }
}

impl From<HandlerFault> for Failure {
    fn from(fault: HandlerFault) -> Self {
        Self::Handler(fault)
    }
}
