//! What a list cursor holds and when it still fits.
//!
//! To the peer a cursor is an opaque token (specification: server/utilities/pagination). Inside
//! it is a [`Cursor`]: a position in one list, bound to the list's filter, its generation and the
//! caller it was made for, so that no page is ever continued in another list, in a list that has
//! changed, or for someone else. This module decides what is bound and compares it; making a token
//! that nobody can forge is the work of a signer outside.

mod content;
mod digest;
mod position;

pub use content::{CURSOR_REFUSED, Cursor, CursorRefusal, CursorScope};
pub use digest::ParamsDigest;
pub use position::CursorPosition;

#[cfg(test)]
mod tests;
