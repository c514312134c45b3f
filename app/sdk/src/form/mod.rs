//! Typed forms: questions to the user whose answers are Rust types.

mod ask;
mod content;
mod flat;

pub use ask::{Elicited, Form, FormOrDeclined};
pub use content::{Derived, FormChoice, FormContent, FormMember};
