//! Why a filter is refused.

use core::fmt;

use crate::fault::ParamFault;

/// Why a filter cannot be worked with; the answer is `-32602`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FilterFault {
    /// A member is missing, of the wrong type or given twice.
    Malformed(ParamFault),
    /// A list has too many entries, repeated ones included.
    TooMany {
        /// The list's path below `params`.
        member: &'static str,
        /// How many entries it may have.
        limit: usize,
    },
    /// An entry of a list is too long.
    TooLong {
        /// The list's path below `params`.
        member: &'static str,
        /// How many bytes of UTF-8 an entry may have.
        limit: usize,
    },
    /// The lists are too long together.
    TooMuch {
        /// How many bytes of UTF-8 all their entries may have.
        limit: usize,
    },
}

impl From<ParamFault> for FilterFault {
    fn from(fault: ParamFault) -> Self {
        Self::Malformed(fault)
    }
}

impl fmt::Display for FilterFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(fault) => fault.fmt(f),
            Self::TooMany { member, limit } => {
                write!(f, "params.{member} has more than {limit} entries; spread them over several streams")
            }
            Self::TooLong { member, limit } => {
                write!(f, "an entry of params.{member} is longer than {limit} bytes")
            }
            Self::TooMuch { limit } => write!(
                f,
                "the entries of params.notifications are longer than {limit} bytes together; spread them over \
                 several streams"
            ),
        }
    }
}
