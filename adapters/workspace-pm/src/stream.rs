//! History streams: JSON lines, with what is torn or foreign listed by line.

use std::{collections::HashSet, fs, io, path::Path, sync::Arc};

use pm_tracker_domain::HistoryEntry;
use pm_tracker_ports::{EntryHead, LineFault, ReadError};
use serde::{Deserialize, de::IgnoredAny};

use crate::scan::unreadable;

/// Largest stream that is read.
const MAX_STREAM_BYTES: u64 = 256 << 20;

/// The bytes of a stream; `None` if there is none.
pub(crate) fn bytes_of(root: &Path, id: &str) -> Result<Option<Vec<u8>>, ReadError> {
    let name = format!("history/{id}.jsonl");
    let path = root.join(&name);
    let real = match fs::canonicalize(&path) {
        Ok(real) => real,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(&name, &error)),
    };
    let refused = |detail: &str| ReadError::Unreadable { path: name.clone(), detail: detail.to_owned() };
    if !real.starts_with(root) {
        return Err(refused("it is a link that leaves the tracker root"));
    }
    let metadata = fs::metadata(&real).map_err(|error| unreadable(&name, &error))?;
    if metadata.len() > MAX_STREAM_BYTES {
        return Err(refused("it is larger than the reader takes (256 MiB)"));
    }
    fs::read(&real).map(Some).map_err(|error| unreadable(&name, &error))
}

/// Calls back with every entry, in order, and gives the faults of the other lines.
pub(crate) fn each_entry(bytes: &[u8], mut visit: impl FnMut(HistoryEntry)) -> Vec<LineFault> {
    each_line(bytes, |line| HistoryEntry::parse(line).map(&mut visit).map_err(|error| error.to_string()))
}

fn each_line(bytes: &[u8], mut visit: impl FnMut(&str) -> Result<(), String>) -> Vec<LineFault> {
    let mut faults = Vec::new();
    for (at, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let ended = line.ends_with(b"\n");
        let read = str::from_utf8(line).map_err(|error| format!("not UTF-8: {error}"));
        let outcome = match read.map(str::trim) {
            Ok("") => Ok(()),
            Ok(text) => visit(text),
            Err(detail) => Err(detail),
        };
        if let Err(detail) = outcome {
            faults.push(LineFault { line: at + 1, torn: !ended, detail });
        }
    }
    faults
}

#[derive(Deserialize)]
struct HeadLine {
    ts: String,
    author: String,
    op: String,
    patch: Vec<IgnoredAny>,
    #[serde(default)]
    message: Option<String>,
}

/// The heads of a stream. Names repeat, so each is kept once.
pub(crate) fn heads(bytes: &[u8], names: &mut HashSet<Arc<str>>) -> Vec<EntryHead> {
    let mut name = |text: &str| match names.get(text) {
        Some(known) => Arc::clone(known),
        None => {
            let fresh: Arc<str> = Arc::from(text);
            names.insert(Arc::clone(&fresh));
            fresh
        }
    };
    let mut heads = Vec::new();
    let _faults_are_reported_where_entries_are_read = each_line(bytes, |line| {
        let head: HeadLine = serde_json::from_str(line).map_err(|error| error.to_string())?;
        heads.push(EntryHead {
            version: heads.len() + 1,
            ts: head.ts,
            author: name(&head.author),
            op: name(&head.op),
            message: head.message,
            patch_count: head.patch.len(),
        });
        Ok(())
    });
    heads
}
