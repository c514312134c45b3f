//! State that travels through a client which can neither read nor change it.

use std::fmt::Debug;
use std::sync::Arc;

use thiserror::Error;

/// Seals what a continuation must remember.
///
/// Cryptography only: which key, rotation, the authenticated context. What is claimed inside (principal, expiry, request,
/// nonce) and whether it fits is decided by the domain, so that no adapter can forget a check.
///
/// # Laws
///
/// - SS-01: `open(seal(plain, context), context)` is `plain`, for as long as a key of the ring is the same.
/// - SS-02: any other text, and any other context, opens to nothing; it does not say why.
/// - SS-03: a sealer that encrypts shows nothing of `plain` in what it gives out, not even whether two are equal.
/// - SS-04: keys show in no output of the sealer, `Debug` among it.
/// - SS-05: what an older key of the ring sealed still opens; what a dropped key sealed does not.
pub trait StateSealer: Debug + Send + Sync + 'static {
    /// Seals `plain`; the same `context` is needed to open it. The text holds URL-safe characters only.
    ///
    /// # Errors
    ///
    /// [`SealError`] when no random bytes can be had, or when `plain` is longer than the sealer takes.
    fn seal(&self, plain: &[u8], context: &[u8]) -> Result<String, SealError>;

    /// What was sealed, if this very text was sealed in this very context by a key of the ring.
    fn open(&self, sealed: &str, context: &[u8]) -> Option<Vec<u8>>;
}

macro_rules! forward {
    ($pointer:ident) => {
        #[deny(clippy::missing_trait_methods, reason = "a pointer answers what its target answers")]
        impl<S: StateSealer + ?Sized> StateSealer for $pointer<S> {
            fn seal(&self, plain: &[u8], context: &[u8]) -> Result<String, SealError> {
                (**self).seal(plain, context)
            }

            fn open(&self, sealed: &str, context: &[u8]) -> Option<Vec<u8>> {
                (**self).open(sealed, context)
            }
        }
    };
}

forward!(Arc);
forward!(Box);

/// State cannot be sealed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error(
    "state cannot be sealed: the system gives no random bytes, or the state is longer than the sealer takes"
)]
pub struct SealError;
