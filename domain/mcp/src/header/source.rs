//! Read access to the headers of a request.

use alloc::vec::Vec;

use super::noted::KnownHeader;

/// What a request holds under one header name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found<'a> {
    /// No such header.
    Absent,
    /// One header, with its raw value.
    One(&'a [u8]),
    /// So many headers of that name, two or more.
    Many(usize),
}

impl<'a> Found<'a> {
    /// Sums up an iterator over the values of one header.
    pub fn among(values: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut values = values.into_iter();
        match (values.next(), values.next()) {
            (None, _) => Self::Absent,
            (Some(value), None) => Self::One(value),
            (Some(_), Some(_)) => Self::Many(2 + values.count()),
        }
    }
}

/// The headers of one received request.
///
/// Implemented by a transport over whatever its HTTP library uses, and here for lists of pairs.
pub trait HeaderSource: Sync {
    /// What there is under `name`, which is lower-case; held names are compared without regard
    /// to case.
    fn find(&self, name: &str) -> Found<'_>;

    /// What there is under a header that every request is asked for. A source that has noted those need not search.
    fn known(&self, header: KnownHeader) -> Found<'_> {
        self.find(header.name())
    }

    /// Calls `visit` once for each header whose name begins with `prefix`, which is lower-case.
    /// The name is handed over in whatever case it is held; a repeated header is visited each time.
    fn visit_prefix(&self, prefix: &str, visit: &mut dyn FnMut(&str));
}

fn find_in<'a, N: AsRef<str>, V: AsRef<[u8]>>(pairs: &'a [(N, V)], name: &str) -> Found<'a> {
    let held = pairs.iter().filter(|(held, _)| held.as_ref().eq_ignore_ascii_case(name));
    Found::among(held.map(|(_, value)| value.as_ref()))
}

fn visit_in<N: AsRef<str>, V>(pairs: &[(N, V)], prefix: &str, visit: &mut dyn FnMut(&str)) {
    for (name, _) in pairs {
        let name = name.as_ref();
        if name.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix)) {
            visit(name);
        }
    }
}

impl<N: AsRef<str> + Sync, V: AsRef<[u8]> + Sync> HeaderSource for &[(N, V)] {
    fn find(&self, name: &str) -> Found<'_> {
        find_in(self, name)
    }

    fn visit_prefix(&self, prefix: &str, visit: &mut dyn FnMut(&str)) {
        visit_in(self, prefix, visit);
    }
}

impl<N: AsRef<str> + Sync, V: AsRef<[u8]> + Sync> HeaderSource for Vec<(N, V)> {
    fn find(&self, name: &str) -> Found<'_> {
        find_in(self, name)
    }

    fn visit_prefix(&self, prefix: &str, visit: &mut dyn FnMut(&str)) {
        visit_in(self, prefix, visit);
    }
}

impl<N: AsRef<str> + Sync, V: AsRef<[u8]> + Sync, const COUNT: usize> HeaderSource for [(N, V); COUNT] {
    fn find(&self, name: &str) -> Found<'_> {
        find_in(self, name)
    }

    fn visit_prefix(&self, prefix: &str, visit: &mut dyn FnMut(&str)) {
        visit_in(self, prefix, visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_without_regard_to_case() {
        let headers: &dyn HeaderSource = &[("MCP-Method", "a"), ("x", "b"), ("X", "c"), ("x", "")];
        assert_eq!(headers.find("mcp-method"), Found::One(b"a"));
        assert_eq!(headers.find("x"), Found::Many(3));
        assert_eq!(headers.find("mcp"), Found::Absent);
        let mut count = 0;
        headers.visit_prefix("mcp-", &mut |_| count += 1);
        assert_eq!(count, 1);
    }
}
