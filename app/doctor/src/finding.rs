//! What was found, and how it is told.

use core::fmt::{self, Write as _};

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "readers of reports tell these apart")]
pub enum Level {
    /// As it should be.
    Fine,
    /// Worth knowing; nothing to change.
    Note,
    /// Some hosts will have trouble.
    Doubtful,
    /// Against the revision, or no host can go on.
    Wrong,
}

impl Level {
    const fn word(self) -> &'static str {
        match self {
            Self::Fine => "fine",
            Self::Note => "note",
            Self::Doubtful => "doubtful",
            Self::Wrong => "wrong",
        }
    }
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// How bad it is.
    pub level: Level,
    /// What was looked at, in one or two words.
    pub area: &'static str,
    /// What is the case, in words.
    pub what: String,
    /// What to change; empty where there is nothing to.
    pub change: String,
}

/// All findings on one server, in the order in which they were made.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Report {
    /// What was probed.
    pub target: String,
    /// The findings.
    pub findings: Vec<Finding>,
}

impl Report {
    pub(crate) fn fine(&mut self, area: &'static str, what: impl Into<String>) {
        self.add(Level::Fine, area, what, "");
    }

    pub(crate) fn note(&mut self, area: &'static str, what: impl Into<String>) {
        self.add(Level::Note, area, what, "");
    }

    pub(crate) fn doubtful(
        &mut self,
        area: &'static str,
        what: impl Into<String>,
        change: impl Into<String>,
    ) {
        self.add(Level::Doubtful, area, what, change);
    }

    pub(crate) fn wrong(&mut self, area: &'static str, what: impl Into<String>, change: impl Into<String>) {
        self.add(Level::Wrong, area, what, change);
    }

    fn add(&mut self, level: Level, area: &'static str, what: impl Into<String>, change: impl Into<String>) {
        let finding =
            Finding { level, area, what: printable(&what.into()), change: printable(&change.into()) };
        self.findings.push(finding);
    }

    /// The number of findings of a level.
    #[must_use]
    pub fn count(&self, level: Level) -> usize {
        self.findings.iter().filter(|finding| finding.level == level).count()
    }

    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.count(Level::Wrong) == 0
    }
}

impl fmt::Display for Report {
    /// One line a finding, one for what to change, and a sum.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.target)?;
        for Finding { level, area, what, change } in &self.findings {
            writeln!(f, "{:<8} {area:<13} {what}", level.word())?;
            if !change.is_empty() {
                writeln!(f, "{:22} change: {change}", "")?;
            }
        }
        let (wrong, doubtful) = (self.count(Level::Wrong), self.count(Level::Doubtful));
        writeln!(f, "{wrong} wrong, {doubtful} doubtful, {} fine", self.count(Level::Fine))
    }
}

/// What a server says is shown on a terminal, so nothing in it may steer the terminal, and one line stays one line.
fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if shown.len() > 600 {
            shown.push('…');
            break;
        }
        if c.is_control()
            || matches!(c, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        {
            // Writing to a string does not fail.
            let _always_ok = write!(shown, "{}", c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_says_cannot_steer_a_terminal() {
        let mut report = Report::default();
        report.wrong("x", "\u{1b}[2Jgone\nnext", "");
        assert_eq!(report.findings[0].what, "\\u{1b}[2Jgone\\nnext");
        assert!(!report.is_sound());
    }
}
