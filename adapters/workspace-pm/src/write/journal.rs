//! The journal of a batch: what was begun, what was done, and how to undo it.

use std::{collections::BTreeMap, fs, io};

use pm_tracker_domain::{Timestamp, change::Document};
use pm_tracker_ports::{BatchError, BatchOutcome, RowOutcome, WriteError};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{disk::Disk, step::WriteStep};

const FOLDER: &str = "transactions/sdk";
const SCHEMA_VERSION: u64 = 1;
const MAX_NAME: usize = 128;

/// How far a batch is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum State {
    Running,
    Completed,
    Undone,
}

/// One step, in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Step {
    pub(super) id: String,
    pub(super) item_id: String,
}

/// What a step found, and what it was about to write.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Undo {
    /// The number of history entries before.
    pub(super) version: usize,
    /// The item before; null for none.
    pub(super) document: Option<Before>,
    /// SHA-256 of the file that was about to be written; null if it was about to be removed.
    pub(super) written: Option<String>,
}

/// An item before a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Before {
    metadata: Map<String, Value>,
    body: String,
}

impl From<Document> for Before {
    fn from(document: Document) -> Self {
        Self { metadata: document.metadata, body: document.body }
    }
}

impl From<Before> for Document {
    fn from(before: Before) -> Self {
        Self { metadata: before.metadata, body: before.body }
    }
}

/// The outcome of a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StepResult {
    item_id: String,
    op: String,
    pub(super) wrote: bool,
    version: usize,
    warnings: Vec<String>,
}

/// The journal file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Journal {
    schema_version: u64,
    pub(super) transaction_id: String,
    pub(super) state: State,
    pub(super) request_digest: String,
    pub(super) owner: String,
    pub(super) updated_at: String,
    pub(super) steps: Vec<Step>,
    pub(super) started: Vec<String>,
    pub(super) completed: Vec<String>,
    pub(super) results: BTreeMap<String, StepResult>,
    pub(super) undo: BTreeMap<String, Undo>,
}

impl Journal {
    pub(super) fn begin(name: &str, digest: &str, owner: &str, items: impl Iterator<Item = String>) -> Self {
        let steps = items.enumerate().map(|(at, item_id)| Step { id: at.to_string(), item_id }).collect();
        Self {
            schema_version: SCHEMA_VERSION,
            transaction_id: name.to_owned(),
            state: State::Running,
            request_digest: digest.to_owned(),
            owner: owner.to_owned(),
            updated_at: String::new(),
            steps,
            started: Vec::new(),
            completed: Vec::new(),
            results: BTreeMap::new(),
            undo: BTreeMap::new(),
        }
    }

    /// Reads the journal of a name; `None` if there is none.
    pub(super) fn read(disk: &Disk, name: &str) -> Result<Option<Self>, WriteError> {
        let path = path_of(name);
        let unreadable =
            |detail: String| WriteError::Storage { path: path.clone(), detail, half_done: false };
        let place = disk.place(&path)?;
        let text = match fs::read_to_string(&place) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(unreadable(error.to_string())),
        };
        let journal: Self = serde_json::from_str(&text)
            .map_err(|error| unreadable(format!("is no journal of this server: {error}")))?;
        if journal.schema_version == SCHEMA_VERSION {
            Ok(Some(journal))
        } else {
            Err(unreadable(format!("has the unknown schema version {}", journal.schema_version)))
        }
    }

    /// The paths of journals whose batch never ended.
    pub(super) fn unfinished(disk: &Disk) -> Vec<String> {
        let running = |name: &String| matches!(Self::read(disk, name), Ok(Some(journal)) if journal.state == State::Running);
        Self::names(disk).iter().filter(|name| running(name)).map(|name| path_of(name)).collect()
    }

    /// The names of all journals, in ascending order.
    pub(super) fn names(disk: &Disk) -> Vec<String> {
        let Ok(entries) = fs::read_dir(disk.root.join(FOLDER)) else { return Vec::new() };
        let name = |entry: io::Result<fs::DirEntry>| {
            let name = entry.ok()?.file_name().into_string().ok()?;
            let name = name.strip_suffix(".json")?;
            check_name(name).is_ok().then(|| name.to_owned())
        };
        let mut names: Vec<String> = entries.filter_map(name).collect();
        names.sort_unstable();
        names
    }

    pub(super) fn write(&mut self, disk: &Disk, now: Timestamp) -> Result<(), super::disk::DiskError> {
        let path = path_of(&self.transaction_id);
        self.updated_at = now.to_string();
        let text = serde_json::to_string_pretty(self)
            .map_err(|error| super::disk::DiskError::new(&path, error.into()))?;
        disk.replace(&path, (text + "\n").as_bytes(), now)?;
        disk.step(&path, WriteStep::JournalWritten)
    }

    pub(super) fn outcome(&self) -> BatchOutcome {
        let rows = self.steps.iter().filter_map(|step| self.results.get(&step.id));
        let row = |result: &StepResult| RowOutcome {
            id: result.item_id.clone(),
            op: result.op.clone(),
            wrote: result.wrote,
            version: result.version,
            warnings: result.warnings.clone(),
        };
        BatchOutcome {
            transaction_id: self.transaction_id.clone(),
            request_digest: self.request_digest.clone(),
            rows: rows.map(row).collect(),
            applied_at: self.updated_at.clone(),
        }
    }

    pub(super) fn complete(&mut self, step: &str, written: &pm_tracker_ports::Written) {
        self.completed.push(step.to_owned());
        let result = StepResult {
            item_id: written.id.clone(),
            op: written.op.clone(),
            wrote: written.wrote,
            version: written.version,
            warnings: written.warnings.clone(),
        };
        self.results.insert(step.to_owned(), result);
    }

    /// Forgets a step that was undone.
    pub(super) fn forget(&mut self, step: &str) {
        self.started.retain(|known| known != step);
        self.completed.retain(|known| known != step);
        self.results.remove(step);
        self.undo.remove(step);
    }
}

fn path_of(name: &str) -> String {
    format!("{FOLDER}/{name}.json")
}

/// Whether a name can be that of a batch.
pub(super) fn check_name(name: &str) -> Result<(), BatchError> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    let usable = (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(plain) && !name.starts_with('.');
    if usable { Ok(()) } else { Err(BatchError::UnusableName { transaction_id: name.to_owned() }) }
}
