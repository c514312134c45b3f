//! Histories against files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use super::canonical::{canonical, hash_of};
use super::file::read_item;
use super::patch::apply;

/// The hash of no item.
const NOTHING: &str = "3cc22dff72be7b14824654a7a64ea62b04799939b2fee54c1b5f52ca60bf6df0";

/// The bytes of a tracker at one moment.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// Item files by path below the tracker root, by their digest.
    files: BTreeMap<String, [u8; 32]>,
    /// Keys at the top of items by id.
    keys: BTreeMap<String, Vec<String>>,
    /// Histories by id.
    streams: BTreeMap<String, Vec<u8>>,
}

/// The tracker of a project, read in this module's own way.
#[derive(Debug, Clone)]
pub struct Ledger {
    root: PathBuf,
}

impl Ledger {
    /// The tracker below a project's folder.
    pub fn of(project: &Path) -> Self {
        Self { root: project.join(".agents/pm") }
    }

    /// Everything as it is now.
    pub fn snapshot(&self) -> Snapshot {
        let (mut files, mut keys) = (BTreeMap::new(), BTreeMap::new());
        for (path, id) in self.items() {
            let text = fs::read(self.root.join(&path)).unwrap();
            files.insert(path, Sha256::digest(&text).into());
            if let Ok((members, _)) = read_item(&String::from_utf8(text).unwrap()) {
                keys.insert(id, members.keys().cloned().collect());
            }
        }
        let streams = self.names("history", ".jsonl").into_iter();
        let streams =
            streams.map(|id| (id.clone(), fs::read(self.root.join(format!("history/{id}.jsonl"))).unwrap()));
        Snapshot { files, keys, streams: streams.collect() }
    }

    /// Paths and ids of all item files.
    pub fn items(&self) -> Vec<(String, String)> {
        let mut items = Vec::new();
        for folder in fs::read_dir(&self.root).unwrap().map(|entry| entry.unwrap()) {
            let folder = folder.file_name().into_string().unwrap();
            for id in self.names(&folder, ".toon") {
                items.push((format!("{folder}/{id}.toon"), id));
            }
        }
        items.sort();
        items
    }

    fn names(&self, folder: &str, ending: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.root.join(folder)) else { return Vec::new() };
        let names = entries.filter_map(|entry| entry.unwrap().file_name().into_string().ok());
        let mut names: Vec<String> = names
            .filter_map(|name| name.strip_suffix(ending).map(str::to_owned))
            .filter(|name| !name.starts_with('.'))
            .collect();
        names.sort();
        names
    }

    /// Verifies everything that was written since `before`: histories only grew, by whole lines; every new entry leads from
    /// the hash before to the hash after; the last one leads to the file; no other file changed; no key that the format does
    /// not name was lost. Gives the number of new entries.
    ///
    /// # Errors
    /// Everything that does not hold.
    pub fn verify_since(&self, before: &Snapshot, known_keys: &[&str]) -> Result<usize, Vec<String>> {
        let now = self.snapshot();
        let mut faults = Vec::new();
        let mut entries = 0;
        for (id, stream) in &now.streams {
            let old = before.streams.get(id).map_or(&[][..], Vec::as_slice);
            if !stream.starts_with(old) {
                faults.push(format!("{id}: the history does not go on from what it was"));
                continue;
            }
            if stream.len() > old.len() {
                match self.verify_stream(id, stream, old) {
                    Ok(count) => entries += count,
                    Err(fault) => faults.push(format!("{id}: {fault}")),
                }
                continue;
            }
            let path = now.files.keys().find(|path| path.ends_with(&format!("/{id}.toon")));
            let same = path.is_none_or(|path| before.files.get(path) == now.files.get(path));
            if !same {
                faults.push(format!("{id}: the file changed and the history did not"));
            }
        }
        for id in before.streams.keys().filter(|id| !now.streams.contains_key(*id)) {
            faults.push(format!("{id}: the history is gone"));
        }
        for (id, keys) in &before.keys {
            let Some(present) = now.keys.get(id) else { continue };
            for key in keys.iter().filter(|key| !known_keys.contains(&key.as_str()) && !present.contains(key))
            {
                faults.push(format!("{id}: the key {key} was lost"));
            }
        }
        if faults.is_empty() { Ok(entries) } else { Err(faults) }
    }

    fn verify_stream(&self, id: &str, stream: &[u8], old: &[u8]) -> Result<usize, String> {
        let text = std::str::from_utf8(stream).map_err(|error| error.to_string())?;
        if !text.ends_with('\n') {
            return Err("the last line is torn".to_owned());
        }
        let old_lines = old.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count();
        let mut document = json!({"metadata": {}, "body": ""});
        let mut last = NOTHING.to_owned();
        let mut count = 0;
        for (at, line) in text.lines().filter(|line| !line.trim().is_empty()).enumerate() {
            let entry: Value =
                serde_json::from_str(line).map_err(|error| format!("line {}: {error}", at + 1))?;
            let stated = |key: &str| entry[key].as_str().unwrap_or_default().to_owned();
            let is_new = at >= old_lines;
            // Entries that others wrote may have been hashed in ways of theirs; ours follow on from normal form.
            if is_new
                && count > 0
                && (stated("before_hash") != last || stated("before_hash") != hash(&document))
            {
                return Err(format!("entry {}: the hash before does not fit", at + 1));
            }
            apply(&mut document, entry["patch"].as_array().ok_or("no patch")?)
                .map_err(|fault| format!("entry {}: {fault}", at + 1))?;
            last = stated("after_hash");
            if is_new {
                count += 1;
                if last != hash(&document) {
                    return Err(format!("entry {}: the hash after does not fit", at + 1));
                }
            }
        }
        self.compare(id, &document).map(|()| count)
    }

    /// The file has to be what the history leads to.
    fn compare(&self, id: &str, document: &Value) -> Result<(), String> {
        let paths: Vec<String> =
            self.items().into_iter().filter(|(_, known)| known == id).map(|(path, _)| path).collect();
        let deleted = document["metadata"].as_object().is_none_or(Map::is_empty);
        match (paths.as_slice(), deleted) {
            ([], true) => Ok(()),
            ([path], false) => {
                let text = fs::read_to_string(self.root.join(path)).map_err(|error| error.to_string())?;
                let (members, body) = read_item(&text).map_err(|fault| format!("{path}: {fault}"))?;
                let file = canonical(&json!({"metadata": members, "body": body}));
                if file == canonical(document) {
                    Ok(())
                } else {
                    Err(format!("{path} is not what the history leads to:\n{file}\n{}", canonical(document)))
                }
            }
            (paths, _) => Err(format!("the files {paths:?} do not fit the end of the history")),
        }
    }
}

fn hash(document: &Value) -> String {
    match document["metadata"].as_object() {
        Some(metadata) if !metadata.is_empty() => {
            hash_of(metadata, document["body"].as_str().unwrap_or_default())
        }
        Some(_) | None => NOTHING.to_owned(),
    }
}
