//! Parity of the headers that every request carries.

use alloc::vec::Vec;

use super::{
    HeaderFault, HeaderSource, KnownHeader, METHOD_HEADER, NAME_HEADER, PROTOCOL_VERSION_HEADER,
    encoding::{decode_header_value, plain_header_value, says_plainly},
    source::Found,
};

/// Whether a method has a `Mcp-Name` header and which member of its `params` that repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameRule {
    /// The header must be there and repeat this member.
    Required(&'static str),
    /// The header may be left out; if it is there it must repeat this member. So on `tasks/*`,
    /// where the core specification does not ask for it and the tasks extension does.
    Optional(&'static str),
    /// The header must not be there.
    Absent,
}

impl NameRule {
    /// The rule of `method` (specification: streamable-http, "Standard Request Headers").
    #[must_use]
    pub fn of(method: &str) -> Self {
        match method {
            "tools/call" | "prompts/get" => Self::Required("name"),
            "resources/read" => Self::Required("uri"),
            "tasks/get" | "tasks/update" | "tasks/cancel" => Self::Optional("taskId"),
            _ => Self::Absent,
        }
    }

    /// The member of `params` that the header repeats, if the method has one.
    #[must_use]
    pub const fn member(self) -> Option<&'static str> {
        match self {
            Self::Required(member) | Self::Optional(member) => Some(member),
            Self::Absent => None,
        }
    }
}

/// The members of a request's body that the standard headers repeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MirroredBody<'a> {
    /// The protocol version in `params._meta`. `None` if it is missing, which is another
    /// refusal's business: the header is then only checked for being there once and readable.
    pub version: Option<&'a str>,
    /// The JSON-RPC method.
    pub method: &'a str,
    /// The member of `params` that [`NameRule::member`] names, if it is there and a string.
    pub name: Option<&'a str>,
}

/// Checks `MCP-Protocol-Version`, `Mcp-Method` and `Mcp-Name` against the body.
///
/// Header names do not depend on case, values do. Blanks around a value are no part of it. Only
/// `Mcp-Name` may be encoded; it is compared as a whole and undecoded otherwise, so a URI keeps
/// its percent signs. A repeated header is refused even if all its values are equal. Nothing is
/// allocated while headers and body agree in plain text.
///
/// # Errors
///
/// All [`HeaderFault`]s, version first, then method, then name.
pub fn validate_standard_headers(
    body: &MirroredBody<'_>,
    headers: &dyn HeaderSource,
) -> Result<(), Vec<HeaderFault>> {
    let mut faults = Vec::new();
    faults.extend(plain_fault(headers, PROTOCOL_VERSION_HEADER, KnownHeader::ProtocolVersion, body.version));
    faults.extend(plain_fault(headers, METHOD_HEADER, KnownHeader::Method, Some(body.method)));
    faults.extend(name_fault(headers, NameRule::of(body.method), body.name));
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

fn plain_fault(
    headers: &dyn HeaderSource,
    header: &str,
    lookup: KnownHeader,
    expected: Option<&str>,
) -> Option<HeaderFault> {
    match headers.known(lookup) {
        Found::Absent => Some(HeaderFault::Missing { header: header.into() }),
        Found::Many(count) => Some(HeaderFault::Repeated { header: header.into(), count }),
        Found::One(raw) if expected.is_some_and(|expected| says_plainly(raw, expected)) => None,
        Found::One(raw) => match (plain_header_value(raw), expected) {
            (Err(reason), _) => Some(HeaderFault::Unreadable { header: header.into(), reason }),
            (Ok(found), Some(expected)) if found != expected => {
                Some(HeaderFault::mismatch(header, found, expected))
            }
            (Ok(_), _) => None,
        },
    }
}

fn name_fault(headers: &dyn HeaderSource, rule: NameRule, expected: Option<&str>) -> Option<HeaderFault> {
    let raw = match (headers.known(KnownHeader::Name), rule) {
        (Found::Absent, NameRule::Required(_)) => {
            return Some(HeaderFault::Missing { header: NAME_HEADER.into() });
        }
        (Found::Absent, NameRule::Optional(_) | NameRule::Absent) => return None,
        (Found::Many(count), _) => {
            return Some(HeaderFault::Repeated { header: NAME_HEADER.into(), count });
        }
        (Found::One(_), NameRule::Absent) => {
            return Some(HeaderFault::Surplus { header: NAME_HEADER.into() });
        }
        (Found::One(raw), NameRule::Required(_) | NameRule::Optional(_)) => raw,
    };
    if expected.is_some_and(|expected| says_plainly(raw, expected)) {
        return None;
    }
    match (decode_header_value(raw), expected) {
        (Err(reason), _) => Some(HeaderFault::Unreadable { header: NAME_HEADER.into(), reason }),
        (Ok(_), None) => Some(HeaderFault::Surplus { header: NAME_HEADER.into() }),
        (Ok(found), Some(expected)) if found != expected => {
            Some(HeaderFault::mismatch(NAME_HEADER, &found, expected))
        }
        (Ok(_), Some(_)) => None,
    }
}

#[cfg(test)]
mod tests;
