//! Writing the files of an empty workspace.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use thiserror::Error;

use super::prefix::prefix_of;

/// The settings of a new workspace, complete: a missing part would make other programs fall back to defaults.
const SETTINGS: &str = include_str!("../sample/files/settings.json");
const IGNORED: &str = include_str!("../sample/files/gitignore");
const ATTRIBUTES: &str = include_str!("../sample/files/gitattributes");

/// Why no workspace was made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum InitError {
    /// The project's folder is none.
    #[error("{0:?} is no folder; name the folder of a project, or make it first")]
    NoFolder(PathBuf),
    /// There is something at its place.
    #[error("{0:?} exists already, and nothing in it is overwritten; serve it, or move it away first")]
    Exists(PathBuf),
    /// The embedded settings are broken.
    #[error("the embedded settings cannot be read")]
    Settings(#[from] serde_json::Error),
    /// A file or folder cannot be written.
    #[error("cannot write {path:?}")]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
}

/// A workspace that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Made {
    /// The tracker root.
    pub tracker: PathBuf,
    /// The prefix of its ids.
    pub prefix: String,
    /// The files, relative to the tracker root.
    pub files: Vec<&'static str>,
}

/// The repository around a folder; the folder itself where there is none.
#[must_use]
pub fn project_around(folder: &Path) -> PathBuf {
    folder.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(folder).to_owned()
}

/// Makes the workspace `.agents/pm` in a project. Nothing that exists is overwritten.
///
/// # Errors
///
/// [`InitError::Exists`] if there is anything at its place, [`InitError::NoFolder`] if the project is no folder,
/// [`InitError::Write`] if the system refuses; what was written until then stays and is no workspace yet.
pub fn create(project: &Path) -> Result<Made, InitError> {
    let project = fs::canonicalize(project).map_err(|_| InitError::NoFolder(project.to_owned()))?;
    if !project.is_dir() {
        return Err(InitError::NoFolder(project));
    }
    let tracker = project.join(".agents/pm");
    let is_empty = fs::read_dir(&tracker).is_ok_and(|mut entries| entries.next().is_none());
    if !is_empty && fs::symlink_metadata(&tracker).is_ok() {
        return Err(InitError::Exists(tracker));
    }
    let prefix = prefix_of(&project);
    let mut settings: Value = serde_json::from_str(SETTINGS)?;
    if let Some(place) = settings.get_mut("id_prefix") {
        *place = json!(prefix);
    }
    let with_line = |value: &Value| serde_json::to_string_pretty(value).map(|text| format!("{text}\n"));
    let mut files = vec![
        ("schema/types.json", with_line(&json!({"definitions": []}))?),
        ("schema/statuses.json", with_line(&json!({"statuses": []}))?),
        ("schema/fields.json", with_line(&json!({"fields": []}))?),
        (".gitignore", IGNORED.to_owned()),
    ];
    if !has_line_end_rule(&project) {
        files.push((".gitattributes", ATTRIBUTES.to_owned()));
    }
    // Last, as a folder with settings is a workspace.
    files.push(("settings.json", with_line(&settings)?));
    for (path, text) in &files {
        write(&tracker.join(path), text)?;
    }
    Ok(Made { tracker, prefix, files: files.into_iter().map(|(path, _)| path).collect() })
}

/// Whether the repository says how lines end in the tracker's files.
fn has_line_end_rule(project: &Path) -> bool {
    let Ok(text) = fs::read_to_string(project.join(".gitattributes")) else { return false };
    let mut rules = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    rules.any(|rule| {
        let mut words = rule.split_whitespace();
        let covers = words.next().is_some_and(|pattern| {
            let pattern = pattern.trim_start_matches('/');
            pattern == "*"
                || pattern == "**"
                || pattern.starts_with(".agents/pm/*")
                || pattern.starts_with(".agents/**")
        });
        covers && words.any(|word| word.starts_with("eol=") || word == "-text" || word == "binary")
    })
}

fn write(path: &Path, text: &str) -> Result<(), InitError> {
    let failed = |source| InitError::Write { path: path.to_owned(), source };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut file = OpenOptions::new().write(true).create_new(true).open(path).map_err(failed)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_workspace_is_found_and_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("photo-upload-service");
        fs::create_dir(&project).unwrap();
        let made = create(&project).unwrap();
        assert_eq!(made.prefix, "pus-");
        assert_eq!(made.files.last(), Some(&"settings.json"));
        let settings: Value =
            serde_json::from_slice(&fs::read(made.tracker.join("settings.json")).unwrap()).unwrap();
        assert_eq!(settings["id_prefix"], "pus-");
        assert!(matches!(create(&project), Err(InitError::Exists(_))));
        assert!(matches!(create(&folder.path().join("nowhere")), Err(InitError::NoFolder(_))));
    }

    #[test]
    fn a_folder_with_anything_in_it_is_left_alone() {
        let project = tempfile::tempdir().unwrap();
        fs::create_dir_all(project.path().join(".agents/pm/tasks")).unwrap();
        assert!(matches!(create(project.path()), Err(InitError::Exists(_))));
        assert!(!project.path().join(".agents/pm/settings.json").exists());
    }

    #[test]
    fn a_rule_of_the_repository_for_line_ends_stays_the_only_one() {
        let project = tempfile::tempdir().unwrap();
        fs::write(project.path().join(".gitattributes"), "* text=auto eol=lf\n").unwrap();
        let made = create(project.path()).unwrap();
        assert!(!made.files.contains(&".gitattributes"));
        let other = tempfile::tempdir().unwrap();
        fs::write(other.path().join(".gitattributes"), "*.png binary\n").unwrap();
        assert!(create(other.path()).unwrap().files.contains(&".gitattributes"));
    }

    #[test]
    fn the_project_is_the_repository_around() {
        let top = tempfile::tempdir().unwrap();
        fs::create_dir_all(top.path().join("a/b")).unwrap();
        assert_eq!(project_around(&top.path().join("a/b")), top.path().join("a/b"));
        fs::create_dir(top.path().join(".git")).unwrap();
        assert_eq!(project_around(&top.path().join("a/b")), top.path());
    }
}
