//! What a message is, and the ordered checks that it passes before it is dispatched.
//!
//! [`Envelope`] reads the bytes once, borrowing; [`judge`] climbs the ladder with what was read. Neither knows a
//! transport.

mod capability;
mod client_info;
mod envelope;
mod episode;
mod extra;
mod ladder;
mod loose;
mod meta;
mod method;
mod params;
mod provenance;

pub use capability::{ClientCapabilities, ClientCapability};
pub use client_info::{ClientInfo, Embedding};
pub use envelope::{Envelope, JSON_DEPTH_LIMIT};
pub use episode::Episode;
pub use extra::ExtensionParts;
pub use ladder::{
    Admitted, Binding, Candidate, Notification, Refused, Verdict, Weighed, judge, judge_with, weigh,
};
pub(crate) use loose::{Expect, Loose};
pub use loose::{JsonKind, LooseText};
pub use meta::{MetaFault, ProgressToken, RequestMeta};
pub use method::Method;
pub use params::{CompletionReference, ListKind, Params, Retry};
pub use provenance::{MOST_PROVENANCE_ENTRIES, Provenance};
