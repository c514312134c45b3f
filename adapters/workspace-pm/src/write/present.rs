//! What is there of one item, read under its lock.

use std::{fs, io};

use pm_tracker_domain::{
    Item, Replay, ReplayError, Replayed, StreamError, StreamTip, TipFollower, WRITABLE_FORMAT_VERSION,
    WorkspaceSchema,
};
use pm_tracker_ports::{FileForm, ReadError, WriteError};
use serde_json::Value;

use super::disk::Disk;
use crate::{
    item_file::{MAX_ITEM_BYTES, read_item},
    stream::{self, Lines},
};

/// The file of an item.
#[derive(Debug)]
pub(super) struct PresentFile {
    /// Relative to the tracker root.
    pub(super) path: String,
    pub(super) folder: String,
    pub(super) form: FileForm,
    pub(super) bytes: Vec<u8>,
    pub(super) item: Item,
}

/// An item and where its history leads. The entries themselves are not kept: there may be thousands.
#[derive(Debug)]
pub(super) struct PresentItem {
    pub(super) file: Option<PresentFile>,
    /// Other files with the same id, left over from a stopped migration.
    pub(super) leftovers: Vec<String>,
    pub(super) stream_exists: bool,
    /// The number of entries.
    pub(super) version: usize,
    /// What the last entry says of the change besides what was done.
    pub(super) last_context: Option<Value>,
    pub(super) lines: Lines,
    tip: Result<StreamTip, StreamError>,
}

pub(super) fn stream_path(id: &str) -> String {
    format!("history/{id}.jsonl")
}

impl PresentItem {
    pub(super) fn read(disk: &Disk, id: &str, schema: &WorkspaceSchema) -> Result<Self, WriteError> {
        let mut files = files_of(disk, id, schema);
        let unreadable = |path: &str, detail: String| WriteError::ItemUnreadable {
            id: id.to_owned(),
            path: path.to_owned(),
            detail,
        };
        let chosen = (!files.is_empty()).then(|| files.remove(0));
        if let Some((other, _, _)) = files.iter().find(|(_, _, form)| *form == FileForm::Toon) {
            return Err(unreadable(other, "another folder has a file of the same id".to_owned()));
        }
        let leftovers: Vec<String> = files.into_iter().map(|(path, _, _)| path).collect();
        let file = match chosen {
            None => None,
            Some((path, folder, form)) => {
                let place = disk.root.join(&path);
                let inside = fs::canonicalize(&place).is_ok_and(|real| real.starts_with(&disk.root));
                if !inside {
                    return Err(unreadable(&path, "it is a link that leaves the tracker root".to_owned()));
                }
                let large = fs::metadata(&place).is_ok_and(|metadata| metadata.len() > MAX_ITEM_BYTES);
                if large {
                    return Err(unreadable(&path, format!("it has more than {MAX_ITEM_BYTES} bytes")));
                }
                let bytes = fs::read(&place).map_err(|error| unreadable(&path, error.to_string()))?;
                let item = read_item(&bytes, id, form)
                    .map_err(|reason| unreadable(&path, format!("it {reason}")))?;
                let version = item.format_version();
                if version > WRITABLE_FORMAT_VERSION {
                    return Err(WriteError::FormatVersion {
                        id: id.to_owned(),
                        version,
                        known: WRITABLE_FORMAT_VERSION,
                    });
                }
                Some(PresentFile { path, folder, form, bytes, item })
            }
        };
        let (mut followed, mut last_context) = (TipFollower::default(), None);
        let lines = stream::each_entry(&disk.root, id, |entry| {
            followed.follow(&entry);
            last_context = entry.context().cloned();
        });
        let lines = lines.map_err(|error| unusable(id, error.to_string()))?;
        Ok(Self {
            file,
            leftovers,
            stream_exists: lines.is_some(),
            version: followed.version(),
            last_context,
            lines: lines.unwrap_or_default(),
            tip: followed.finish(),
        })
    }

    pub(super) fn item(&self) -> Option<&Item> {
        self.file.as_ref().map(|file| &file.item)
    }

    /// The end of the history, if it can be gone on with.
    pub(super) fn tip(&self, id: &str) -> Result<&StreamTip, WriteError> {
        if let Some(fault) = self.lines.faults.first() {
            return Err(unusable(id, format!("line {}: {}", fault.line, fault.detail)));
        }
        self.tip.as_ref().map_err(|error| match error {
            StreamError::Epoch { version } => {
                WriteError::HistoryEpoch { id: id.to_owned(), version: *version }
            }
            StreamError::Patch { .. } => unusable(id, error.to_string()),
        })
    }
}

/// The state of an item at a version, with its lock held.
pub(super) fn at_version(
    disk: &Disk,
    id: &str,
    version: usize,
) -> Result<Result<Replayed, ReplayError>, WriteError> {
    let mut state = Ok((Replay::new(), String::new()));
    let mut at = 0;
    let read = stream::each_entry(&disk.root, id, |entry| {
        at += 1;
        if let Ok((replay, ts)) = &mut state
            && at <= version
        {
            entry.ts().clone_into(ts);
            if let Err(source) = replay.apply(&entry) {
                state = Err(ReplayError::Patch { version: at, source });
            }
        }
    });
    read.map_err(|error: ReadError| unusable(id, error.to_string()))?;
    Ok(state.map(|(replay, ts)| replay.into_replayed(version, ts)))
}

/// A history that nothing can be appended to.
pub(super) fn unusable(id: &str, detail: String) -> WriteError {
    WriteError::HistoryUnreadable { id: id.to_owned(), detail, forcible: false }
}

/// The files with an id in the folders of all types, the present form first.
pub(super) fn files_of(disk: &Disk, id: &str, schema: &WorkspaceSchema) -> Vec<(String, String, FileForm)> {
    let mut found = Vec::new();
    for (ending, form) in [("toon", FileForm::Toon), ("md", FileForm::Markdown)] {
        for folder in schema.folders() {
            let path = format!("{folder}/{id}.{ending}");
            let there = match fs::symlink_metadata(disk.root.join(&path)) {
                Ok(metadata) => !metadata.is_dir(),
                Err(error) => {
                    error.kind() != io::ErrorKind::NotFound && error.kind() != io::ErrorKind::NotADirectory
                }
            };
            if there {
                found.push((path, folder.to_owned(), form));
            }
        }
    }
    found
}

/// Whether an id is in use, or was: by a file in any folder, or by a history.
pub(super) fn is_taken(disk: &Disk, id: &str, schema: &WorkspaceSchema) -> bool {
    !files_of(disk, id, schema).is_empty() || disk.root.join(stream_path(id)).exists()
}
