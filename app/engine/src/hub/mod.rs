//! The hub: from a change to every stream that wants to hear of it.
//!
//! | Part | Job |
//! |---|---|
//! | [`Hub`] | takes changes, runs streams, ends them |
//! | `registry` | which streams there are and who wants what |
//! | `mailbox` | what waits for one stream, bounded and merged |
//! | `writer` | one message at a time, each under a deadline |
//! | [`Subscription`] | the same for a transport that asks for each message itself |
//!
//! Whoever publishes never waits: a change goes into mailboxes under short locks, and each stream's own future carries
//! it out. No lock is held across an `await`, and nothing is spawned. Lock order: registry, then one mailbox.

mod counts;
#[expect(clippy::module_inception, reason = "the file is named after its main type")]
mod hub;
mod limits;
mod listen;
mod mailbox;
mod registry;
mod subscription;
mod writer;

#[cfg(test)]
mod tests;

pub use counts::HubCounts;
pub use hub::Hub;
pub use limits::HubLimits;
pub use listen::{Ended, Listen, ListenRefused, SlowReason};
pub(crate) use subscription::{Pulled, Subscription};
