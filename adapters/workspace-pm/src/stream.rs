//! History streams: JSON lines, with what is torn or foreign listed by line.

use std::{
    collections::HashSet,
    fs::{self, File},
    io::{self, BufRead as _, BufReader, Read as _},
    path::Path,
    sync::Arc,
};

use pm_tracker_domain::HistoryEntry;
use pm_tracker_ports::{EntryHead, LineFault, ReadError};
use serde::{Deserialize, de::IgnoredAny};

use crate::scan::unreadable;

/// Largest stream that is read.
const MAX_STREAM_BYTES: u64 = 256 << 20;

/// How much of a stream is asked of the system at once.
const BLOCK: usize = 64 << 10;

/// A stream that is there. Its lines pass by one at a time, in one buffer: what reading takes does not grow with their
/// number.
#[derive(Debug)]
pub(crate) struct Stream {
    name: String,
    file: File,
}

/// What the lines of a stream were.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    /// Those that are no entries.
    pub(crate) faults: Vec<LineFault>,
    /// The bytes up to the last line end.
    pub(crate) ended_bytes: u64,
}

/// Opens a stream; `None` if there is none.
pub(crate) fn open(root: &Path, id: &str) -> Result<Option<Stream>, ReadError> {
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
    let file = File::open(&real).map_err(|error| unreadable(&name, &error))?;
    Ok(Some(Stream { name, file }))
}

/// Calls back with every entry of a stream, in order; `None` if there is no stream.
pub(crate) fn each_entry(
    root: &Path,
    id: &str,
    visit: impl FnMut(HistoryEntry),
) -> Result<Option<Lines>, ReadError> {
    open(root, id)?.map(|stream| stream.each_entry(visit)).transpose()
}

impl Stream {
    /// Calls back with every entry, in order.
    pub(crate) fn each_entry(self, mut visit: impl FnMut(HistoryEntry)) -> Result<Lines, ReadError> {
        self.each_line(|line| HistoryEntry::parse(line).map(&mut visit).map_err(|error| error.to_string()))
    }

    fn each_line(self, mut visit: impl FnMut(&str) -> Result<(), String>) -> Result<Lines, ReadError> {
        let mut file = BufReader::with_capacity(BLOCK, self.file.take(MAX_STREAM_BYTES));
        let mut lines = Lines::default();
        let (mut buffer, mut number, mut bytes) = (Vec::new(), 0, 0_u64);
        loop {
            buffer.clear();
            let read = file.read_until(b'\n', &mut buffer).map_err(|error| unreadable(&self.name, &error))?;
            if read == 0 {
                return Ok(lines);
            }
            number += 1;
            bytes = bytes.saturating_add(u64::try_from(read).unwrap_or(u64::MAX));
            let ended = buffer.ends_with(b"\n");
            if ended {
                lines.ended_bytes = bytes;
            }
            let text = str::from_utf8(&buffer).map_err(|error| format!("not UTF-8: {error}"));
            let outcome = match text.map(str::trim) {
                Ok("") => Ok(()),
                Ok(text) => visit(text),
                Err(detail) => Err(detail),
            };
            if let Err(detail) = outcome {
                lines.faults.push(LineFault { line: number, torn: !ended, detail });
            }
        }
    }

    /// The heads of its entries. Names repeat, so each is kept once.
    pub(crate) fn heads(self, names: &mut HashSet<Arc<str>>) -> Result<Vec<EntryHead>, ReadError> {
        let mut name = |text: &str| match names.get(text) {
            Some(known) => Arc::clone(known),
            None => {
                let fresh: Arc<str> = Arc::from(text);
                names.insert(Arc::clone(&fresh));
                fresh
            }
        };
        let mut heads = Vec::new();
        let _faults_are_reported_where_entries_are_read = self.each_line(|line| {
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
        })?;
        Ok(heads)
    }
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
