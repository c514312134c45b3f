//! Which files a workspace has now.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use pm_tracker_ports::{FileForm, ReadError, StreamFacts};

use crate::stamp::Stamp;

/// One item file as its folder shows it.
#[derive(Debug)]
pub(crate) struct FoundFile {
    /// Relative to the tracker root, forward slashes.
    pub(crate) path: String,
    pub(crate) folder: String,
    pub(crate) id: String,
    pub(crate) form: FileForm,
    pub(crate) full_path: PathBuf,
    pub(crate) stamp: Stamp,
    /// Whether the file, or its folder, is a link that leaves the tracker root.
    pub(crate) leaves_root: bool,
}

/// Lists the item files of some folders. An absent folder has none.
pub(crate) fn item_files(root: &Path, folders: &[&str]) -> Result<Vec<FoundFile>, ReadError> {
    let mut found = Vec::new();
    for &folder in folders {
        let full = root.join(folder);
        let folder_leaves = match fs::canonicalize(&full) {
            Ok(real) => !real.starts_with(root),
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(unreadable(folder, &error)),
        };
        each_file(&full, folder, |name, entry_path, is_link, metadata| {
            let (stem, form) = match name.rsplit_once('.') {
                Some((stem, "toon")) => (stem, FileForm::Toon),
                Some((stem, "md")) => (stem, FileForm::Markdown),
                Some(_) | None => return,
            };
            let link_leaves =
                is_link && !fs::canonicalize(&entry_path).is_ok_and(|real| real.starts_with(root));
            found.push(FoundFile {
                path: format!("{folder}/{name}"),
                folder: folder.to_owned(),
                id: stem.to_owned(),
                form,
                full_path: entry_path,
                stamp: Stamp::of(metadata),
                leaves_root: folder_leaves || link_leaves,
            });
        })?;
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

/// Lists the history streams.
pub(crate) fn streams(root: &Path) -> Result<BTreeMap<String, (StreamFacts, Stamp)>, ReadError> {
    let mut found = BTreeMap::new();
    let folder = root.join("history");
    if !folder.is_dir() {
        return Ok(found);
    }
    each_file(&folder, "history", |name, _, _, metadata| {
        if let Some(id) = name.strip_suffix(".jsonl") {
            let stamp = Stamp::of(metadata);
            let facts = StreamFacts { bytes: stamp.bytes, modified_ms: stamp.modified_ms };
            found.insert(id.to_owned(), (facts, stamp));
        }
    })?;
    Ok(found)
}

/// Calls back for every file of a folder whose name is text and does not start with a dot. Files that vanish while
/// the folder is read are passed over.
fn each_file(
    full: &Path,
    folder: &str,
    mut visit: impl FnMut(&str, PathBuf, bool, &fs::Metadata),
) -> Result<(), ReadError> {
    for entry in fs::read_dir(full).map_err(|error| unreadable(folder, &error))? {
        let Ok(entry) = entry else { continue };
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else { continue };
        let Ok(metadata) = entry.metadata() else { continue };
        if metadata.is_dir() {
            continue;
        }
        visit(name, entry.path(), metadata.is_symlink(), &metadata);
    }
    Ok(())
}

pub(crate) fn unreadable(path: &str, error: &io::Error) -> ReadError {
    ReadError::Unreadable { path: path.to_owned(), detail: error.to_string() }
}
