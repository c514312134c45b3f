//! A law that does not hold.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use pm_mcp_ports::driven::TaskStore;

/// What was seen instead.
#[derive(Debug)]
pub(crate) struct Violation(pub(crate) String);

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<E: std::error::Error> From<E> for Violation {
    /// An error where the law asks for success.
    fn from(error: E) -> Self {
        Self(format!("an operation failed: {error}"))
    }
}

pub(crate) type Outcome = Result<(), Violation>;

/// A check of one law on a fresh store.
pub(crate) type Check = fn(Arc<dyn TaskStore>) -> Pin<Box<dyn Future<Output = Outcome> + Send>>;

/// One law of the port.
pub(crate) struct Law {
    pub(crate) id: &'static str,
    pub(crate) claim: &'static str,
    pub(crate) check: Check,
}

/// Ends the check when what the law says is not so.
macro_rules! ensure {
    ($holds:expr, $($seen:tt)+) => {
        if !$holds {
            return Err($crate::violation::Violation(format!($($seen)+)));
        }
    };
}

pub(crate) use ensure;
