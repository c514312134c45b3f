//! One request while its handler works: what the handler may do, and what becomes of it.
//!
//! | Part | Job |
//! |---|---|
//! | [`Request`] | what is known of the request before its handler runs |
//! | [`Exchange`] | the handler's side: questions, memory, progress, becoming a task |
//! | `drive` | the engine's side: lets the handler work and carries out what it asks for |
//! | `rounds` | the questions of a request that is sent again with their answers |
//! | `progress` | which reports are sent |

mod drive;
mod progress;
mod request;
mod rounds;
mod scope;

pub(crate) use drive::{Driven, HandlerFuture, Left};
pub(crate) use request::Request;
pub(crate) use scope::{Event, Exchange, TaskWish};
