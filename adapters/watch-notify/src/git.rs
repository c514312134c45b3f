//! Whether git is in the middle of changing the files of a repository.

use std::fs;
use std::path::{Path, PathBuf};

/// Whether git holds the index of the repository that `folder` is in, as it does through a checkout or a merge.
///
/// A look in between would see files that are gone for a moment.
pub(crate) fn is_at_work(folder: &Path) -> bool {
    folder.ancestors().find_map(git_folder).is_some_and(|git| git.join("index.lock").exists())
}

/// The folder with git's own files: `.git`, or where the file `.git` of a linked worktree leads.
fn git_folder(top: &Path) -> Option<PathBuf> {
    let git = top.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    let text = fs::read_to_string(&git).ok()?;
    text.lines().find_map(|line| line.strip_prefix("gitdir:")).map(|path| top.join(path.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_is_found_from_below_and_in_a_linked_worktree() {
        let folder = tempfile::tempdir().unwrap();
        let (main, linked) = (folder.path().join("main"), folder.path().join("linked"));
        fs::create_dir_all(main.join(".git/worktrees/linked")).unwrap();
        fs::create_dir_all(main.join("a/b")).unwrap();
        fs::create_dir_all(&linked).unwrap();
        fs::write(linked.join(".git"), "gitdir: ../main/.git/worktrees/linked\n").unwrap();
        assert!(!is_at_work(&main.join("a/b")) && !is_at_work(&linked));
        fs::write(main.join(".git/index.lock"), "").unwrap();
        assert!(is_at_work(&main.join("a/b")) && !is_at_work(&linked));
        fs::write(main.join(".git/worktrees/linked/index.lock"), "").unwrap();
        assert!(is_at_work(&linked));
    }
}
