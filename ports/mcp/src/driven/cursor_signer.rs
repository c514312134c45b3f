//! Cursors that a client cannot make up.

use std::fmt::Debug;

use pm_mcp_domain::cursor::{Cursor, CursorPosition, CursorRefusal, CursorScope};

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

/// What can be done with any signer.
impl dyn CursorSigner {
    /// A cursor for the page of `scope`'s list that begins at `position`.
    pub fn seal(&self, scope: &CursorScope<'_>, position: CursorPosition) -> String {
        self.sign(&Cursor::new(scope, position).encode())
    }

    /// Where the page of a cursor begins, if it was sealed for this very scope.
    ///
    /// # Errors
    ///
    /// A [`CursorRefusal`] for the log; the peer is always told the same.
    pub fn position(&self, token: &str, scope: &CursorScope<'_>) -> Result<CursorPosition, CursorRefusal> {
        let payload = self.open(token).ok_or(CursorRefusal::Unreadable)?;
        Cursor::decode(&payload)?.fits(scope).cloned()
    }
}
