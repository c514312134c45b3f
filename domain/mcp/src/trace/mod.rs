//! Which trace a request belongs to, and what its trace fields may say
//! ([`_meta`](https://modelcontextprotocol.io/specification/2026-07-28/basic#meta), W3C Trace Context, W3C Baggage).
//!
//! Trace fields decorate a request: what is wrong with them is dropped, and the request goes on. They are private
//! data of others that ride along, so they are bounded, of baggage only what the host lists is kept, nothing of them
//! is printed, and all of it ends with the request. How spans are made and exported is not known here.

mod baggage;
mod context;
mod fields;
mod parent;
mod state;

pub use baggage::{Baggage, BaggageKeyFault, BaggageKeys, LONGEST_BAGGAGE, MOST_BAGGAGE_MEMBERS};
pub use context::TraceContext;
pub use fields::TraceFields;
pub use parent::{LONGEST_TRACEPARENT, TraceParent};
pub use state::{LONGEST_TRACESTATE, MOST_TRACESTATE_MEMBERS, TraceState};
