//! The headers that each request is asked for, noted in one pass.

use super::source::Found;

/// The prefix of headers that depend on the tool, as header sources are searched.
const PARAM_PREFIX: &str = "mcp-param-";

/// A header that every request is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are those of the headers")]
pub enum KnownHeader {
    Host,
    Origin,
    ContentType,
    Accept,
    LastEventId,
    Authorization,
    ProtocolVersion,
    Method,
    Name,
    TraceParent,
    TraceState,
    Baggage,
}

impl KnownHeader {
    /// All of them, each at its place.
    pub const ALL: [Self; 12] = [
        Self::Host,
        Self::Origin,
        Self::ContentType,
        Self::Accept,
        Self::LastEventId,
        Self::Authorization,
        Self::ProtocolVersion,
        Self::Method,
        Self::Name,
        Self::TraceParent,
        Self::TraceState,
        Self::Baggage,
    ];

    /// The header's name in lower case, as header sources are searched.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Origin => "origin",
            Self::ContentType => "content-type",
            Self::Accept => "accept",
            Self::LastEventId => "last-event-id",
            Self::Authorization => "authorization",
            Self::ProtocolVersion => "mcp-protocol-version",
            Self::Method => "mcp-method",
            Self::Name => "mcp-name",
            Self::TraceParent => "traceparent",
            Self::TraceState => "tracestate",
            Self::Baggage => "baggage",
        }
    }

    /// The header of a name in lower case, if it is one of these.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "host" => Self::Host,
            "origin" => Self::Origin,
            "content-type" => Self::ContentType,
            "accept" => Self::Accept,
            "last-event-id" => Self::LastEventId,
            "authorization" => Self::Authorization,
            "mcp-protocol-version" => Self::ProtocolVersion,
            "mcp-method" => Self::Method,
            "mcp-name" => Self::Name,
            "traceparent" => Self::TraceParent,
            "tracestate" => Self::TraceState,
            "baggage" => Self::Baggage,
            _ => return None,
        })
    }
}

/// What a request holds under each name that every request is asked for.
///
/// A transport whose library keeps headers in a form that is slow to search notes them here once. What has no place here
/// is to be looked for in the library's own form.
///
/// ```
/// use pm_mcp_domain::header::{Found, KnownHeader, NotedHeaders};
///
/// let noted = NotedHeaders::of([("host", b"a".as_slice()), ("accept", b"x"), ("accept", b"y")]);
/// assert_eq!(noted.known(KnownHeader::Host), Found::One(b"a"));
/// assert_eq!(noted.known(KnownHeader::Accept), Found::Many(2));
/// assert_eq!(noted.known(KnownHeader::Origin), Found::Absent);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct NotedHeaders<'a> {
    found: [Found<'a>; KnownHeader::ALL.len()],
    has_params: bool,
}

impl<'a> NotedHeaders<'a> {
    /// Notes the headers of a request, whose names are lower-case.
    pub fn of<'n>(headers: impl IntoIterator<Item = (&'n str, &'a [u8])>) -> Self {
        let mut noted = Self { found: [Found::Absent; KnownHeader::ALL.len()], has_params: false };
        for (name, value) in headers {
            match KnownHeader::named(name).and_then(|known| noted.found.get_mut(known as usize)) {
                Some(found) => {
                    *found = match *found {
                        Found::Absent => Found::One(value),
                        Found::One(_) => Found::Many(2),
                        Found::Many(count) => Found::Many(count + 1),
                    }
                }
                None => noted.has_params |= name.starts_with(PARAM_PREFIX),
            }
        }
        noted
    }

    /// What there is under a header.
    pub fn known(&self, header: KnownHeader) -> Found<'a> {
        self.found.get(header as usize).copied().unwrap_or(Found::Absent)
    }

    /// Whether a header may begin with `prefix`; only of the prefix that each call is asked for this is known.
    pub fn may_have(&self, prefix: &str) -> bool {
        self.has_params || prefix != PARAM_PREFIX
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::HeaderSource as _;

    #[test]
    fn each_header_has_a_place_and_a_name_of_its_own() {
        for (at, header) in KnownHeader::ALL.into_iter().enumerate() {
            assert_eq!(header as usize, at, "{header:?}");
            assert_eq!(KnownHeader::named(header.name()), Some(header));
        }
        assert_eq!(KnownHeader::named("x-other"), None);
    }

    #[test]
    fn what_is_noted_is_what_a_search_finds() {
        let headers: [(&str, &str); 6] = [
            ("mcp-method", "a"),
            ("accept", "1"),
            ("accept", "2"),
            ("accept", "3"),
            ("mcp-param-x", "v"),
            ("x", "y"),
        ];
        let noted = NotedHeaders::of(headers.iter().map(|(name, value)| (*name, value.as_bytes())));
        for header in KnownHeader::ALL {
            assert_eq!(noted.known(header), headers.find(header.name()), "{header:?}");
            assert_eq!(noted.known(header), headers.known(header), "{header:?}");
        }
        assert!(noted.may_have("mcp-param-"));
        let none = NotedHeaders::of([("host", b"h".as_slice())]);
        assert!(!none.may_have("mcp-param-") && none.may_have("x-"));
    }
}
