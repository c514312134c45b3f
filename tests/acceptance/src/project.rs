//! Project folders to serve.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;

/// A copy of the workspace beside this crate, in a folder of its own that goes with the last clone of this.
#[derive(Clone, Debug)]
pub struct Project {
    folder: Arc<TempDir>,
}

impl Project {
    /// Six items with their histories, a skill and an `AGENTS.md`.
    pub fn small() -> Self {
        let folder =
            tempfile::Builder::new().prefix("pm-mcp-acceptance").tempdir().expect("a temporary folder");
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("workspace"), folder.path());
        Self { folder: Arc::new(folder) }
    }

    /// The same and sixty open tasks, `demo-f100` to `demo-f159`, so that lists have several pages.
    pub fn paged() -> Self {
        let project = Self::small();
        for number in 100..160 {
            let id = format!("demo-f{number}");
            let time = "2026-03-01T08:00:00.000Z";
            let item = format!(
                "id: {id}\ntitle: Filler {number}\ndescription: One of many.\ntype: Task\nstatus: open\npriority: 4\n\
                 tags[1]: filler\ncreated_at: \"{time}\"\nupdated_at: \"{time}\"\nbody: \"\"\n"
            );
            project.write(&format!("tasks/{id}.toon"), &item);
        }
        project
    }

    /// A copy of another project's folder.
    pub fn copied(from: &Path) -> Self {
        let folder =
            tempfile::Builder::new().prefix("pm-mcp-acceptance").tempdir().expect("a temporary folder");
        copy(from, folder.path());
        Self { folder: Arc::new(folder) }
    }

    /// The project's folder.
    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    /// A file of the tracker, such as `tasks/demo-q7aa.toon`.
    pub fn file(&self, name: &str) -> PathBuf {
        self.root().join(".agents/pm").join(name)
    }

    /// Reads a file of the tracker.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Writes a file of the tracker.
    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.file(name), text).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("the workspace beside this crate") {
        let entry = entry.expect("a folder's entry");
        let place = to.join(entry.file_name());
        if entry.file_type().expect("a file type").is_dir() {
            fs::create_dir(&place).expect("a new folder");
            copy(&entry.path(), &place);
        } else {
            fs::copy(entry.path(), &place).expect("a copy");
        }
    }
}
