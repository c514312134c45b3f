//! From a path to the part of the workspace that it belongs to.

use std::ffi::OsStr;
use std::path::{Component, Path};

use pm_tracker_ports::Touched;

use crate::source::WatchedFolders;

/// Folders of the tracker that hold nothing a reader shows: locks, journals, and caches of other programs.
const PRIVATE: [&str; 7] =
    ["locks", "search", "index", "transactions", "checkpoints", "extensions", "relationships"];

const NOTHING: Touched = Touched { snapshot: false, session: false, guide: false, skills: false };
const SNAPSHOT: Touched = Touched { snapshot: true, ..NOTHING };
const SESSION: Touched = Touched { session: true, ..NOTHING };
const GUIDE: Touched = Touched { guide: true, ..NOTHING };
const SKILLS: Touched = Touched { skills: true, ..NOTHING };

/// What a change at `path` may have touched.
pub(crate) fn touched_by(folders: &WatchedFolders, path: &Path) -> Touched {
    // First, as the repository may be the tracker root itself.
    if let Ok(below) = path.strip_prefix(&folders.repository) {
        if below == Path::new("AGENTS.md") {
            return GUIDE;
        }
        if below.starts_with(".agents/skills") {
            return SKILLS;
        }
    }
    if let Ok(below) = path.strip_prefix(&folders.tracker) {
        return in_tracker(below);
    }
    // A folder on the way to the tracker root, which may have gone or come as a whole.
    if folders.tracker.starts_with(path) { Touched::ALL } else { NOTHING }
}

fn in_tracker(below: &Path) -> Touched {
    let mut names = below.components().filter_map(|component| match component {
        Component::Normal(name) => Some(name),
        Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => None,
    });
    let Some(first) = names.next() else { return Touched::ALL };
    let rest: Vec<&OsStr> = names.collect();
    if std::iter::once(first).chain(rest.iter().copied()).any(is_hidden) {
        return NOTHING;
    }
    match (first.to_str(), rest.as_slice()) {
        (Some("runtime"), []) => SESSION,
        (Some("runtime"), [file]) if *file == "session.json" => SESSION,
        (Some("runtime"), _) => NOTHING,
        (Some(name), _) if PRIVATE.contains(&name) => NOTHING,
        (Some(_) | None, _) => SNAPSHOT,
    }
}

/// Names that start with a dot are temporary files of writers and files of git and editors.
pub(crate) fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// Whether changes below a folder of the tracker are worth hearing of.
pub(crate) fn is_watched(name: &OsStr) -> bool {
    !is_hidden(name) && !PRIVATE.iter().any(|private| name == *private)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usual() -> WatchedFolders {
        WatchedFolders { tracker: "/r/.agents/pm".into(), repository: "/r".into() }
    }

    #[test]
    fn each_path_belongs_to_its_part() {
        for (path, part) in [
            ("/r/.agents/pm/tasks/a-1.toon", SNAPSHOT),
            ("/r/.agents/pm/tasks", SNAPSHOT),
            ("/r/.agents/pm/history/a-1.jsonl", SNAPSHOT),
            ("/r/.agents/pm/settings.json", SNAPSHOT),
            ("/r/.agents/pm/schema/types.json", SNAPSHOT),
            ("/r/.agents/pm/runtime/session.json", SESSION),
            ("/r/.agents/pm/runtime", SESSION),
            ("/r/AGENTS.md", GUIDE),
            ("/r/.agents/skills/x/SKILL.md", SKILLS),
            ("/r/.agents/skills", SKILLS),
            ("/r/.agents/pm", Touched::ALL),
            ("/r/.agents", Touched::ALL),
            ("/r", Touched::ALL),
        ] {
            assert_eq!(touched_by(&usual(), Path::new(path)), part, "{path}");
        }
    }

    #[test]
    fn what_no_reader_shows_is_passed_over() {
        for path in [
            "/r/.agents/pm/tasks/.a-1.toon.1.2.3.tmp",
            "/r/.agents/pm/.git/index",
            "/r/.agents/pm/locks/a-1.lock",
            "/r/.agents/pm/runtime/mcp-tasks/1.json",
            "/r/.agents/pm/search/index.json",
            "/r/.agents/pm/transactions/sdk/1.json",
            "/r/src/main.rs",
            "/elsewhere",
        ] {
            assert!(touched_by(&usual(), Path::new(path)).is_nothing(), "{path}");
        }
    }

    #[test]
    fn a_tracker_that_is_its_own_repository_has_guide_and_skills_too() {
        let own = WatchedFolders { tracker: "/t".into(), repository: "/t".into() };
        assert_eq!(touched_by(&own, Path::new("/t/AGENTS.md")), GUIDE);
        assert_eq!(touched_by(&own, Path::new("/t/.agents/skills/x/SKILL.md")), SKILLS);
        assert_eq!(touched_by(&own, Path::new("/t/tasks/a-1.toon")), SNAPSHOT);
        assert!(touched_by(&own, Path::new("/t/.hidden")).is_nothing());
    }
}
