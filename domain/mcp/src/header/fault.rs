//! Disagreement between the headers of a request and its body.

use alloc::string::{String, ToString};

use super::encoding::HeaderValueFault;
use crate::schema::excerpt;

/// One way in which headers and body disagree. Each is refused with `-32020` and HTTP 400.
///
/// Arguments of a tool are named, not repeated: they may be private and faults may be logged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HeaderFault {
    /// A header that the request must carry is not there.
    #[error("{header} header is missing")]
    Missing {
        /// Name of the header.
        header: String,
    },
    /// A header stands more than once, so that readers could disagree about which one counts.
    #[error("{header} header is repeated {count} times")]
    Repeated {
        /// Name of the header.
        header: String,
        /// How often it stands there.
        count: usize,
    },
    /// A header is there although the body has no value for it.
    #[error("{header} header is present but the body has no value for it")]
    Surplus {
        /// Name of the header.
        header: String,
    },
    /// A header claims to repeat an argument that the tool does not mirror.
    #[error("{header} header is present but the tool declares no such header")]
    Undeclared {
        /// Name of the header, shortened.
        header: String,
    },
    /// A header differs from the member of the body that it repeats.
    #[error("{header} header value '{found}' does not match body value '{expected}'")]
    Mismatch {
        /// Name of the header.
        header: String,
        /// What the header says, shortened.
        found: String,
        /// What the body says, shortened.
        expected: String,
    },
    /// A header differs from the tool argument that it repeats.
    #[error("{header} header value does not match the argument at `{pointer}`")]
    ArgumentMismatch {
        /// Name of the header.
        header: String,
        /// JSON Pointer of the argument within `arguments`.
        pointer: String,
    },
    /// A header's value cannot be read.
    #[error("{header} header value {reason}")]
    Unreadable {
        /// Name of the header.
        header: String,
        /// What is wrong with it.
        reason: HeaderValueFault,
    },
    /// An integer that is mirrored does not survive where integers are double-precision numbers,
    /// so machines between client and server would see another value.
    #[error("the argument at `{pointer}` for {header} is outside the safe integers, -(2^53-1) to 2^53-1")]
    UnsafeInteger {
        /// Name of the header.
        header: String,
        /// JSON Pointer of the argument within `arguments`.
        pointer: String,
    },
}

impl HeaderFault {
    pub(super) fn mismatch(header: &str, found: &str, expected: &str) -> Self {
        Self::Mismatch { header: header.into(), found: excerpt(found), expected: excerpt(expected) }
    }
}

/// The faults of one request as one message for the peer, such as
/// `Header mismatch: Mcp-Name header is missing; Mcp-Method header is missing`.
#[must_use]
pub fn describe_header_faults(faults: &[HeaderFault]) -> String {
    let mut text = String::from("Header mismatch: ");
    for (at, fault) in faults.iter().enumerate() {
        if at > 0 {
            text.push_str("; ");
        }
        text.push_str(&fault.to_string());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_is_the_one_of_the_specification() {
        let fault = HeaderFault::mismatch("Mcp-Name", "foo", "bar");
        assert_eq!(
            describe_header_faults(&[fault, HeaderFault::Missing { header: "Mcp-Method".into() }]),
            "Header mismatch: Mcp-Name header value 'foo' does not match body value 'bar'; \
             Mcp-Method header is missing"
        );
    }
}
