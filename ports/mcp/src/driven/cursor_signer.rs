//! Cursors that a client cannot make up.

use std::fmt::Debug;

/// Signs what a list cursor holds.
///
/// # Laws
///
/// - CS-01: `open(sign(payload))` is the payload, for as long as the key is the same.
/// - CS-02: any other text opens to nothing, however it differs from a signed one.
/// - CS-03: the key shows in no output of the signer, `Debug` among it.
///
/// A signer that makes its own key invalidates all cursors when the process ends.
pub trait CursorSigner: Debug + Send + Sync + 'static {
    /// The payload as an opaque text of URL-safe characters.
    fn sign(&self, payload: &[u8]) -> String;

    /// The payload of a text that this signer, or one with the same key, has signed. It does not say why not.
    fn open(&self, token: &str) -> Option<Vec<u8>>;
}
