//! What a host puts around every operation: bounds, an audit trail, a last look at results.
//!
//! | Part | Job |
//! |---|---|
//! | [`Interceptor`] | the port |
//! | [`Operation`] | what is being done, for whom |
//! | [`Pass`], [`TimeBound`] | what an interceptor asks for when it lets an operation go on |
//! | [`ResultMut`] | a result that it may still change |
//! | [`Outcome`] | how the operation ended |

mod interceptor;
mod operation;
mod outcome;
mod pass;
mod result;

pub use interceptor::Interceptor;
pub use operation::Operation;
pub use outcome::Outcome;
pub use pass::{Pass, TimeBound};
pub use result::ResultMut;
