//! Finding the workspaces that the settings mean.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use pm_tracker_workspace_pm::{PmWorkspace, WorkspaceRoot};
use tempfile::TempDir;
use thiserror::Error;

use crate::sample::{self, SampleError};
use crate::settings::{PATH, SettingFault, WORKSPACES, WorkspaceChoice, fault};

/// The name of a workspace that the settings do not name.
pub const DEFAULT_NAME: &str = "default";

/// Why there is no workspace to serve.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlaceError {
    /// A setting names a place without workspace.
    #[error(transparent)]
    Setting(#[from] SettingFault),
    /// There is no workspace near, and no folder for a sample.
    #[error("cannot make a temporary folder for the sample workspace")]
    Folder(#[source] io::Error),
    /// There is no workspace near, and the sample cannot be made.
    #[error("cannot make the sample workspace")]
    Sample(#[from] SampleError),
}

/// The workspaces to serve. A sample among them is removed with this value.
pub struct Places {
    workspaces: Vec<(String, PmWorkspace)>,
    sample: Option<TempDir>,
}

impl fmt::Debug for Places {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Places").field("workspaces", &self.workspaces).finish_non_exhaustive()
    }
}

impl Places {
    /// Finds what `choice` means, seen from `folder`.
    ///
    /// # Errors
    ///
    /// [`PlaceError::Setting`] when a named place holds no workspace, the others when a sample is needed and cannot
    /// be made.
    pub fn find(choice: &WorkspaceChoice, folder: &Path) -> Result<Self, PlaceError> {
        let served = |name: &str, root| (name.to_owned(), PmWorkspace::new(root));
        match choice {
            WorkspaceChoice::Nearest => match WorkspaceRoot::find_from(folder) {
                Ok(root) => Ok(Self { workspaces: vec![served(DEFAULT_NAME, root)], sample: None }),
                Err(_) => Self::of_sample(),
            },
            WorkspaceChoice::At(path) => match at(&folder.join(path)) {
                Some(root) => Ok(Self { workspaces: vec![served(DEFAULT_NAME, root)], sample: None }),
                None => Err(fault(&PATH, nothing_at(path)).into()),
            },
            WorkspaceChoice::Named(named) => {
                let found = named.iter().map(|(name, path)| match at(&folder.join(path)) {
                    Some(root) => Ok(served(name, root)),
                    None => Err(fault(&WORKSPACES, format!("{name}: {}", nothing_at(path)))),
                });
                Ok(Self { workspaces: found.collect::<Result<_, _>>()?, sample: None })
            }
        }
    }

    fn of_sample() -> Result<Self, PlaceError> {
        let folder =
            tempfile::Builder::new().prefix("pm-mcp-sample-").tempdir().map_err(PlaceError::Folder)?;
        sample::create(folder.path())?;
        let root = at(folder.path()).ok_or_else(|| PlaceError::Folder(io::ErrorKind::NotFound.into()))?;
        Ok(Self { workspaces: vec![(DEFAULT_NAME.to_owned(), PmWorkspace::new(root))], sample: Some(folder) })
    }

    /// The workspaces with their names, the default one first.
    pub fn workspaces(&self) -> impl Iterator<Item = (&str, &PmWorkspace)> {
        self.workspaces.iter().map(|(name, workspace)| (name.as_str(), workspace))
    }

    /// The folder of the sample, if one was made.
    #[must_use]
    pub fn sample(&self) -> Option<&Path> {
        self.sample.as_ref().map(TempDir::path)
    }
}

fn at(path: &Path) -> Option<WorkspaceRoot> {
    WorkspaceRoot::at(path).ok()
}

fn nothing_at(path: &PathBuf) -> String {
    format!("{path:?} is no workspace: neither it nor .agents/pm in it holds settings.json")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_workspace_upward_is_found() {
        let project = tempfile::tempdir().unwrap();
        sample::create(project.path()).unwrap();
        let places = Places::find(&WorkspaceChoice::Nearest, &project.path().join("src")).unwrap();
        let found: Vec<_> = places.workspaces().map(|(name, workspace)| (name, workspace.root())).collect();
        assert_eq!((found.len(), found[0].0), (1, "default"));
        assert!(found[0].1.tracker.ends_with(".agents/pm") && places.sample().is_none());
    }

    #[test]
    fn without_a_workspace_near_a_sample_is_made_and_removed_again() {
        let nowhere = tempfile::tempdir().unwrap();
        let places = Places::find(&WorkspaceChoice::Nearest, nowhere.path()).unwrap();
        let folder = places.sample().unwrap().to_owned();
        assert!(folder.join(".agents/pm/settings.json").is_file());
        drop(places);
        assert!(!folder.exists());
    }

    #[test]
    fn a_named_place_without_workspace_is_refused_by_its_setting() {
        let nowhere = tempfile::tempdir().unwrap();
        let refused = |choice| Places::find(&choice, nowhere.path()).unwrap_err().to_string();
        let line = refused(WorkspaceChoice::At("no\nwhere".into()));
        assert!(line.starts_with("PM_PATH: \"no\\nwhere\" is no workspace"), "{line}");
        let project = tempfile::tempdir().unwrap();
        sample::create(project.path()).unwrap();
        let named = vec![("a".to_owned(), project.path().to_owned()), ("b".to_owned(), "x".into())];
        let line = refused(WorkspaceChoice::Named(named));
        assert!(line.starts_with("PM_MCP_WORKSPACES: b: \"x\" is no workspace"), "{line}");
    }

    #[test]
    fn several_workspaces_keep_their_order() {
        let project = tempfile::tempdir().unwrap();
        sample::create(project.path()).unwrap();
        let named = ["z", "a"].map(|name| (name.to_owned(), ".agents/pm".into())).to_vec();
        let places = Places::find(&WorkspaceChoice::Named(named), project.path()).unwrap();
        let names: Vec<_> = places.workspaces().map(|(name, _)| name).collect();
        assert_eq!(names, ["z", "a"]);
    }
}
