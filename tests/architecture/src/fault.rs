//! What a rule reports.

use std::fmt;

/// One breach of a rule: where, and what to change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The file, crate or entry at fault.
    pub place: String,
    /// What is wrong there and what to do about it.
    pub what: String,
}

impl Fault {
    /// A fault at `place`.
    pub fn new(place: impl Into<String>, what: impl Into<String>) -> Self {
        Self { place: place.into(), what: what.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

/// The faults one a line, empty when there are none: what a test compares with `""`.
#[must_use]
pub fn listing(faults: &[Fault]) -> String {
    faults.iter().map(|fault| format!("{fault}\n")).collect()
}
