//! How the kit gets at a sealer.

use std::fmt;
use std::sync::Arc;

use pm_mcp_ports::driven::StateSealer;

use crate::harness::HarnessError;
use crate::law::Violation;

/// Makes sealers to try.
pub trait StateSealerHarness: Send + Sync + 'static {
    /// Whether what is sealed cannot be read either; a sealer that only signs says no.
    fn encrypts(&self) -> bool;

    /// A sealer that seals with the key `active` and opens what was sealed with `older` keys as well. Two sealers with
    /// the same keys stand for two processes that share them.
    ///
    /// # Errors
    ///
    /// Whatever keeps it from being made; the test fails with it.
    fn sealer(&self, active: &[u8; 32], older: &[[u8; 32]]) -> Result<Arc<dyn StateSealer>, HarnessError>;
}

/// Sealers of one kind, by their keys.
pub struct Sealers(Box<dyn StateSealerHarness>);

impl Sealers {
    /// The sealers of a harness.
    ///
    /// # Errors
    ///
    /// None so far; what makes them may fail.
    pub async fn of(harness: impl StateSealerHarness) -> Result<Self, HarnessError> {
        Ok(Self(Box::new(harness)))
    }

    pub(super) fn with(
        &self,
        active: &[u8; 32],
        older: &[[u8; 32]],
    ) -> Result<Arc<dyn StateSealer>, Violation> {
        self.0.sealer(active, older).map_err(|fault| Violation::new(format!("there is no sealer: {fault}")))
    }
}

impl fmt::Debug for Sealers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sealers").field("encrypts", &self.0.encrypts()).finish()
    }
}

pub(super) fn skipped_without_encryption(sealers: &Sealers) -> Option<&'static str> {
    (!sealers.0.encrypts()).then_some("the harness declares that the sealer signs only")
}
