//! What can be done with a decorated port.

use std::fmt;

/// One method of the ports [`TaskStore`](pm_mcp_ports::driven::TaskStore) and
/// [`ReplayGuard`](pm_mcp_ports::driven::ReplayGuard).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Operation {
    /// `TaskStore::create`.
    Create,
    /// `TaskStore::load`.
    Load,
    /// `TaskStore::replace`.
    Replace,
    /// `TaskStore::remove`.
    Remove,
    /// `TaskStore::due`.
    Due,
    /// `TaskStore::unfinished`.
    Unfinished,
    /// `TaskStore::held`.
    Held,
    /// `ReplayGuard::consume`.
    Consume,
}

impl Operation {
    /// What a failing operation says that it was doing.
    pub const fn doing(self) -> &'static str {
        match self {
            Self::Create => "creating a task record",
            Self::Load => "loading a task record",
            Self::Replace => "replacing a task record",
            Self::Remove => "removing a task record",
            Self::Due => "listing what is due",
            Self::Unfinished => "listing what is unfinished",
            Self::Held => "counting the task records of a principal",
            Self::Consume => "consuming a nonce",
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.doing())
    }
}
