//! URI templates: which resources a template stands for, and with which values.
//!
//! The part of RFC 6570 that resources need: `{name}` for one path segment and, at the end, `{+name}` for all segments
//! that are left or `{?name,other}` for optional query members.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use thiserror::Error;

/// A template that was read. Values never hold a separator, so a handler can use them as names below a root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UriTemplate {
    text: String,
    parts: Vec<Part>,
    query: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    Literal(String),
    Variable(String),
    /// All segments that are left.
    Rest(String),
}

/// Why a text is no template that resources can have.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TemplateFault {
    /// A brace is not closed, or closed without having been opened.
    #[error("uri template {0:?} has an unmatched brace")]
    Brace(String),
    /// An expression is none of the supported forms.
    #[error(
        "uri template {template:?}: {{{expression}}} is not supported; use {{name}}, or {{+name}} or {{?name,other}} at the end"
    )]
    Expression {
        /// The template.
        template: String,
        /// The expression between the braces.
        expression: String,
    },
    /// Two variables stand side by side, or one name stands twice.
    #[error("uri template {0:?} is ambiguous: variables need a literal between them and names of their own")]
    Ambiguous(String),
}

impl UriTemplate {
    /// Reads a template.
    ///
    /// # Errors
    ///
    /// When braces do not match, an expression has an unsupported form, or values could not be told apart.
    ///
    /// ```
    /// use pm_mcp_domain::uri_template::UriTemplate;
    /// let template = UriTemplate::parse("test://template/{id}/data").unwrap();
    /// let values = template.matches("test://template/123/data").unwrap();
    /// assert_eq!(values["id"], "123");
    /// ```
    pub fn parse(text: &str) -> Result<Self, TemplateFault> {
        let (mut parts, mut query, mut rest) = (Vec::new(), Vec::new(), text);
        while let Some((literal, after)) = rest.split_once('{') {
            if literal.contains('}') || !query.is_empty() {
                return Err(TemplateFault::Brace(text.to_owned()));
            }
            let (expression, after) =
                after.split_once('}').ok_or_else(|| TemplateFault::Brace(text.to_owned()))?;
            if !literal.is_empty() {
                parts.push(Part::Literal(literal.to_owned()));
            }
            let unsupported =
                || TemplateFault::Expression { template: text.to_owned(), expression: expression.to_owned() };
            if let Some(name) = expression.strip_prefix('+') {
                if !is_name(name) || !after.is_empty() || !matches!(parts.last(), Some(Part::Literal(_))) {
                    return Err(unsupported());
                }
                parts.push(Part::Rest(name.to_owned()));
                rest = after;
                continue;
            }
            match expression.strip_prefix('?') {
                Some(names) if after.is_empty() && names.split(',').all(is_name) => {
                    query = names.split(',').map(str::to_owned).collect();
                }
                None if is_name(expression) => {
                    if matches!(parts.last(), Some(Part::Variable(_))) {
                        return Err(TemplateFault::Ambiguous(text.to_owned()));
                    }
                    parts.push(Part::Variable(expression.to_owned()));
                }
                Some(_) | None => return Err(unsupported()),
            }
            rest = after;
        }
        if rest.contains('}') {
            return Err(TemplateFault::Brace(text.to_owned()));
        }
        if !rest.is_empty() {
            parts.push(Part::Literal(rest.to_owned()));
        }
        let template = Self { text: text.to_owned(), parts, query };
        let mut names: Vec<&str> = template.variables().collect();
        names.sort_unstable();
        if names.windows(2).any(|pair| pair.first() == pair.last()) {
            return Err(TemplateFault::Ambiguous(text.to_owned()));
        }
        Ok(template)
    }

    /// The template's text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The names of the variables, in order.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        let path = self.parts.iter().filter_map(|part| match part {
            Part::Variable(name) | Part::Rest(name) => Some(name.as_str()),
            Part::Literal(_) => None,
        });
        path.chain(self.query.iter().map(String::as_str))
    }

    /// The values that make the template this URI; `None` when it stands for no such resource.
    ///
    /// The value of `{+name}` is decoded and looked at segment by segment, with single slashes between. Each value is
    /// percent-decoded once. A value that is empty, is `.` or `..`, or holds a slash, a backslash, a
    /// colon-drive or a control character after decoding matches nothing: it could name something outside the
    /// place that the template stands for.
    pub fn matches(&self, uri: &str) -> Option<BTreeMap<String, String>> {
        let (path, query) = match uri.split_once('?') {
            Some((path, query)) if !self.query.is_empty() => (path, Some(query)),
            _ => (uri, None),
        };
        let mut values = BTreeMap::new();
        let mut rest = path;
        let mut parts = self.parts.iter().peekable();
        while let Some(part) = parts.next() {
            match part {
                Part::Literal(literal) => rest = rest.strip_prefix(literal.as_str())?,
                Part::Variable(name) => {
                    let end = match parts.peek() {
                        Some(Part::Literal(literal)) => rest.find(literal.as_str())?,
                        Some(Part::Variable(_) | Part::Rest(_)) | None => rest.len(),
                    };
                    let (raw, after) = rest.split_at_checked(end)?;
                    values.insert(name.clone(), safe_value(raw)?);
                    rest = after;
                }
                Part::Rest(name) => {
                    let segments = rest.split('/').map(safe_value).collect::<Option<Vec<_>>>()?;
                    values.insert(name.clone(), segments.join("/"));
                    rest = "";
                }
            }
        }
        if !rest.is_empty() {
            return None;
        }
        for pair in query.into_iter().flat_map(|query| query.split('&')) {
            let (name, raw) = pair.split_once('=')?;
            if !self.query.iter().any(|known| known == name) {
                return None;
            }
            if values.insert(name.to_owned(), safe_value(raw)?).is_some() {
                return None;
            }
        }
        Some(values)
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Whether a segment begins as a drive of Windows does: joined to a folder there, it leaves it.
pub(crate) fn names_drive(segment: &str) -> bool {
    segment.as_bytes().get(1) == Some(&b':') && segment.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Decodes one value, or refuses it when it could lead elsewhere.
fn safe_value(raw: &str) -> Option<String> {
    if raw.contains(['/', '?', '#']) {
        return None;
    }
    let value = percent_decode(raw)?;
    let leads_elsewhere = value.is_empty()
        || value == "."
        || value == ".."
        || names_drive(&value)
        || value.contains(['/', '\\'])
        || value.chars().any(char::is_control);
    (!leads_elsewhere).then_some(value)
}

pub(crate) fn percent_decode(raw: &str) -> Option<String> {
    if !raw.contains('%') {
        return Some(raw.to_owned());
    }
    let mut bytes = Vec::with_capacity(raw.len());
    let mut rest = raw.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        if *first == b'%' {
            let [high, low, after @ ..] = after else { return None };
            let digit = |byte: &u8| char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
            bytes.push(digit(high)? << 4 | digit(low)?);
            rest = after;
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;

    fn value(template: &str, uri: &str) -> Option<String> {
        UriTemplate::parse(template).unwrap().matches(uri).map(|values| format!("{values:?}"))
    }

    #[test]
    fn values_are_found_between_literals() {
        assert_eq!(value("a://{x}/b/{y}", "a://1/b/2").unwrap(), r#"{"x": "1", "y": "2"}"#);
        assert_eq!(value("a://{x}{?w}", "a://1?w=site").unwrap(), r#"{"w": "site", "x": "1"}"#);
        assert_eq!(value("a://{x}{?w}", "a://1").unwrap(), r#"{"x": "1"}"#);
        assert_eq!(value("a://{x}", "a://%E2%82%AC").unwrap(), r#"{"x": "€"}"#);
        for uri in ["a://", "a://1/", "a://1/2", "b://1", "a://1?q=2", "a://1#f"] {
            assert_eq!(value("a://{x}", uri), None, "{uri}");
        }
        for uri in ["a://1?q=2", "a://1?w", "a://1?w=1&w=2"] {
            assert_eq!(value("a://{x}{?w}", uri), None, "{uri}");
        }
    }

    #[test]
    fn a_value_never_leads_elsewhere() {
        for raw in [
            "..%2F..%2Fetc%2Fpasswd",
            "%2e%2e",
            "..",
            "..%5C",
            "C:%5Cx",
            "C:",
            "%00",
            "%5C%5Chost",
            "%zz",
            "%F",
        ] {
            assert_eq!(value("a://{x}", &format!("a://{raw}")), None, "{raw}");
        }
        assert_eq!(value("a://{x}", "a://%252F").unwrap(), r#"{"x": "%2F"}"#, "decoded once only");
    }

    #[test]
    fn all_segments_that_are_left_are_looked_at_one_by_one() {
        assert_eq!(value("a://{+p}", "a://1/2%20b/3").unwrap(), r#"{"p": "1/2 b/3"}"#);
        assert_eq!(value("a://{x}/{+p}", "a://1/2/3").unwrap(), r#"{"p": "2/3", "x": "1"}"#);
        for uri in
            ["a://", "a:///1", "a://1/", "a://1//2", "a://1/../2", "a://1/%2e%2E", "a://1/b%2Fc", "a://1?q=2"]
        {
            assert_eq!(value("a://{+p}", uri), None, "{uri}");
        }
        for text in ["a://{+p}/b", "a://{+p}{?q}", "a://{x}{+p}", "a://{+}", "a://{+p,q}", "a://{x}/{+x}"] {
            assert!(UriTemplate::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn templates_that_cannot_be_told_apart_are_refused() {
        for text in ["{a}{b}", "{a}/{a}", "{+a}", "{a", "a}", "{?a}/b", "{}", "{a b}"] {
            assert!(UriTemplate::parse(text).is_err(), "{text}");
        }
    }
}
