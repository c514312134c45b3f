//! Moving everything out of a database, and into one: JSON, one value a line.
//!
//! ```json
//! {"format":"pm-mcp-tasks","version":1,"revision":7}
//! {"task":{"id":"task-…","principal":"local:ann","due":1000,"finished":false,"revision":7,"body":"e30="}}
//! {"nonce":{"bytes":"AAAAAAAAAAAAAAAAAAAAAA==","keep_until":60000}}
//! {"end":{"tasks":1,"nonces":1}}
//! ```
//!
//! Instants are milliseconds since the epoch, bytes are in base64. The last line shows that none is missing.

use std::io::{BufRead, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::{TaskId, TaskRecord};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{Revision, fits_every_store};
use serde::{Deserialize, Serialize};

use crate::database::SledDatabase;
use crate::fault::{Fault, TransferError};
use crate::kept::Kept;
use crate::keys;
use crate::replay_guard::remember;
use crate::writer::Done;

const FORMAT: &str = "pm-mcp-tasks";
const VERSION: u32 = 1;
/// How many entries are read from the database, or applied to it, at a time.
const AT_ONCE: usize = 256;
const BYTES_AT_ONCE: usize = 4 << 20;

/// How much was moved.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transferred {
    /// Task records.
    pub tasks: u64,
    /// Used nonces.
    pub nonces: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    format: String,
    version: u32,
    revision: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Task(TaskLine),
    Nonce(NonceLine),
    End(Transferred),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TaskLine {
    id: String,
    principal: String,
    due: Option<i64>,
    finished: bool,
    revision: u64,
    body: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NonceLine {
    bytes: String,
    keep_until: i64,
}

impl SledDatabase {
    /// Writes everything to `lines`, as it is at one moment. Calls wait meanwhile.
    ///
    /// # Errors
    ///
    /// [`TransferError::Io`] when `lines` takes no more, [`TransferError::Backend`] when the database fails.
    pub async fn export(&self, lines: impl Write + Send + 'static) -> Result<Transferred, TransferError> {
        let done = self.submit(move |kept| catch(write_all(kept, lines)).map(Done::Unchanged)).await;
        done.map_err(|fault| fault.reading("exporting the task database"))?
    }

    /// Reads what [`export`](Self::export) wrote into this database, which must be empty. Records keep their revisions,
    /// and none of those is given out again.
    ///
    /// An import that fails or is killed leaves a folder that is refused at the next opening: remove it.
    ///
    /// # Errors
    ///
    /// [`TransferError::NotEmpty`] when there is something in the database, [`TransferError::Line`] for what is no export,
    /// the others when reading or the database fails.
    pub async fn import(&self, lines: impl BufRead + Send + 'static) -> Result<Transferred, TransferError> {
        let started = self.submit(start).await.map_err(importing)?;
        started?;
        let read = self
            .submit(move |kept| match catch(read_all(kept, lines))? {
                Ok(moved) => {
                    kept.delete(keys::IMPORTING.to_vec());
                    Ok(Done::Changed(Ok(moved)))
                }
                Err(error) => Ok(Done::Unchanged(Err(error))),
            })
            .await
            .map_err(importing)?;
        if read.is_err() {
            // Nobody may work with a part.
            self.submit(|_| Err::<Done<()>, _>(Fault::HalfImported)).await.ok();
        }
        read
    }
}

/// Why a transfer ends early.
enum Broken {
    Database(Fault),
    Transfer(TransferError),
}

impl From<Fault> for Broken {
    fn from(fault: Fault) -> Self {
        Self::Database(fault)
    }
}

impl From<std::io::Error> for Broken {
    fn from(fault: std::io::Error) -> Self {
        Self::Transfer(fault.into())
    }
}

impl From<serde_json::Error> for Broken {
    fn from(fault: serde_json::Error) -> Self {
        Self::Transfer(std::io::Error::from(fault).into())
    }
}

fn catch<T>(outcome: Result<T, Broken>) -> Result<Result<T, TransferError>, Fault> {
    match outcome {
        Ok(value) => Ok(Ok(value)),
        Err(Broken::Transfer(error)) => Ok(Err(error)),
        Err(Broken::Database(fault)) => Err(fault),
    }
}

fn importing(fault: Fault) -> TransferError {
    TransferError::Backend(fault.writing("importing into the task database"))
}

fn write_all(kept: &mut Kept, mut lines: impl Write) -> Result<Transferred, Broken> {
    let revision = kept.counters().revision;
    write_line(&mut lines, &Head { format: FORMAT.to_owned(), version: VERSION, revision })?;
    let mut moved = Transferred::default();
    each_key(kept, keys::TASKS, |kept, key| {
        let damaged = || Fault::Damaged { key: String::from_utf8_lossy(key).into_owned() };
        let id = keys::unfinished_id(key).ok_or_else(damaged)?;
        let envelope = kept.envelope(&id)?.ok_or_else(damaged)?;
        let stored = kept.stored(id, envelope)?;
        moved.tasks = moved.tasks.saturating_add(1);
        write_line(
            &mut lines,
            &Line::Task(TaskLine {
                id: stored.record.id.to_string(),
                principal: stored.record.principal.as_str().to_owned(),
                due: stored.record.due.map(Timestamp::as_unix_ms),
                finished: stored.record.finished,
                revision: stored.revision.as_u64(),
                body: STANDARD.encode(&stored.record.body),
            }),
        )
    })?;
    each_key(kept, keys::ENDS, |_, key| {
        let damaged = || Fault::Damaged { key: "of a nonce".to_owned() };
        let (until, nonce) = keys::end_parts(key).ok_or_else(damaged)?;
        moved.nonces = moved.nonces.saturating_add(1);
        let line = NonceLine { bytes: STANDARD.encode(nonce.as_bytes()), keep_until: until.as_unix_ms() };
        write_line(&mut lines, &Line::Nonce(line))
    })?;
    write_line(&mut lines, &Line::End(moved))?;
    lines.flush()?;
    Ok(moved)
}

/// Goes through all keys that begin with `first`, one byte, a few at a time.
fn each_key(
    kept: &mut Kept,
    first: &[u8],
    mut with: impl FnMut(&mut Kept, &[u8]) -> Result<(), Broken>,
) -> Result<(), Broken> {
    let end: Vec<u8> = first.iter().map(|byte| byte.saturating_add(1)).collect();
    let mut after = first.to_vec();
    loop {
        let keys = kept.keys(&after, &end, AT_ONCE)?;
        let Some(last) = keys.last() else { return Ok(()) };
        after = last.to_vec();
        for key in keys {
            with(kept, &key)?;
        }
    }
}

fn write_line(lines: &mut impl Write, line: &impl Serialize) -> Result<(), Broken> {
    let mut text = serde_json::to_vec(line)?;
    text.push(b'\n');
    Ok(lines.write_all(&text)?)
}

/// Marks the database as one that must not be opened before the import has ended.
fn start(kept: &mut Kept) -> Result<Done<Result<(), TransferError>>, Fault> {
    let counters = *kept.counters();
    if counters.records > 0 || counters.nonces > 0 {
        let folder = kept.folder().to_owned();
        return Ok(Done::Unchanged(Err(TransferError::NotEmpty { folder })));
    }
    kept.put(keys::IMPORTING.to_vec(), Vec::new());
    Ok(Done::Changed(Ok(())))
}

fn read_all(kept: &mut Kept, mut lines: impl BufRead) -> Result<Transferred, Broken> {
    let mut text = String::new();
    let mut moved = Transferred::default();
    let mut last_revision = 0;
    for line in 1.. {
        let wrong = |problem| Broken::Transfer(TransferError::Line { line, problem });
        text.clear();
        if lines.read_line(&mut text)? == 0 {
            return Err(wrong("is missing: the export was cut off"));
        }
        if line == 1 {
            let head: Head =
                serde_json::from_str(&text).map_err(|_| wrong("is not the head of an export"))?;
            if head.format != FORMAT || head.version != VERSION {
                return Err(wrong("has another format or version; import with the version that wrote it"));
            }
            last_revision = head.revision;
            let counters = kept.counters();
            counters.revision = counters.revision.max(head.revision);
            continue;
        }
        match serde_json::from_str(&text).map_err(|_| wrong("is neither a task, nor a nonce, nor the end"))? {
            Line::Task(task) => {
                let (record, revision) =
                    task.record().ok_or_else(|| wrong("has a task that no store would keep"))?;
                if revision.as_u64() > last_revision || kept.envelope(&record.id)?.is_some() {
                    return Err(wrong("has a task again, or in a revision that was never given out"));
                }
                kept.write(&record, revision, None)?;
                moved.tasks = moved.tasks.saturating_add(1);
                kept.counters().records = moved.tasks;
            }
            Line::Nonce(nonce) => {
                let (nonce, until) = nonce.nonce().ok_or_else(|| wrong("has a nonce of another length"))?;
                if kept.value(&keys::nonce(&nonce))?.is_some() {
                    return Err(wrong("has a nonce again"));
                }
                remember(kept, &nonce, until);
                moved.nonces = moved.nonces.saturating_add(1);
            }
            Line::End(end) if end == moved => return Ok(moved),
            Line::End(_) => return Err(wrong("counts more or less than there is above it")),
        }
        if kept.pending_bytes() > BYTES_AT_ONCE {
            kept.apply()?;
        }
    }
    Ok(moved)
}

impl TaskLine {
    fn record(self) -> Option<(TaskRecord, Revision)> {
        let record = TaskRecord {
            id: TaskId::parse(&self.id)?,
            principal: Principal::from_stored(&self.principal),
            due: self.due.map(Timestamp::from_unix_ms),
            finished: self.finished,
            body: STANDARD.decode(&self.body).ok()?,
        };
        fits_every_store(&record).then_some((record, Revision::from_u64(self.revision)))
    }
}

impl NonceLine {
    fn nonce(&self) -> Option<(pm_mcp_domain::continuation::Nonce, Timestamp)> {
        let bytes = STANDARD.decode(&self.bytes).ok()?;
        Some((keys::nonce_of(&bytes)?, Timestamp::from_unix_ms(self.keep_until)))
    }
}
