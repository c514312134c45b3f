//! The deprecation ratchet: every use of a symbol that the revision removed or deprecated is found and has a class.
//!
//! What is looked for, and where it may stand, is read from `docs/deprecations.md`, so that the page and the check
//! cannot disagree. A use outside of what that page lists is one of canonical source, and a fault.

mod declaration;
mod inventory;

pub use declaration::{Declaration, Symbol};
pub use inventory::{Class, Use, faults, inventory};
