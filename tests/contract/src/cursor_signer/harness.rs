//! How the kit gets at a signer of cursors.

use std::fmt;
use std::sync::Arc;

use pm_mcp_ports::driven::CursorSigner;

use crate::harness::HarnessError;
use crate::law::Violation;

/// Makes signers to try. A function from a key to a signer is one.
pub trait CursorSignerHarness: Send + Sync + 'static {
    /// A signer with this key. Two with the same key stand for two processes that share it.
    ///
    /// # Errors
    ///
    /// Whatever keeps it from being made; the test fails with it.
    fn signer(&self, key: &[u8; 32]) -> Result<Arc<dyn CursorSigner>, HarnessError>;
}

impl<F, S> CursorSignerHarness for F
where
    F: Fn(&[u8; 32]) -> Result<S, HarnessError> + Send + Sync + 'static,
    S: CursorSigner,
{
    fn signer(&self, key: &[u8; 32]) -> Result<Arc<dyn CursorSigner>, HarnessError> {
        Ok(Arc::new(self(key)?))
    }
}

/// Signers of one kind, by their keys.
pub struct Signers(Box<dyn CursorSignerHarness>);

impl Signers {
    /// The signers of a harness.
    ///
    /// # Errors
    ///
    /// None so far; what makes them may fail.
    pub async fn of(harness: impl CursorSignerHarness) -> Result<Self, HarnessError> {
        Ok(Self(Box::new(harness)))
    }

    pub(super) fn with(&self, key: &[u8; 32]) -> Result<Arc<dyn CursorSigner>, Violation> {
        self.0.signer(key).map_err(|fault| Violation::new(format!("there is no signer: {fault}")))
    }
}

impl fmt::Debug for Signers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signers").finish_non_exhaustive()
    }
}
