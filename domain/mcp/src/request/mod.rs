//! What a message is, and the ordered checks that it passes before it is dispatched.
//!
//! [`Envelope`] reads the bytes once, borrowing; [`judge`] climbs the ladder with what was read. Neither knows a
//! transport.

mod capability;
mod envelope;
mod ladder;
mod loose;
mod meta;
mod method;
mod params;

pub use capability::{ClientCapabilities, ClientCapability};
pub use envelope::{Envelope, JSON_DEPTH_LIMIT};
pub use ladder::{Admitted, Binding, Notification, Refused, Verdict, judge};
pub use loose::{JsonKind, LooseText};
pub use meta::{ClientInfo, MetaFault, ProgressToken, RequestMeta};
pub use method::Method;
pub use params::{CompletionReference, ListKind, Params, Retry};
