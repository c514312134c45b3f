//! A copy of the sample workspace that a test may change.

use std::{
    fs,
    path::{Path, PathBuf},
};

use pm_tracker_workspace_pm::{PmWorkspace, WorkspaceRoot};
use tempfile::TempDir;

/// The sample, copied into a temporary folder that vanishes with it.
#[derive(Debug)]
pub struct Sample {
    _folder: TempDir,
    /// The repository root.
    pub repository: PathBuf,
    /// The tracker root.
    pub tracker: PathBuf,
}

impl Sample {
    /// Copies the sample.
    pub fn copied() -> Self {
        let folder = TempDir::new().unwrap();
        let repository = folder.path().canonicalize().unwrap();
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sample"), &repository);
        let tracker = repository.join(".agents/pm");
        Self { _folder: folder, repository, tracker }
    }

    /// Opens the copy.
    pub fn open(&self) -> PmWorkspace {
        PmWorkspace::new(WorkspaceRoot::at(&self.repository).unwrap())
    }

    /// Writes a file below the tracker root.
    pub fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.tracker.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Reads a file below the tracker root.
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.tracker.join(path)).unwrap()
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
