//! Histories as the port hands them out.

use std::sync::Arc;

use pm_tracker_domain::{ChainFinding, HistoryEntry};

/// A line of a stream that is no entry.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts that adapters fill in")]
pub struct LineFault {
    /// The line, from 1.
    pub line: usize,
    /// Whether it is the last line and has no line end, as when its writer was stopped half-way.
    pub torn: bool,
    /// What is wrong with it, in words.
    pub detail: String,
}

/// One stream in full.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts that adapters fill in")]
pub struct HistoryStream {
    /// The item's id.
    pub id: String,
    /// Whether there is a stream at all.
    pub exists: bool,
    /// The readable entries in stored order; entry n of an intact stream is version n.
    pub entries: Vec<HistoryEntry>,
    /// The lines that are no entries. If there are any, versions cannot be trusted.
    pub faults: Vec<LineFault>,
}

/// An entry without its patch.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts that adapters fill in")]
pub struct EntryHead {
    /// The version that the entry made, from 1.
    pub version: usize,
    /// When, RFC 3339.
    pub ts: String,
    /// Who; a label.
    pub author: Arc<str>,
    /// What was done.
    pub op: Arc<str>,
    /// Why.
    pub message: Option<String>,
    /// How many operations the patch has.
    pub patch_count: usize,
}

/// The heads of one stream.
#[derive(Debug, Clone)]
#[expect(clippy::exhaustive_structs, reason = "plain facts that adapters fill in")]
pub struct StreamHeads {
    /// The item's id.
    pub id: String,
    /// The heads in stored order.
    pub heads: Arc<[EntryHead]>,
}

/// What verification found in one stream.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts that adapters fill in")]
pub struct HistoryCheck {
    /// The item's id.
    pub id: String,
    /// Whether there is a stream. An item without one is checked too.
    pub exists: bool,
    /// The number of readable entries.
    pub entries: usize,
    /// Broken links of the chain.
    pub findings: Vec<ChainFinding>,
    /// Lines that are no entries.
    pub faults: Vec<LineFault>,
    /// In the workspace's own stream: settings-like files, relative to the tracker root, that are not what it leads
    /// to. Empty in every other stream.
    pub differing_documents: Vec<String>,
}

impl HistoryCheck {
    /// Whether the stream is there and everything in it holds.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.exists
            && self.findings.is_empty()
            && self.faults.is_empty()
            && self.differing_documents.is_empty()
    }
}

/// An item file whose bytes are not those of normal form.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts that adapters fill in")]
pub struct FormCheck {
    /// The item's id.
    pub id: String,
    /// The file, relative to the tracker root.
    pub path: String,
    /// The first line that differs, from 1.
    pub line: usize,
}

/// Watches and stops a long check. Called from worker threads, between streams.
pub trait CheckProgress: core::fmt::Debug + Send + Sync {
    /// Hears how many of how many have been checked; `checked` may arrive out of order.
    fn advanced(&self, checked: usize, total: usize);

    /// Whether to stop. What has been checked so far is still handed out.
    fn is_cancelled(&self) -> bool;
}

/// Nobody watches and nothing stops.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "has no state")]
pub struct Unwatched;

impl CheckProgress for Unwatched {
    fn advanced(&self, _checked: usize, _total: usize) {}

    fn is_cancelled(&self) -> bool {
        false
    }
}
