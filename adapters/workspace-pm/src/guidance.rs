//! The repository's words to agents, the session file, and where links lead.

use std::{
    fs, io,
    path::{Component, Path},
};

use pm_tracker_ports::{LinkTarget, ReadError, RefusedSkill, Session, Skill, Skills};
use serde_json::Value;

use crate::{root::WorkspaceRoot, scan::unreadable};

const MAX_GUIDE_CHARS: usize = 32_000;
const MAX_SKILLS: usize = 100;
const MAX_SKILL_BYTES: u64 = 256 << 10;
const MAX_SESSION_BYTES: u64 = 1 << 20;
const SKILLS_FOLDER: &str = ".agents/skills";

/// The repository's `AGENTS.md`, cut to its first 32,000 characters.
pub(crate) fn agent_guide(root: &WorkspaceRoot) -> Result<Option<String>, ReadError> {
    let path = root.repository.join("AGENTS.md");
    match fs::canonicalize(&path) {
        Ok(real) if real.starts_with(&root.repository) && real.is_file() => {}
        Ok(_) => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable("AGENTS.md", &error)),
    }
    // A character has at most four bytes, so no more need be read.
    let bytes =
        read_at_most(&path, 4 * MAX_GUIDE_CHARS as u64).map_err(|error| unreadable("AGENTS.md", &error))?;
    Ok(Some(String::from_utf8_lossy(&bytes).chars().take(MAX_GUIDE_CHARS).collect()))
}

/// The session file of the workspace.
pub(crate) fn session(root: &WorkspaceRoot) -> Session {
    let path = root.tracker.join("runtime/session.json");
    let problem = |detail: &str| Session { focused_item: None, problem: Some(detail.to_owned()) };
    match fs::canonicalize(&path) {
        Ok(real) if real.starts_with(&root.tracker) => {}
        Ok(_) => return problem("the session file is a link that leaves the tracker root"),
        Err(_absent) => return Session::default(),
    }
    let bytes = match read_at_most(&path, MAX_SESSION_BYTES) {
        Ok(bytes) => bytes,
        Err(error) => return problem(&error.to_string()),
    };
    match serde_json::from_slice::<Value>(&bytes) {
        Ok(Value::Object(members)) => {
            let focused = members.get("focused_item").and_then(Value::as_str).filter(|id| !id.is_empty());
            Session { focused_item: focused.map(str::to_owned), problem: None }
        }
        Ok(_) | Err(_) => problem("the session file is not a JSON object"),
    }
}

/// The skills below `.agents/skills`.
pub(crate) fn skills(root: &WorkspaceRoot) -> Result<Skills, ReadError> {
    let folder = root.repository.join(SKILLS_FOLDER);
    let mut skills = Skills::default();
    match fs::canonicalize(&folder) {
        Ok(real) if real == folder => {}
        Ok(_) => {
            skills.refused.push(refused(SKILLS_FOLDER, "is reached through a link"));
            return Ok(skills);
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(skills),
        Err(error) => return Err(unreadable(SKILLS_FOLDER, &error)),
    }
    let mut entries: Vec<_> = fs::read_dir(&folder)
        .map_err(|error| unreadable(SKILLS_FOLDER, &error))?
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir() || kind.is_symlink()))
        .collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for (at, entry) in entries.iter().enumerate() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if at >= MAX_SKILLS {
            skills.refused.push(refused(&name, "is beyond the limit of 100 folders"));
            continue;
        }
        match skill(&entry.path(), &name, entry.file_type().is_ok_and(|kind| kind.is_symlink())) {
            Ok(Some(skill)) => skills.offered.push(skill),
            Ok(None) => {}
            Err(reason) => skills.refused.push(refused(&name, &reason)),
        }
    }
    Ok(skills)
}

fn skill(folder: &Path, name: &str, is_link: bool) -> Result<Option<Skill>, String> {
    if is_link {
        return Err("is a link".to_owned());
    }
    if !is_skill_name(name) {
        return Err(
            "has a name with other characters than lower-case letters, digits, `-`, `_`, `.`".to_owned()
        );
    }
    let path = folder.join("SKILL.md");
    let metadata = match fs::symlink_metadata(&path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    if !metadata.is_file() {
        return Err("has a SKILL.md that is no plain file".to_owned());
    }
    let bytes = read_at_most(&path, MAX_SKILL_BYTES + 1).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MAX_SKILL_BYTES {
        return Err("has a SKILL.md of more than 256 KiB".to_owned());
    }
    let text = String::from_utf8(bytes).map_err(|_| "has a SKILL.md that is not UTF-8".to_owned())?;
    Ok(Some(Skill { name: name.to_owned(), description: description(&text), text }))
}

fn is_skill_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_' | '.');
    (1..=64).contains(&name.len()) && !name.starts_with(['.', '-']) && name.chars().all(plain)
}

/// The `description` of the front matter, if it stands on one line.
fn description(text: &str) -> String {
    let mut lines = text.lines();
    if lines.next().map(str::trim) != Some("---") {
        return String::new();
    }
    let front_matter = lines.take_while(|line| line.trim() != "---");
    let mut values = front_matter.filter_map(|line| line.strip_prefix("description:"));
    values.next().unwrap_or_default().trim().trim_matches(['"', '\'', '>', '|']).trim().to_owned()
}

fn refused(name: &str, reason: &str) -> RefusedSkill {
    let name = name.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).take(100).collect();
    RefusedSkill { name, reason: reason.to_owned() }
}

/// Where a path leads that an item links to.
pub(crate) fn link_target(root: &WorkspaceRoot, path: &str) -> LinkTarget {
    let path = path.replace('\\', "/");
    let mut depth = 0_i32;
    for component in Path::new(&path).components() {
        match component {
            Component::Normal(_) => depth += 1,
            Component::CurDir => {}
            Component::ParentDir => depth -= 1,
            Component::RootDir | Component::Prefix(_) => return LinkTarget::Outside,
        }
        if depth < 0 {
            return LinkTarget::Outside;
        }
    }
    match fs::canonicalize(root.repository.join(&path)) {
        Ok(real) if !real.starts_with(&root.repository) => LinkTarget::Outside,
        Ok(real) if real.is_dir() => LinkTarget::Folder,
        Ok(_) => LinkTarget::File,
        Err(_) => LinkTarget::Missing,
    }
}

/// A text file of the repository.
pub(crate) fn text_file(root: &WorkspaceRoot, path: &str, most: u64) -> Result<String, ReadError> {
    let refused = |detail: &str| ReadError::Unreadable { path: path.to_owned(), detail: detail.to_owned() };
    match link_target(root, path) {
        LinkTarget::File => {}
        LinkTarget::Folder => return Err(refused("is a folder")),
        LinkTarget::Missing => return Err(refused("there is no such file")),
        LinkTarget::Outside => return Err(refused("leads out of the repository")),
    }
    let full = root.repository.join(path.replace('\\', "/"));
    let bytes = read_at_most(&full, most.saturating_add(1)).map_err(|error| unreadable(path, &error))?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > most {
        return Err(refused(&format!("has more than {most} bytes")));
    }
    String::from_utf8(bytes).map_err(|_| refused("is not UTF-8"))
}

fn read_at_most(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    use io::Read as _;
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}
