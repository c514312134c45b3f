//! Sealed state: one sealer, its keys, and the two forms of what it gives out.

mod form;
mod key;
mod sealer;

pub use form::StateForm;
pub use sealer::{LONGEST_STATE, RingSealer};
