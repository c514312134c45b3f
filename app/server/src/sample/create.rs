//! Writing the sample to a folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use pm_tracker_domain::{Dialect, ItemError, SchemaFiles, WorkspaceSchema, normal_form};
use pm_tracker_workspace_pm::toon::{self, ToonError};
use serde_json::Value;
use thiserror::Error;

use super::history::record;
use super::step;

/// Files that are written as they are, by path below the project.
const FILES: [(&str, &str); 9] = [
    ("AGENTS.md", include_str!("files/AGENTS.md")),
    ("src/upload.rs", include_str!("files/upload.rs")),
    (".agents/skills/close-with-evidence/SKILL.md", include_str!("files/skills/SKILL.md")),
    (".agents/pm/settings.json", include_str!("files/settings.json")),
    (".agents/pm/schema/types.json", TYPES),
    (".agents/pm/schema/statuses.json", STATUSES),
    (".agents/pm/schema/fields.json", FIELDS),
    (".agents/pm/.gitignore", include_str!("files/gitignore")),
    (".agents/pm/.gitattributes", include_str!("files/gitattributes")),
];
const TYPES: &str = include_str!("files/schema/types.json");
const STATUSES: &str = include_str!("files/schema/statuses.json");
const FIELDS: &str = include_str!("files/schema/fields.json");

/// Why the sample could not be made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SampleError {
    /// A file or folder cannot be written.
    #[error("cannot write {path}")]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// The embedded steps are not what they should be.
    #[error("the embedded sample cannot be read")]
    Steps(#[from] serde_json::Error),
    /// The embedded steps do not lead to an item.
    #[error("the embedded sample holds no proper item")]
    Item(#[from] ItemError),
    /// An embedded item cannot be encoded.
    #[error("the embedded sample cannot be encoded")]
    Encode(#[from] ToonError),
}

/// Writes the sample project into `project`, an empty folder; its workspace is `.agents/pm` there.
///
/// # Errors
///
/// [`SampleError::Write`] when the folder cannot be written to; the others only if the embedded sample is broken.
pub fn create(project: &Path) -> Result<(), SampleError> {
    for (path, text) in FILES {
        write(&project.join(path), text)?;
    }
    let (types, statuses, fields) =
        (serde_json::from_str(TYPES)?, serde_json::from_str(STATUSES)?, serde_json::from_str(FIELDS)?);
    let files = SchemaFiles {
        types: Some(&types),
        statuses: Some(&statuses),
        fields: Some(&fields),
        ..SchemaFiles::default()
    };
    let (schema, _problems) = WorkspaceSchema::read(files);
    let tracker = project.join(".agents/pm");
    for sample in step::items()? {
        let recorded = record(&sample, schema.statuses())?;
        if let Some(item) = recorded.item {
            let folder = schema.item_type(item.type_name()).map_or("tasks", |known| known.folder.as_str());
            let form = normal_form(&item, schema.statuses(), Dialect::StoredTests);
            let text = toon::encode(&Value::Object(form))?;
            write(&tracker.join(folder).join(format!("{}.toon", sample.id)), &text)?;
        }
        let stream: String = recorded.lines.iter().map(|line| format!("{line}\n")).collect();
        write(&tracker.join("history").join(format!("{}.jsonl", sample.id)), &stream)?;
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), SampleError> {
    let failed = |source| SampleError::Write { path: path.to_owned(), source };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    fs::write(path, text).map_err(failed)
}
