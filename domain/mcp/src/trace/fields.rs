//! Trace fields as they came in `_meta`.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use core::fmt;

use serde_json::value::RawValue;

/// The trace fields of one request's `_meta`, of whatever JSON type and not yet looked at.
///
/// They stay raw until somebody asks: a server that traces nothing pays nothing for them, and what is wrong with them
/// cannot make the request unreadable.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct TraceFields<'a>(Option<Box<Noted<'a>>>);

#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Noted<'a> {
    parent: Field<'a>,
    state: Field<'a>,
    baggage: Field<'a>,
}

#[derive(Clone, Copy, Default)]
enum Field<'a> {
    #[default]
    Absent,
    Once(&'a RawValue),
    /// Given more than once: nobody can tell which is meant.
    Twice,
}

impl<'a> TraceFields<'a> {
    /// Notes `traceparent`.
    pub fn note_parent(&mut self, value: &'a RawValue) {
        self.noted().parent.note(value);
    }

    /// Notes `tracestate`.
    pub fn note_state(&mut self, value: &'a RawValue) {
        self.noted().state.note(value);
    }

    /// Notes `baggage`.
    pub fn note_baggage(&mut self, value: &'a RawValue) {
        self.noted().baggage.note(value);
    }

    /// `traceparent`, if it is one string.
    pub fn parent(&self) -> Option<Cow<'a, str>> {
        self.0.as_ref()?.parent.text()
    }

    /// `tracestate`, if it is one string.
    pub fn state(&self) -> Option<Cow<'a, str>> {
        self.0.as_ref()?.state.text()
    }

    /// `baggage`, if it is one string.
    pub fn baggage(&self) -> Option<Cow<'a, str>> {
        self.0.as_ref()?.baggage.text()
    }

    /// Whether none of the fields was there.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    fn noted(&mut self) -> &mut Noted<'a> {
        self.0.get_or_insert_default()
    }
}

impl<'a> Field<'a> {
    fn note(&mut self, value: &'a RawValue) {
        *self = match self {
            Self::Absent => Self::Once(value),
            Self::Once(_) | Self::Twice => Self::Twice,
        };
    }

    fn text(self) -> Option<Cow<'a, str>> {
        let Self::Once(raw) = self else { return None };
        let text = raw.get();
        match text.strip_prefix('"')?.strip_suffix('"')? {
            inner if inner.contains('\\') => serde_json::from_str(text).ok().map(Cow::Owned),
            plain => Some(Cow::Borrowed(plain)),
        }
    }

    fn as_json(self) -> Option<Option<&'a str>> {
        match self {
            Self::Absent => None,
            Self::Once(raw) => Some(Some(raw.get())),
            Self::Twice => Some(None),
        }
    }
}

impl PartialEq for Field<'_> {
    /// Fields are equal when their JSON texts are.
    fn eq(&self, other: &Self) -> bool {
        self.as_json() == other.as_json()
    }
}

impl Eq for Field<'_> {}

impl fmt::Debug for TraceFields<'_> {
    /// Says which fields came, never what they say.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_set();
        let Noted { parent, state, baggage } = self.0.as_deref().copied().unwrap_or_default();
        for (name, field) in [("traceparent", parent), ("tracestate", state), ("baggage", baggage)] {
            if field.as_json().is_some() {
                fields.entry(&name);
            }
        }
        fields.finish()
    }
}
