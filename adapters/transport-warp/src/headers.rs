//! The headers of a request as the domain reads them.

use http::HeaderMap;
use pm_mcp_domain::header::{Found, HeaderSource, KnownHeader, NotedHeaders};

/// Headers by hyper; their names are lower-case already.
pub(crate) struct RequestHeaders<'a> {
    held: &'a HeaderMap,
    noted: NotedHeaders<'a>,
}

impl<'a> RequestHeaders<'a> {
    /// A request has some ten headers, and one pass over all costs less than a search for each that is asked for.
    pub(crate) fn new(held: &'a HeaderMap) -> Self {
        let pairs = held.iter().map(|(name, value)| (name.as_str(), value.as_bytes()));
        Self { held, noted: NotedHeaders::of(pairs) }
    }
}

impl HeaderSource for RequestHeaders<'_> {
    fn find(&self, name: &str) -> Found<'_> {
        let held = self.held.iter().filter(|(held, _)| held.as_str() == name);
        Found::among(held.map(|(_, value)| value.as_bytes()))
    }

    fn known(&self, header: KnownHeader) -> Found<'_> {
        self.noted.known(header)
    }

    fn visit_prefix(&self, prefix: &str, visit: &mut dyn FnMut(&str)) {
        if !self.noted.may_have(prefix) {
            return;
        }
        for (name, _) in self.held {
            if name.as_str().starts_with(prefix) {
                visit(name.as_str());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_headers_are_counted_and_visited_each_time() {
        let mut map = HeaderMap::new();
        for (name, value) in [("mcp-method", "a"), ("mcp-param-x", "1"), ("mcp-param-x", "2"), ("host", "h")]
        {
            map.append(name, value.parse().unwrap());
        }
        let headers = RequestHeaders::new(&map);
        assert_eq!(headers.find("mcp-method"), Found::One(b"a"));
        assert_eq!(headers.find("mcp-param-x"), Found::Many(2));
        assert_eq!(headers.find("origin"), Found::Absent);
        for header in KnownHeader::ALL {
            assert_eq!(headers.known(header), headers.find(header.name()), "{header:?}");
        }
        assert_eq!(headers.find("mcp-param-y"), Found::Absent);
        let mut visited = Vec::new();
        headers.visit_prefix("mcp-param-", &mut |name| visited.push(name.to_owned()));
        headers.visit_prefix("ho", &mut |name| visited.push(name.to_owned()));
        assert_eq!(visited, ["mcp-param-x", "mcp-param-x", "host"]);
    }
}
