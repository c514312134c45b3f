//! Subscriptions to changes
//! ([Subscriptions](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions)).
//!
//! | Type | Decides |
//! |---|---|
//! | [`Filter`] | what a client may ask for, and what of it a server grants |
//! | [`Change`] | what can happen that somebody may want to hear of |
//! | [`Topic`] | which changes concern which filters, and which replace one another while they wait |
//! | [`PendingStream`], [`LiveStream`] | that nothing precedes the acknowledgement and nothing follows the end |
//! | [`EncodedChange`] | how one serialisation serves every stream |
//!
//! Queues, limits on streams and the waiting are not known here.

mod change;
mod door;
mod encoded;
mod fault;
mod filter;
mod stream;
mod topic;
mod wire;

pub use change::{Change, TaskState, TaskStateError};
pub use door::DoorId;
pub use encoded::EncodedChange;
pub use fault::FilterFault;
pub use filter::{Filter, FilterLimits, Offers};
pub use stream::{LiveStream, PendingStream};
pub use topic::Topic;
