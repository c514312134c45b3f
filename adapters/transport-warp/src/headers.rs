//! The headers of a request as the domain reads them.

use http::HeaderMap;
use pm_mcp_domain::header::{Found, HeaderSource};

/// Headers by hyper; their names are lower-case already.
#[derive(Clone, Copy)]
pub(crate) struct RequestHeaders<'a>(pub(crate) &'a HeaderMap);

impl HeaderSource for RequestHeaders<'_> {
    /// A request has some ten headers, and looking at each costs less than hashing a name that is not interned.
    fn find(&self, name: &str) -> Found<'_> {
        let held = self.0.iter().filter(|(held, _)| held.as_str() == name);
        Found::among(held.map(|(_, value)| value.as_bytes()))
    }

    fn visit_prefix(&self, prefix: &str, visit: &mut dyn FnMut(&str)) {
        for (name, _) in self.0 {
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
        let headers = RequestHeaders(&map);
        assert_eq!(headers.find("mcp-method"), Found::One(b"a"));
        assert_eq!(headers.find("mcp-param-x"), Found::Many(2));
        assert_eq!(headers.find("origin"), Found::Absent);
        let mut visited = Vec::new();
        headers.visit_prefix("mcp-param-", &mut |name| visited.push(name.to_owned()));
        assert_eq!(visited, ["mcp-param-x", "mcp-param-x"]);
    }
}
