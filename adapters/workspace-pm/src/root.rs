//! Where a workspace lies.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;
use thiserror::Error;

/// The two folders of a workspace, without links.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct WorkspaceRoot {
    /// The tracker root, which holds `settings.json`.
    pub tracker: PathBuf,
    /// The repository root: two folders up if the tracker root ends in `.agents/pm`, else the tracker root itself.
    pub repository: PathBuf,
}

/// Why no workspace was found.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RootError {
    /// The named path is no workspace.
    #[error(
        "`{path}` is no workspace: neither it nor `.agents/pm` in it holds `settings.json`; check PM_PATH"
    )]
    NoWorkspaceAt {
        /// The path as given.
        path: String,
    },
    /// No folder upward holds a workspace.
    #[error("no `.agents/pm/settings.json` in `{from}` or above it; set PM_PATH or create a workspace")]
    NotFound {
        /// Where the search began.
        from: String,
    },
}

impl WorkspaceRoot {
    /// Opens a named path: the tracker root, or a project root that holds `.agents/pm`.
    ///
    /// # Errors
    /// [`RootError::NoWorkspaceAt`] if neither is there.
    pub fn at(path: &Path) -> Result<Self, RootError> {
        let below = path.join(".agents/pm");
        [path, &below]
            .into_iter()
            .find(|candidate| candidate.join("settings.json").is_file())
            .and_then(Self::of)
            .ok_or_else(|| RootError::NoWorkspaceAt { path: path.display().to_string() })
    }

    /// Looks for a workspace in a folder and upward.
    ///
    /// # Errors
    /// [`RootError::NotFound`] if there is none up to the top.
    pub fn find_from(folder: &Path) -> Result<Self, RootError> {
        for folder in folder.ancestors() {
            let usual = folder.join(".agents/pm");
            if usual.join("settings.json").is_file() {
                return Self::of(&usual).ok_or_else(|| not_found(folder));
            }
            if is_settings(&folder.join("settings.json")) {
                return Self::of(folder).ok_or_else(|| not_found(folder));
            }
        }
        Err(not_found(folder))
    }

    fn of(tracker: &Path) -> Option<Self> {
        let tracker = fs::canonicalize(tracker).ok()?;
        let usual = tracker.ends_with(".agents/pm");
        let repository = if usual { tracker.parent()?.parent()?.to_owned() } else { tracker.clone() };
        Some(Self { tracker, repository })
    }
}

fn not_found(from: &Path) -> RootError {
    RootError::NotFound { from: from.display().to_string() }
}

/// Other programs have files of this name too, so the content must look like a tracker's.
fn is_settings(path: &Path) -> bool {
    let Ok(text) = fs::read_to_string(path) else { return false };
    let Ok(Value::Object(settings)) = serde_json::from_str(&text) else { return false };
    settings.contains_key("id_prefix") || settings.contains_key("item_format")
}
