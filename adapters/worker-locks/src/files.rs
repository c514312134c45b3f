//! The files of the workers.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use pm_mcp_domain::task::WorkerId;

use crate::fault::Fault;
use crate::place::reach;

const ENDING: &str = ".worker";
/// A file that is not locked yet; nobody looks at it.
const COMING: &str = ".coming";

/// A folder with one file a worker. Its calls wait for the disk.
#[derive(Debug)]
pub(crate) struct Files {
    pub(crate) folder: PathBuf,
    reach: String,
}

/// What a file says of its worker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Found {
    Lives,
    Gone,
    /// Its lock is free and says nothing: it may be held where this process does not see it.
    OutOfReach,
}

impl Files {
    pub(crate) fn open(folder: PathBuf) -> Result<Self, Fault> {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&folder).map_err(Fault::io("making", &folder))?;
        let reach = reach(&folder).map_err(Fault::io("looking at", &folder))?;
        let files = Self { folder, reach };
        files.tidy()?;
        Ok(files)
    }

    /// Without its file a worker is one that nobody can judge, so what is of no use may go: files of before the machine
    /// was started, and of workers that ended while they were being announced.
    fn tidy(&self) -> Result<(), Fault> {
        for path in self.paths()? {
            let is_coming = path.extension().is_some_and(|ending| ending == &COMING[1..]);
            let found = if is_coming || worker_of(&path).is_some() { self.look(&path) } else { continue };
            if found == Found::OutOfReach || (is_coming && found == Found::Gone) {
                remove(&path)?;
            }
        }
        Ok(())
    }

    /// Locks the file before it gets the name that others look at, so that nobody finds it unlocked while its worker
    /// lives.
    pub(crate) fn announce(&self, worker: &WorkerId) -> Result<File, Fault> {
        let path = self.path_of(worker);
        let coming = self.folder.join(format!("{worker}{COMING}"));
        let announced = OpenOptions::new().write(true).create_new(true).open(&coming).and_then(|mut file| {
            file.try_lock().map_err(io::Error::from)?;
            file.write_all(self.reach.as_bytes())?;
            fs::rename(&coming, &path)?;
            Ok(file)
        });
        announced.map_err(|fault| {
            // What stays behind is removed by the next one to open the folder.
            drop(fs::remove_file(&coming));
            Fault::io("announcing a worker by", &path)(fault)
        })
    }

    pub(crate) fn gone(&self) -> Result<Vec<WorkerId>, Fault> {
        let named = self.paths()?.into_iter().filter_map(|path| Some((worker_of(&path)?, path)));
        Ok(named.filter(|(_, path)| self.look(path) == Found::Gone).map(|(worker, _)| worker).collect())
    }

    pub(crate) fn forget(&self, worker: &WorkerId) -> Result<(), Fault> {
        let path = self.path_of(worker);
        if self.look(&path) == Found::Gone { remove(&path) } else { Ok(()) }
    }

    /// Looks at a lock without keeping others from looking. What cannot be found out counts as a sign of life.
    fn look(&self, path: &Path) -> Found {
        let looked = File::open(path).and_then(|mut file| {
            if file.try_lock_shared().is_err() {
                return Ok(Found::Lives);
            }
            let mut reach = String::new();
            file.read_to_string(&mut reach)?;
            Ok(if reach == self.reach { Found::Gone } else { Found::OutOfReach })
        });
        looked.unwrap_or_else(|fault| {
            tracing::debug!(path = %path.display(), %fault, "the file of a worker cannot be looked at");
            Found::Lives
        })
    }

    fn path_of(&self, worker: &WorkerId) -> PathBuf {
        self.folder.join(format!("{worker}{ENDING}"))
    }

    fn paths(&self) -> Result<Vec<PathBuf>, Fault> {
        let entries = fs::read_dir(&self.folder).map_err(Fault::io("listing", &self.folder))?;
        let paths: Result<_, io::Error> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
        paths.map_err(Fault::io("listing", &self.folder))
    }
}

fn worker_of(path: &Path) -> Option<WorkerId> {
    WorkerId::parse(path.file_name()?.to_str()?.strip_suffix(ENDING)?)
}

fn remove(path: &Path) -> Result<(), Fault> {
    match fs::remove_file(path) {
        Err(fault) if fault.kind() != io::ErrorKind::NotFound => Err(Fault::io("removing", path)(fault)),
        Ok(()) | Err(_) => Ok(()),
    }
}
