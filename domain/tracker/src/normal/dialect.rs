//! The ways in which hash versions read normal form.

/// How linked tests, test runs and dependencies enter a hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "a new dialect must be placed wherever hashes are made")]
pub enum Dialect {
    /// Version 1: linked tests are sorted.
    SortedTests,
    /// Version 2, first dialect: linked tests in stored order, newer keys of tests and test runs included.
    StoredTests,
    /// Version 2, second dialect: as the first, without keys that early writers did not know.
    KnownTestKeys,
    /// Version 3: linked tests as in the first dialect of version 2, dependency ids keep their case.
    KeptIdCase,
}

impl Dialect {
    /// All dialects, each once.
    pub const ALL: [Self; 4] = [Self::SortedTests, Self::StoredTests, Self::KnownTestKeys, Self::KeptIdCase];

    /// The dialects that an entry may have used, likeliest first. `None`, no version named, means 1 or 2.
    #[must_use]
    pub const fn candidates(version: Option<u64>) -> &'static [Self] {
        match version {
            None => &[Self::StoredTests, Self::SortedTests, Self::KnownTestKeys],
            Some(1) => &[Self::SortedTests],
            Some(2) => &[Self::StoredTests, Self::KnownTestKeys],
            Some(3) => &[Self::KeptIdCase],
            Some(_) => &[],
        }
    }

    /// The dialect to write entries of a version in; `None` for versions that cannot be written.
    #[must_use]
    pub const fn to_write(version: u64) -> Option<Self> {
        match version {
            2 => Some(Self::StoredTests),
            3 => Some(Self::KeptIdCase),
            _ => None,
        }
    }

    pub(crate) const fn index(self) -> usize {
        match self {
            Self::SortedTests => 0,
            Self::StoredTests => 1,
            Self::KnownTestKeys => 2,
            Self::KeptIdCase => 3,
        }
    }
}
