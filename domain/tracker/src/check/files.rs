//! Linked files.

use serde_json::Value;

use super::names::ValidationCheck;
use super::report::{CheckRow, CheckStatus, Finding, Repair};
use crate::Item;

/// A linked file of a project, whose place can be looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts")]
pub struct Link<'a> {
    /// The item's id.
    pub item: &'a str,
    /// The list that holds the link: `files`, `docs` or `tests`.
    pub list: &'static str,
    /// The path as stored, relative to the repository root.
    pub path: &'a str,
}

/// The links of an item whose scope is the project; global ones are not this repository's.
pub fn links(item: &Item) -> impl Iterator<Item = Link<'_>> {
    let of_list = move |list: &'static str| {
        let project = item.records(list).filter(|record| {
            record.get("scope").and_then(Value::as_str).is_none_or(|scope| scope != "global")
        });
        let paths = project.filter_map(|record| record.get("path").and_then(Value::as_str));
        paths.filter(|path| !path.is_empty()).map(move |path| Link { item: item.id(), list, path })
    };
    ["files", "docs", "tests"].into_iter().flat_map(of_list)
}

/// What is where a link points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "whoever looks must sort what it saw")]
pub enum LinkState {
    /// A file or folder.
    Present,
    /// Nothing.
    Missing,
    /// The path leaves the repository.
    Outside,
}

/// A link and what is there.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts, built by whoever looks")]
pub struct LinkFact {
    /// The item's id.
    pub item: String,
    /// The list that holds the link.
    pub list: &'static str,
    /// The path as stored.
    pub path: String,
    /// What is there.
    pub state: LinkState,
}

/// Reports links that lead nowhere or outside. Links of finished items age naturally; they are reported as well, as
/// the repair is the same.
#[must_use]
pub fn files(facts: &[LinkFact]) -> CheckRow {
    let mut row = CheckRow::new(ValidationCheck::Files.name());
    row.count("links", facts.len());
    for fact in facts {
        let finding = match fact.state {
            LinkState::Present => continue,
            LinkState::Missing => {
                let finding =
                    Finding::new("link_missing", format!("`{}` names a file that is gone", fact.list));
                // A test is more than its path: taking it out is a decision.
                if fact.list == "tests" { finding } else { finding.mended_by(Repair::RemoveDeadLink) }
            }
            LinkState::Outside => {
                Finding::new("link_outside", format!("`{}` names a path outside the repository", fact.list))
            }
        };
        row.note(CheckStatus::Warn, finding.of_item(&fact.item).at(&fact.path));
    }
    row
}
