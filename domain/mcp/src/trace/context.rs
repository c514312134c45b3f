//! The trace context of one request.

use alloc::borrow::Cow;

use super::baggage::{Baggage, BaggageKeys};
use super::fields::TraceFields;
use super::parent::TraceParent;
use super::state::TraceState;
use crate::header::{Found, HeaderSource, KnownHeader};

/// Which trace a request belongs to, and what travels along with it. It holds for that request alone.
///
/// Without a parent, the request begins a trace of its own.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TraceContext {
    /// The span of the caller that made the request.
    pub parent: Option<TraceParent>,
    /// What tracing systems pass along; only beside a parent, and from the same source.
    pub state: Option<TraceState>,
    /// The members whose keys the host lists.
    pub baggage: Baggage,
    /// The span that the HTTP headers name, if `_meta` names another: to be linked, not to be a parent.
    pub link: Option<TraceParent>,
}

impl TraceContext {
    /// The context of a request with these fields in `_meta` and, on HTTP, these headers.
    ///
    /// The caller's own word in `_meta` wins over headers, which a proxy may have set. What has another form than the
    /// standards give it is as good as not there; so is a header that is repeated.
    pub fn extract(meta: &TraceFields<'_>, headers: Option<&dyn HeaderSource>, listed: &BaggageKeys) -> Self {
        let header = |name| headers.and_then(|headers| single(headers, name));
        let parsed = |text: Option<Cow<'_, str>>| text.and_then(|text| TraceParent::parse(&text));
        let named = parsed(meta.parent());
        let carried = parsed(header(KnownHeader::TraceParent));
        let state = match (named, carried) {
            (Some(_), _) => meta.state(),
            (None, Some(_)) => header(KnownHeader::TraceState),
            (None, None) => None,
        };
        let baggage = if listed.is_empty() {
            None
        } else {
            let kept = |text: Option<Cow<'_, str>>| text.and_then(|text| Baggage::parse(&text, listed));
            kept(meta.baggage()).or_else(|| kept(header(KnownHeader::Baggage)))
        };
        Self {
            parent: named.or(carried),
            state: state.and_then(|text| TraceState::parse(&text)),
            baggage: baggage.unwrap_or_default(),
            link: carried.filter(|carried| named.is_some_and(|named| named != *carried)),
        }
    }
}

fn single<'a>(headers: &'a dyn HeaderSource, header: KnownHeader) -> Option<Cow<'a, str>> {
    match headers.known(header) {
        Found::One(value) => core::str::from_utf8(value.trim_ascii()).ok().map(Cow::Borrowed),
        Found::Absent | Found::Many(_) => None,
    }
}
