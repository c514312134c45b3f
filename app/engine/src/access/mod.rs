//! Who gets in, what a caller may do, and what it may know of.
//!
//! | Part | Job |
//! |---|---|
//! | [`Gate`] | has a token verified, and words what a caller is told who stays out |
//! | [`Acting`] | whom a message acts for, once that is known |
//! | `needs` | which scopes a request needs |
//! | `view` | what callers of one class may know of |

mod acting;
mod gate;
mod needs;
mod view;

pub(crate) use acting::Acting;
pub use gate::AccessSettings;
pub(crate) use gate::{Gate, asks_later};
pub use needs::ArgumentScopes;
pub(crate) use needs::OperationScopes;
pub(crate) use view::{View, Views};
