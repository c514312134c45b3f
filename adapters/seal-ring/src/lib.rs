//! Signed cursors and system randomness, by the ring crate.
//!
//! [`HmacCursorSigner`] makes list cursors that a client can neither make up nor change. The same
//! key on all processes keeps cursors good across them and across restarts; without a configured
//! key, [`HmacCursorSigner::random`] makes one that ends with the process.

mod cursor;
mod entropy;
mod key;

pub use cursor::{HmacCursorSigner, LONGEST_TOKEN};
pub use entropy::EntropyError;
pub use key::{KeyTooShort, SHORTEST_KEY};
