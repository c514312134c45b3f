//! Values that nobody may print.

use alloc::boxed::Box;
use core::fmt;

use zeroize::Zeroizing;

/// A token, client secret or code: shows nothing of itself, and its memory is cleared when it is dropped.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Zeroizing<Box<str>>);

impl Secret {
    /// Keeps a value secret.
    pub fn new(value: &str) -> Self {
        Self(Zeroizing::new(value.into()))
    }

    /// The value. Whoever asks must not print it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}
