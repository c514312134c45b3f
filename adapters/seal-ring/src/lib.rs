//! Sealed state, signed cursors and system randomness, by the ring crate.
//!
//! [`RingSealer`] seals the state of a continuation so that the client that carries it can neither
//! read nor change it. [`HmacCursorSigner`] makes list cursors that a client can neither make up
//! nor change. The same key on all processes keeps both good across them and across restarts;
//! without a configured key, [`RingSealer::random`] and [`HmacCursorSigner::random`] make one that
//! ends with the process. [`SystemEntropy`] is the operating system's source of random bytes.

mod cursor;
mod entropy;
mod key;
mod state;
mod text;

pub use cursor::{HmacCursorSigner, LONGEST_TOKEN};
pub use entropy::{EntropyError, SystemEntropy};
pub use key::{KeyTooShort, SHORTEST_KEY};
pub use state::{LONGEST_STATE, RingSealer, StateForm};
