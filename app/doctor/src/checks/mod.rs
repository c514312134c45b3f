//! What is looked at, one file a subject.

mod authorization;
mod discovery;
mod earlier;
mod ending;
mod headers;
mod lists;
mod requests;
mod shape;

pub(crate) use authorization::authorization;
pub(crate) use discovery::{discovery, versions};
pub(crate) use earlier::{earlier, earlier_beside};
pub(crate) use ending::ending;
pub(crate) use headers::headers;
pub(crate) use lists::lists;
pub(crate) use requests::requests;

/// Which kind of client a server answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Era {
    /// Clients of the present revision.
    Present,
    /// Clients that begin with a handshake.
    Earlier,
    /// Nobody.
    None,
}

/// Whether a server answers without more than was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Door {
    Open,
    Closed,
}

impl Door {
    pub(crate) fn is_closed(self) -> bool {
        self == Self::Closed
    }
}
