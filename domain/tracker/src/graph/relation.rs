//! Kinds of edges and their spellings.

use core::fmt;

/// What an edge says. Two kinds have inverse spellings, which [`Relation::parse`] keeps apart and
/// [`Relation::oriented`] folds into one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the format has exactly these kinds; all others are workspace-defined"
)]
pub enum Relation {
    /// The item waits for the other one.
    BlockedBy,
    /// The other item waits for this one.
    Blocks,
    /// The other item is the parent.
    Parent,
    /// The other item is a child.
    Child,
    /// The two have to do with each other; without direction.
    Related,
    /// The item was found while the other one was worked on.
    DiscoveredFrom,
    /// The item comes from that incident.
    IncidentFrom,
    /// The item carries out the other one.
    Implements,
    /// The item is a later occurrence of the other one.
    RecursFrom,
    /// The item proves the other one.
    Verifies,
    /// The item takes the place of the other one.
    Supersedes,
    /// A kind that the workspace defines, spelled as stored.
    Other(Box<str>),
}

impl Relation {
    /// Reads a kind. Aliases, letter case, blanks around it and `-` for `_` are understood; what is no known kind is
    /// a workspace-defined one.
    #[must_use]
    pub fn parse(kind: &str) -> Self {
        Self::known(kind).unwrap_or_else(|| {
            let plain = kind.trim().to_lowercase().replace('-', "_");
            Self::known(&plain).unwrap_or_else(|| Self::Other(kind.trim().into()))
        })
    }

    fn known(plain: &str) -> Option<Self> {
        Some(match plain {
            "blocked_by" | "depends_on" => Self::BlockedBy,
            "blocks" => Self::Blocks,
            "parent" | "child_of" | "epic" => Self::Parent,
            "child" | "parent_child" | "task" => Self::Child,
            "related" | "related_to" => Self::Related,
            "discovered_from" => Self::DiscoveredFrom,
            "incident_from" => Self::IncidentFrom,
            "implements" => Self::Implements,
            "recurs_from" => Self::RecursFrom,
            "verifies" => Self::Verifies,
            "supersedes" => Self::Supersedes,
            _ => return None,
        })
    }

    /// The main spelling.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::BlockedBy => "blocked_by",
            Self::Blocks => "blocks",
            Self::Parent => "parent",
            Self::Child => "child",
            Self::Related => "related",
            Self::DiscoveredFrom => "discovered_from",
            Self::IncidentFrom => "incident_from",
            Self::Implements => "implements",
            Self::RecursFrom => "recurs_from",
            Self::Verifies => "verifies",
            Self::Supersedes => "supersedes",
            Self::Other(kind) => kind,
        }
    }

    /// The kind that says the same, and whether the two ends change places: `blocks` becomes `blocked_by`, `child`
    /// becomes `parent`.
    #[must_use]
    pub fn oriented(self) -> (Self, bool) {
        match self {
            Self::Blocks => (Self::BlockedBy, true),
            Self::Child => (Self::Parent, true),
            Self::BlockedBy
            | Self::Parent
            | Self::Related
            | Self::DiscoveredFrom
            | Self::IncidentFrom
            | Self::Implements
            | Self::RecursFrom
            | Self::Verifies
            | Self::Supersedes
            | Self::Other(_) => (self, false),
        }
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_mean_the_same_kind() {
        for (alias, kind) in [
            ("depends_on", "blocked_by"),
            ("Depends-On ", "blocked_by"),
            ("blocks", "blocks"),
            ("child_of", "parent"),
            ("epic", "parent"),
            ("parent_child", "child"),
            ("task", "child"),
            ("related_to", "related"),
            ("supersedes", "supersedes"),
            ("Mirrors", "Mirrors"),
        ] {
            assert_eq!(Relation::parse(alias).name(), kind, "{alias}");
        }
    }

    #[test]
    fn inverse_kinds_turn_round() {
        assert_eq!(Relation::Blocks.oriented(), (Relation::BlockedBy, true));
        assert_eq!(Relation::Child.oriented(), (Relation::Parent, true));
        assert_eq!(Relation::Verifies.oriented(), (Relation::Verifies, false));
    }
}
