//! Whom a server answers.

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
