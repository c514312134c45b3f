//! Randomness.

use std::fmt::Debug;

use thiserror::Error;

/// Gives bytes that nobody can guess: ids, nonces.
///
/// # Laws
///
/// - EN-01: `Ok` means that every byte was filled from a cryptographic source.
/// - EN-02: after an error the bytes are not to be used.
pub trait Entropy: Debug + Send + Sync + 'static {
    /// Fills `bytes`.
    ///
    /// # Errors
    ///
    /// [`EntropyUnavailable`] when the source fails; the operation that needs the bytes then fails too.
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyUnavailable>;
}

/// The source of randomness failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the system gives no random bytes")]
pub struct EntropyUnavailable;
