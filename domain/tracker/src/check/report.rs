//! The shape of a report.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{Enforcement, Timestamp};

/// How a check came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "the output schema lists exactly these")]
pub enum CheckStatus {
    /// Nothing wrong; findings are for information.
    Ok,
    /// Something should be looked at.
    Warn,
    /// Something is wrong.
    Error,
}

/// A repair that needs no judgement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "whoever repairs must serve every class")]
pub enum Repair {
    /// Take a linked file that is gone out of the item.
    RemoveDeadLink,
    /// Begin the history of an item that has none.
    CreateHistory,
    /// Write the file in normal form.
    Normalize,
    /// Append an entry that leads from the replayed state to the file.
    AppendHistoryRepair,
    /// Take a last line that was never finished out of a history, and lead the history to the file.
    DropTornLine,
    /// Of several files of one item, keep the one that its history leads to.
    RemoveExtraCopy,
    /// Undo a batch of changes whose writer was stopped half-way.
    UndoBatch,
}

impl Repair {
    /// Every class, in the order in which they are offered.
    pub const ALL: [Self; 7] = [
        Self::RemoveDeadLink,
        Self::CreateHistory,
        Self::Normalize,
        Self::AppendHistoryRepair,
        Self::DropTornLine,
        Self::RemoveExtraCopy,
        Self::UndoBatch,
    ];

    /// The name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::RemoveDeadLink => "remove_dead_link",
            Self::CreateHistory => "create_history",
            Self::Normalize => "normalize",
            Self::AppendHistoryRepair => "append_history_repair",
            Self::DropTornLine => "drop_torn_line",
            Self::RemoveExtraCopy => "remove_extra_copy",
            Self::UndoBatch => "undo_batch",
        }
    }
}

/// One thing that a check found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// What kind of thing.
    pub code: &'static str,
    /// The item concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
    /// The file concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// What is wrong, in words.
    pub detail: String,
    /// The repair that would help.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<Repair>,
}

impl Finding {
    pub(super) fn new(code: &'static str, detail: impl Into<String>) -> Self {
        Self { code, item: None, path: None, detail: detail.into(), fix: None }
    }

    pub(super) fn of_item(mut self, id: &str) -> Self {
        self.item = Some(id.to_owned());
        self
    }

    pub(super) fn at(mut self, path: &str) -> Self {
        self.path = Some(path.to_owned());
        self
    }

    pub(super) const fn mended_by(mut self, repair: Repair) -> Self {
        self.fix = Some(repair);
        self
    }
}

/// The outcome of one check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CheckRow {
    /// The check's name.
    pub name: &'static str,
    /// The worst of the findings.
    pub status: CheckStatus,
    /// Numbers, by name; `findings` is always among them and not changed by a cut.
    pub counts: BTreeMap<&'static str, u64>,
    /// What was found, in a fixed order.
    pub findings: Vec<Finding>,
}

impl CheckRow {
    pub(super) fn new(name: &'static str) -> Self {
        Self {
            name,
            status: CheckStatus::Ok,
            counts: BTreeMap::from([("findings", 0)]),
            findings: Vec::new(),
        }
    }

    pub(super) fn note(&mut self, status: CheckStatus, finding: Finding) {
        self.status = self.status.max(status);
        self.add("findings", 1);
        self.findings.push(finding);
    }

    pub(super) fn count(&mut self, name: &'static str, number: usize) {
        self.counts.insert(name, u64::try_from(number).unwrap_or(u64::MAX));
    }

    pub(super) fn add(&mut self, name: &'static str, number: u64) {
        let count = self.counts.entry(name).or_default();
        *count = count.saturating_add(number);
    }

    /// Keeps the first `limit` findings; the count tells how many there were.
    pub fn shorten(&mut self, limit: usize) {
        self.findings.truncate(limit);
    }
}

/// A repair that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[expect(clippy::exhaustive_structs, reason = "whoever repairs builds it")]
pub struct AppliedFix {
    /// The class of repair.
    pub fix: Repair,
    /// The item concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
    /// The file concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// What was done, or why it was not, in words.
    pub detail: String,
}

/// The outcome of several checks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// Whether nothing is wrong.
    pub ok: bool,
    /// One row a check.
    pub checks: Vec<CheckRow>,
    /// The repairs made, if any were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fixes: Option<Vec<AppliedFix>>,
    /// When the facts were gathered.
    pub generated_at: String,
}

impl Report {
    /// Puts rows together. With `strict`, what should be looked at counts as wrong.
    #[must_use]
    pub fn new(checks: Vec<CheckRow>, strict: bool, now: Timestamp) -> Self {
        let bound = if strict { CheckStatus::Ok } else { CheckStatus::Warn };
        let ok = checks.iter().all(|row| row.status <= bound);
        Self { ok, checks, fixes: None, generated_at: now.to_string() }
    }

    /// The findings that a repair would help with, in the order of the report.
    pub fn repairable(&self) -> impl Iterator<Item = (Repair, &Finding)> {
        let findings = self.checks.iter().flat_map(|row| &row.findings);
        findings.filter_map(|finding| finding.fix.map(|repair| (repair, finding)))
    }
}

/// How bad a breach of a rule is that the workspace takes more or less hard.
pub(super) const fn severity(rule: Enforcement) -> CheckStatus {
    match rule {
        Enforcement::Off => CheckStatus::Ok,
        Enforcement::Warn => CheckStatus::Warn,
        Enforcement::Strict => CheckStatus::Error,
    }
}
