//! Locks, folders and caches of an installation.

use std::{fs, path::Path};

use pm_tracker_domain::{Timestamp, WorkspaceSchema};
use pm_tracker_ports::{CacheFacts, FolderFacts, LockFacts, WorkspaceHealth};
use serde_json::Value;

use crate::stamp::Stamp;

/// How many files of a cache are counted at most.
const MAX_CACHE_FILES: usize = 20_000;

pub(crate) fn health(root: &Path, schema: &WorkspaceSchema) -> WorkspaceHealth {
    let mut folders: Vec<FolderFacts> = schema.folders().into_iter().map(|name| folder(root, name)).collect();
    folders.push(folder(root, "history"));
    let caches = ["runtime/mcp-index", "runtime/mcp-tasks", "index", "search", "checkpoints"];
    WorkspaceHealth {
        locks: locks(root),
        folders,
        caches: caches.into_iter().filter_map(|name| cache(root, name)).collect(),
    }
}

fn locks(root: &Path) -> Vec<LockFacts> {
    let Ok(entries) = fs::read_dir(root.join("locks")) else { return Vec::new() };
    let mut locks: Vec<LockFacts> = entries
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
        .filter_map(|entry| {
            let name = entry.file_name().to_str()?.strip_suffix(".lock")?.to_owned();
            let stamp = Stamp::of(&entry.metadata().ok()?);
            let content = (stamp.bytes <= 65_536).then(|| fs::read(entry.path()).ok()).flatten();
            let content: Option<Value> = content.and_then(|bytes| serde_json::from_slice(&bytes).ok());
            let member = |key: &str| content.as_ref().and_then(|value| value.get(key));
            let taken = member("created_at").and_then(Value::as_str).and_then(Timestamp::parse);
            Some(LockFacts {
                name,
                owner: member("owner").and_then(Value::as_str).map(str::to_owned),
                pid: member("pid").and_then(Value::as_u64),
                taken_ms: taken.map_or(stamp.modified_ms, Timestamp::as_unix_ms),
                ttl_seconds: member("ttl_seconds").and_then(Value::as_u64),
                readable: taken.is_some() && member("owner").is_some_and(Value::is_string),
            })
        })
        .collect();
    locks.sort_by(|a, b| a.name.cmp(&b.name));
    locks
}

fn folder(root: &Path, name: &str) -> FolderFacts {
    let mut facts = FolderFacts { path: name.to_owned(), exists: false, files: 0, strays: 0 };
    let Ok(entries) = fs::read_dir(root.join(name)) else { return facts };
    facts.exists = true;
    let wanted: &[&str] = if name == "history" { &["jsonl"] } else { &["toon", "md"] };
    for entry in
        entries.filter_map(Result::ok).filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_dir()))
    {
        facts.files += 1;
        let path = entry.path();
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if hidden || !wanted.contains(&ending) {
            facts.strays += 1;
        }
    }
    facts
}

fn cache(root: &Path, name: &str) -> Option<CacheFacts> {
    let top = root.join(name);
    if !fs::symlink_metadata(&top).ok()?.is_dir() {
        return None;
    }
    let (mut size, mut modified_ms, mut seen) = (0_u64, None, 0);
    let mut open = vec![top];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok) {
            let Ok(metadata) = entry.metadata() else { continue };
            seen += 1;
            if seen > MAX_CACHE_FILES {
                break;
            }
            if metadata.is_dir() {
                open.push(entry.path());
            } else {
                let stamp = Stamp::of(&metadata);
                size += stamp.bytes;
                modified_ms = modified_ms.max(Some(stamp.modified_ms));
            }
        }
    }
    Some(CacheFacts { name: name.to_owned(), size, modified_ms })
}
