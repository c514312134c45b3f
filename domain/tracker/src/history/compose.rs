//! New entries of a stream.

use serde_json::{Map, Value};
use thiserror::Error;

use super::{difference, document::EMPTY_HASH, entry::HistoryEntry, replay::Replay, signature::Signature};
use crate::{
    canonical::canonical_hash,
    change::Document,
    history::HashDocument,
    history::PatchError,
    item::Item,
    normal::{Dialect, normal_body, normal_metadata},
    schema::Statuses,
    time::Timestamp,
};

/// The lowest hash version that is written.
const WRITTEN_VERSION: u64 = 2;

/// Why nothing can be appended to a stream.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[expect(clippy::exhaustive_enums, reason = "writers answer each case in their own way")]
pub enum StreamError {
    /// An entry cannot be applied, so nobody knows what the stream leads to.
    #[error("entry {version} cannot be applied: {source}")]
    Patch {
        /// The entry, from 1.
        version: usize,
        /// What went wrong.
        source: PatchError,
    },
    /// The stream names a hash version that is not known here.
    #[error("the history has the hash version {version}; this server writes versions up to 3")]
    Epoch {
        /// The version.
        version: u64,
    },
}

/// The end of a stream: what it leads to and how the next entry has to be written.
#[derive(Debug)]
pub struct StreamTip {
    replay: Replay,
    version: usize,
    hash: String,
    named_version: Option<u64>,
    record_hash_version: Option<Option<Value>>,
}

impl Default for StreamTip {
    fn default() -> Self {
        Self {
            replay: Replay::new(),
            version: 0,
            hash: EMPTY_HASH.to_owned(),
            named_version: None,
            record_hash_version: None,
        }
    }
}

impl StreamTip {
    /// Replays a whole stream. Hashes of single entries are not looked at; that is for verification.
    ///
    /// # Errors
    /// [`StreamError::Patch`] for an entry that cannot be applied, [`StreamError::Epoch`] for a stream that only a
    /// newer writer may write.
    pub fn of<'a>(entries: impl IntoIterator<Item = &'a HistoryEntry>) -> Result<Self, StreamError> {
        let mut followed = TipFollower::default();
        for entry in entries {
            followed.follow(entry);
        }
        followed.finish()
    }

    /// The number of entries.
    #[must_use]
    pub const fn version(&self) -> usize {
        self.version
    }

    /// Whether the stream leads to exactly this file, or to none.
    #[must_use]
    pub fn fits(&self, file: Option<&Item>, statuses: &Statuses) -> bool {
        match file {
            None => self.hash == EMPTY_HASH,
            Some(item) => {
                let fits =
                    |dialect: &Dialect| HashDocument::of_item(item).hash(statuses, *dialect) == self.hash;
                Dialect::candidates(self.named_version).iter().any(fits)
            }
        }
    }

    /// The dialect in which the next entry is written, and the file with it.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        Dialect::to_write(self.written_version()).unwrap_or(Dialect::StoredTests)
    }

    /// What the stream leads to, exactly as its patches left it.
    #[must_use]
    pub fn document(&self) -> Document {
        Document {
            metadata: self.replay.metadata().cloned().unwrap_or_default(),
            body: self.replay.body().to_owned(),
        }
    }

    /// The next entry: leads from what the stream leads to now to `after` in normal form, or to no item.
    ///
    /// `None` if the stream already leads there.
    #[must_use]
    pub fn compose(
        &self,
        after: Option<&Document>,
        line: &EntryLine<'_>,
        statuses: &Statuses,
    ) -> Option<HistoryEntry> {
        let before = self.document();
        let dialect = self.dialect();
        let after = after.map_or_else(Document::default, |after| Document {
            metadata: normal_metadata(&after.metadata, statuses, dialect),
            body: normal_body(&after.body).to_owned(),
        });
        let patch = difference((&before.metadata, &before.body), (&after.metadata, &after.body));
        if patch.is_empty() {
            return None;
        }
        let mut members = Map::new();
        members.insert("ts".to_owned(), line.now.to_string().into());
        members.extend(line.by.members());
        members.insert("op".to_owned(), line.op.into());
        members.insert("patch".to_owned(), Value::Array(patch));
        members.insert("before_hash".to_owned(), before.hash(statuses, dialect).into());
        members.insert("after_hash".to_owned(), after.hash(statuses, dialect).into());
        members.insert("item_hash_version".to_owned(), self.written_version().into());
        if let Some(message) = line.message.filter(|message| !message.is_empty()) {
            members.insert("message".to_owned(), message.into());
        }
        if let Some(context) = line.context {
            members.insert("context".to_owned(), context.clone());
        }
        if let Some(version) = &self.record_hash_version {
            if let Some(version) = version {
                members.insert("record_hash_version".to_owned(), version.clone());
            }
            let hash = canonical_hash(&Value::Object(members.clone()));
            members.insert("record_hash".to_owned(), hash.into());
        }
        HistoryEntry::new(members).ok()
    }

    fn written_version(&self) -> u64 {
        self.named_version.unwrap_or_default().max(WRITTEN_VERSION)
    }
}

/// Finds the end of a stream while its entries pass by one at a time, and keeps none of them.
#[derive(Debug, Default)]
pub struct TipFollower {
    tip: StreamTip,
    broken: Option<StreamError>,
}

impl TipFollower {
    /// Takes the next entry, oldest first. Behind one that cannot be applied, entries are only counted.
    pub fn follow(&mut self, entry: &HistoryEntry) {
        let tip = &mut self.tip;
        tip.version += 1;
        if self.broken.is_some() {
            return;
        }
        if let Err(source) = tip.replay.apply(entry) {
            self.broken = Some(StreamError::Patch { version: tip.version, source });
            return;
        }
        entry.after_hash().clone_into(&mut tip.hash);
        tip.named_version = tip.named_version.max(entry.item_hash_version());
        let members = entry.members();
        tip.record_hash_version =
            members.contains_key("record_hash").then(|| members.get("record_hash_version").cloned());
    }

    /// The number of entries so far.
    #[must_use]
    pub const fn version(&self) -> usize {
        self.tip.version
    }

    /// The end of the stream.
    ///
    /// # Errors
    /// As [`StreamTip::of`].
    pub fn finish(self) -> Result<StreamTip, StreamError> {
        if let Some(broken) = self.broken {
            return Err(broken);
        }
        match self.tip.named_version {
            Some(version) if Dialect::to_write(version.max(WRITTEN_VERSION)).is_none() => {
                Err(StreamError::Epoch { version })
            }
            Some(_) | None => Ok(self.tip),
        }
    }
}

/// What an entry says besides its change.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "exactly what a writer adds to a change")]
pub struct EntryLine<'a> {
    /// When.
    pub now: Timestamp,
    /// Who.
    pub by: &'a Signature,
    /// What was done.
    pub op: &'a str,
    /// Why.
    pub message: Option<&'a str>,
    /// What else belongs to the change, such as the batch that it is part of.
    pub context: Option<&'a Value>,
}
