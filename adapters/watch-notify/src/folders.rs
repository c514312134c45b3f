//! Which folders are watched now.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};

use crate::part::is_watched;
use crate::source::WatchedFolders;

/// The operating system's watches, each with the identity of its folder.
///
/// A watch belongs to a folder and not to its path: where a checkout removes a folder and makes it anew, the old
/// watch is dead, so paths alone do not say what is watched.
#[derive(Debug)]
pub(crate) struct Watches {
    watcher: RecommendedWatcher,
    armed: BTreeMap<PathBuf, Identity>,
}

type Identity = (u64, u64);

impl Watches {
    pub(crate) const fn new(watcher: RecommendedWatcher) -> Self {
        Self { watcher, armed: BTreeMap::new() }
    }

    /// Watches every folder that should be watched and is there; says whether any watch is new, in which case
    /// changes just before may have gone unheard.
    pub(crate) fn arm(&mut self, folders: &WatchedFolders) -> Result<bool, notify::Error> {
        let wanted: BTreeMap<PathBuf, Identity> = wanted(folders)
            .into_iter()
            .filter_map(|path| Some((identity(&path)?, path)))
            .map(|(i, p)| (p, i))
            .collect();
        let stale: Vec<PathBuf> = self
            .armed
            .iter()
            .filter(|(path, identity)| wanted.get(*path) != Some(*identity))
            .map(|(path, _)| path.clone())
            .collect();
        for path in stale {
            // The operating system has dropped the watch of a folder that is gone already.
            drop(self.watcher.unwatch(&path));
            self.armed.remove(&path);
        }
        let mut new = false;
        for (path, identity) in wanted {
            if self.armed.contains_key(&path) {
                continue;
            }
            match self.watcher.watch(&path, RecursiveMode::NonRecursive) {
                Ok(()) => {
                    self.armed.insert(path, identity);
                    new = true;
                }
                // Gone since it was listed: its parent's watch tells.
                Err(_) if !path.exists() => new = true,
                Err(error) => return Err(error),
            }
        }
        Ok(new)
    }
}

/// The tracker root and its folders, the folders on the way to it from the repository, and the skills.
fn wanted(folders: &WatchedFolders) -> Vec<PathBuf> {
    let mut wanted = vec![folders.repository.clone()];
    let way = folders.tracker.ancestors().take_while(|folder| *folder != folders.repository);
    wanted.extend(way.filter(|folder| folder.starts_with(&folders.repository)).map(Path::to_owned));
    wanted.push(folders.tracker.clone());
    wanted.extend(folders_in(&folders.tracker, is_watched));
    let skills = folders.repository.join(".agents/skills");
    wanted.extend(folders.repository.join(".agents").is_dir().then(|| folders.repository.join(".agents")));
    wanted.extend(folders_in(&skills, |_| true));
    wanted.push(skills);
    wanted.sort();
    wanted.dedup();
    wanted
}

/// The folders directly in a folder, links not followed.
fn folders_in(folder: &Path, keep: impl Fn(&std::ffi::OsStr) -> bool) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    entries
        .filter_map(Result::ok)
        .filter(|entry| keep(&entry.file_name()) && entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .collect()
}

#[cfg(unix)]
fn identity(folder: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt as _;
    let metadata = fs::metadata(folder).ok().filter(fs::Metadata::is_dir)?;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(folder: &Path) -> Option<Identity> {
    fs::metadata(folder).ok().filter(fs::Metadata::is_dir).map(|_| (0, 0))
}
