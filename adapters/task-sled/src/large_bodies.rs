//! Bodies in files of their own.
//!
//! A file is complete and synced before a record names it, and removed only after the record that named it is gone for
//! good; what a killed process leaves over is swept at the next opening.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pm_mcp_domain::task::TaskId;
use pm_mcp_ports::driven::Revision;

use crate::fault::Fault;
use crate::folder::sync_folder;

/// The folder of the files, one for each record and revision.
#[derive(Debug)]
pub(crate) struct LargeBodies {
    folder: PathBuf,
    /// Whether there are names in the folder that the disk may not have yet.
    unsynced: bool,
}

impl LargeBodies {
    pub(crate) fn within(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), unsynced: false }
    }

    pub(crate) fn path(&self, id: &TaskId, revision: Revision) -> PathBuf {
        self.folder.join(format!("{id}.{revision}"))
    }

    /// Writes the body of a revision that no record has yet.
    pub(crate) fn write(&mut self, id: &TaskId, revision: Revision, body: &[u8]) -> Result<(), Fault> {
        let path = self.path(id, revision);
        let written = File::create(&path).and_then(|mut file| {
            file.write_all(body)?;
            file.sync_all()
        });
        if let Err(source) = written {
            // The sweep at the next opening finds what cannot be removed now.
            fs::remove_file(&path).ok();
            return Err(Fault::LargeBody { path, source: Arc::new(source) });
        }
        self.unsynced = true;
        Ok(())
    }

    /// Makes the names of all files that were written so far durable.
    pub(crate) fn sync(&mut self) -> Result<(), Fault> {
        if self.unsynced {
            sync_folder(&self.folder).map_err(|source| Fault::io("syncing", &self.folder, source))?;
            self.unsynced = false;
        }
        Ok(())
    }

    pub(crate) fn read(&self, id: &TaskId, revision: Revision, length: u64) -> Result<Vec<u8>, Fault> {
        let path = self.path(id, revision);
        let body = fs::read(&path).map_err(|source| Fault::io("reading", &path, source))?;
        if body.len() as u64 == length { Ok(body) } else { Err(Fault::Damaged { key: id.to_string() }) }
    }

    /// Removes the files that `is_named` does not know.
    pub(crate) fn sweep(
        &self,
        mut is_named: impl FnMut(&TaskId, Revision) -> Result<bool, Fault>,
    ) -> Result<(), Fault> {
        let failed = |source| Fault::io("listing", &self.folder, source);
        for entry in fs::read_dir(&self.folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let Some((id, revision)) = parts(&path) else { continue };
            if !is_named(&id, revision)? {
                remove(&path);
            }
        }
        Ok(())
    }
}

/// Removes a file that no record names. One that stays costs room until the next opening, and nothing else.
pub(crate) fn remove(path: &Path) {
    match fs::remove_file(path) {
        Ok(()) => {}
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => {}
        Err(fault) => {
            tracing::warn!(path = %path.display(), %fault, "a body that is not needed any more stays")
        }
    }
}

/// Whose body a file is; `None` for a file that is none of ours.
fn parts(path: &Path) -> Option<(TaskId, Revision)> {
    let (id, revision) = path.file_name()?.to_str()?.rsplit_once('.')?;
    Some((TaskId::parse(id)?, Revision::from_u64(revision.parse().ok()?)))
}
