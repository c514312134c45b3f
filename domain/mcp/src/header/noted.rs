//! The headers that each request is asked for, noted in one pass.

use super::source::Found;

/// How many headers have a place of their own.
const PLACES: usize = 12;

/// The prefix of headers that depend on the tool, as header sources are searched.
const PARAM_PREFIX: &str = "mcp-param-";

/// What a request holds under each name that every request is asked for.
///
/// A transport whose library keeps headers in a form that is slow to search notes them here once. What has no place here
/// is to be looked for in the library's own form.
///
/// ```
/// use pm_mcp_domain::header::{Found, NotedHeaders};
///
/// let noted = NotedHeaders::of([("host", b"a".as_slice()), ("accept", b"x"), ("accept", b"y")]);
/// assert_eq!(noted.find("host"), Some(Found::One(b"a")));
/// assert_eq!(noted.find("accept"), Some(Found::Many(2)));
/// assert_eq!(noted.find("origin"), Some(Found::Absent));
/// assert_eq!(noted.find("x-other"), None);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct NotedHeaders<'a> {
    found: [Found<'a>; PLACES],
    has_params: bool,
}

impl<'a> NotedHeaders<'a> {
    /// Notes the headers of a request, whose names are lower-case.
    pub fn of<'n>(headers: impl IntoIterator<Item = (&'n str, &'a [u8])>) -> Self {
        let mut noted = Self { found: [Found::Absent; PLACES], has_params: false };
        for (name, value) in headers {
            match place(name).and_then(|place| noted.found.get_mut(place)) {
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

    /// What there is under `name`; `None` for a name that has no place here.
    pub fn find(&self, name: &str) -> Option<Found<'a>> {
        place(name).and_then(|place| self.found.get(place).copied())
    }

    /// Whether a header may begin with `prefix`; only of the prefix that each call is asked for this is known.
    pub fn may_have(&self, prefix: &str) -> bool {
        self.has_params || prefix != PARAM_PREFIX
    }
}

/// The place of a header.
fn place(name: &str) -> Option<usize> {
    Some(match name {
        "host" => 0,
        "origin" => 1,
        "content-type" => 2,
        "accept" => 3,
        "last-event-id" => 4,
        "authorization" => 5,
        "mcp-protocol-version" => 6,
        "mcp-method" => 7,
        "mcp-name" => 8,
        "traceparent" => 9,
        "tracestate" => 10,
        "baggage" => 11,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::HeaderSource as _;

    const NAMES: [&str; PLACES] = [
        "host",
        "origin",
        "content-type",
        "accept",
        "last-event-id",
        "authorization",
        "mcp-protocol-version",
        "mcp-method",
        "mcp-name",
        "traceparent",
        "tracestate",
        "baggage",
    ];

    #[test]
    fn each_header_has_a_place_of_its_own() {
        for (at, name) in NAMES.into_iter().enumerate() {
            assert_eq!(place(name), Some(at), "{name}");
        }
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
        for name in NAMES {
            assert_eq!(noted.find(name), Some(headers.find(name)), "{name}");
        }
        assert!(noted.may_have("mcp-param-"));
        let none = NotedHeaders::of([("host", b"h".as_slice())]);
        assert!(!none.may_have("mcp-param-") && none.may_have("x-"));
    }
}
