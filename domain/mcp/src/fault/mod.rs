//! Every refusal, and the tables that give each its code, its HTTP status, its words and its data.
//!
//! A [`Rejection`] arises before dispatch and has an HTTP status of its own; a [`Refusal`] arises when the request is
//! looked into and travels in band; a [`Denial`] keeps a caller out. The tables are total: a new reason does not compile until it is placed.

mod code;
mod denial;
mod refusal;
mod rejection;
mod response;

pub use code::ErrorCode;
pub use denial::Denial;
pub use refusal::{ArgumentFault, Refusal};
pub use rejection::{ParamFault, Rejection};
pub use response::{ErrorResponse, denial_json, refusal_json, rejection_json};
