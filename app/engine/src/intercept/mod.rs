//! The interceptors around one operation.
//!
//! | Part | Job |
//! |---|---|
//! | [`Links`] | which interceptors stand around a request; none in most servers, and then nothing else here runs |
//! | [`Watch`] | one operation between the first `before` and the last `after` |
//! | `around` | serves a request within them |
//! | `deadline` | the nearest bound of an operation |
//! | `kept` | keeps a stream within them |

mod around;
mod deadline;
mod kept;
mod links;
mod watch;

pub(crate) use links::Links;
pub(crate) use watch::Watch;
