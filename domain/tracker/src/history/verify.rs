//! Whether a history's chain of hashes holds and ends at the item's file.

use core::fmt;

use super::{
    document::{EMPTY_HASH, HashDocument},
    entry::HistoryEntry,
    patch::PatchError,
    replay::Replay,
};
use crate::{
    item::Item,
    normal::{Dialect, item_hash},
    schema::Statuses,
};

/// How many findings of one stream are kept; a chain that broke early breaks at every later entry.
const MAX_FINDINGS: usize = 20;

/// What is wrong with a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "repairs must be decided for every fault")]
pub enum ChainFault {
    /// The document before an entry is not the one that the entry was made from.
    BeforeHash,
    /// The document after an entry is not the one that its writer had.
    AfterHash,
    /// An entry cannot be applied.
    Patch(PatchError),
    /// An entry was altered after it was written.
    RecordHash,
    /// An entry names a hash version that is not known; the stream can be read and not written.
    UnsupportedVersion(u64),
    /// The item's file is not what the history leads to.
    TipDiffers,
    /// The history leads to an item and there is no file.
    FileMissing,
    /// The history ends with the item deleted and there is a file.
    DeletedItemIsBack,
}

impl fmt::Display for ChainFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BeforeHash => {
                f.write_str("the state before the entry has another hash than the entry says")
            }
            Self::AfterHash => f.write_str("the state after the entry has another hash than the entry says"),
            Self::Patch(error) => write!(f, "the entry cannot be applied: {error}"),
            Self::RecordHash => f.write_str("the entry has another hash than it says"),
            Self::UnsupportedVersion(version) => {
                write!(f, "the entry has the unknown hash version {version}")
            }
            Self::TipDiffers => f.write_str("the item file is not what its history leads to"),
            Self::FileMissing => {
                f.write_str("the item file is missing and its history does not end with a deletion")
            }
            Self::DeletedItemIsBack => {
                f.write_str("the item file exists and its history ends with a deletion")
            }
        }
    }
}

/// One thing that is wrong with a stream, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a plain pair")]
pub struct ChainFinding {
    /// The entry, from 1; `None` for what concerns the end of the stream.
    pub version: Option<usize>,
    /// What is wrong.
    pub fault: ChainFault,
}

/// Verifies a stream entry by entry.
#[derive(Debug)]
pub struct ChainVerifier<'a> {
    statuses: &'a Statuses,
    replay: Replay,
    document: HashDocument,
    version: usize,
    named_version: Option<u64>,
    likely: Dialect,
    tip: String,
    tip_holds: bool,
    findings: Vec<ChainFinding>,
}

impl<'a> ChainVerifier<'a> {
    /// Starts before the first entry.
    #[must_use]
    pub fn new(statuses: &'a Statuses) -> Self {
        Self {
            statuses,
            replay: Replay::new(),
            document: HashDocument::default(),
            version: 0,
            named_version: None,
            likely: Dialect::StoredTests,
            tip: EMPTY_HASH.to_owned(),
            tip_holds: true,
            findings: Vec::new(),
        }
    }

    /// Takes the next entry.
    pub fn push(&mut self, entry: &HistoryEntry) {
        self.version += 1;
        if entry.record_hash().is_some_and(|stated| stated != entry.computed_record_hash()) {
            self.find(ChainFault::RecordHash);
        }
        if let Some(version) = entry.item_hash_version() {
            self.named_version = Some(version);
        }
        let candidates = Dialect::candidates(self.named_version);
        if candidates.is_empty() {
            let version = self.named_version.unwrap_or_default();
            self.find(ChainFault::UnsupportedVersion(version));
        }
        // The state is unchanged since the last entry, so its hash was already compared with the last `after_hash`.
        let known = self.tip_holds && entry.before_hash() == self.tip;
        if !known && !self.holds(entry.before_hash(), candidates) {
            self.find(ChainFault::BeforeHash);
        }
        let document = &mut self.document;
        if let Err(error) = self.replay.apply_reporting(entry, &mut |touched| document.forget(&touched)) {
            self.find(ChainFault::Patch(error));
        }
        entry.after_hash().clone_into(&mut self.tip);
        self.tip_holds = self.holds(entry.after_hash(), candidates);
        if !self.tip_holds {
            self.find(ChainFault::AfterHash);
        }
    }

    /// Compares the end of the stream with the item's file, if there is one, and gives what was found.
    #[must_use]
    pub fn finish(mut self, file: Option<&Item>) -> Vec<ChainFinding> {
        let deleted = self.tip == EMPTY_HASH;
        let fault = match file {
            None if deleted => None,
            None => Some(ChainFault::FileMissing),
            Some(_) if deleted && self.version > 0 => Some(ChainFault::DeletedItemIsBack),
            Some(item) => {
                let candidates = Dialect::candidates(self.named_version);
                let fits = |dialect: &Dialect| item_hash(item, self.statuses, *dialect) == self.tip;
                let holds = candidates.is_empty() || fits(&self.likely) || candidates.iter().any(fits);
                (!holds).then_some(ChainFault::TipDiffers)
            }
        };
        if let Some(fault) = fault {
            self.findings.push(ChainFinding { version: None, fault });
        }
        self.findings
    }

    /// The number of entries taken.
    #[must_use]
    pub const fn version(&self) -> usize {
        self.version
    }

    /// The document that the entries so far lead to.
    #[must_use]
    pub const fn state(&self) -> &Replay {
        &self.replay
    }

    fn holds(&mut self, stated: &str, candidates: &[Dialect]) -> bool {
        let likely_first = core::iter::once(self.likely).filter(|likely| candidates.contains(likely));
        let others = candidates.iter().copied().filter(|candidate| *candidate != self.likely);
        for dialect in likely_first.chain(others) {
            if self.document.hash(&self.replay, self.statuses, dialect) == stated {
                self.likely = dialect;
                return true;
            }
        }
        candidates.is_empty()
    }

    fn find(&mut self, fault: ChainFault) {
        if self.findings.len() < MAX_FINDINGS {
            self.findings.push(ChainFinding { version: Some(self.version), fault });
        }
    }
}

/// Verifies a whole stream against the item's file. Nothing found means that every hash holds.
#[must_use]
pub fn verify(entries: &[HistoryEntry], file: Option<&Item>, statuses: &Statuses) -> Vec<ChainFinding> {
    let mut verifier = ChainVerifier::new(statuses);
    for entry in entries {
        verifier.push(entry);
    }
    verifier.finish(file)
}
