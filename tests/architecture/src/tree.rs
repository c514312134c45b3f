//! Reading the work tree. Build output and installed packages are left out; everything else counts, tracked or
//! not, so that a stray file is seen before it is committed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Folders that tools write and git ignores.
const NOT_OURS: [&str; 6] = [".cache", ".git", ".venv", "__pycache__", "node_modules", "target"];

/// Extensions of the texts that people write here.
const TEXTS: [&str; 14] =
    ["css", "html", "js", "json", "jsonl", "md", "mjs", "py", "rs", "sh", "toml", "toon", "ts", "yml"];

/// Texts without an extension.
const BARE_TEXTS: [&str; 4] = [".ci/run", ".gitignore", "LICENSE", "Makefile"];

/// A text file of the tree.
#[derive(Debug, Clone)]
pub struct Source {
    /// Path from the root of the tree, with `/` between its parts.
    pub path: String,
    /// The whole text; bytes that are no UTF-8 are replaced.
    pub text: String,
}

impl Source {
    /// A source that exists only in a test.
    pub fn made_up(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }

    /// Whether this is Rust.
    #[must_use]
    pub fn is_rust(&self) -> bool {
        Path::new(&self.path).extension().is_some_and(|extension| extension == "rs")
    }

    /// Whether the file is there for tests alone: below a `tests` folder, or a module named `tests`.
    #[must_use]
    pub fn is_test(&self) -> bool {
        self.path.starts_with("tests/") || self.path.contains("/tests/") || self.path.ends_with("/tests.rs")
    }
}

/// The root of the work tree.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Names of the entries at the top of `root`, without those that tools write.
///
/// # Errors
///
/// When the folder cannot be read.
pub fn top_level(root: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(root)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !NOT_OURS.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// Every text file below `root`, sorted by path. `Cargo.lock` is left out: cargo writes it.
///
/// # Errors
///
/// When a folder or a file cannot be read.
pub fn sources(root: &Path) -> io::Result<Vec<Source>> {
    let mut found = Vec::new();
    collect(root, "", &mut found)?;
    found.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(found)
}

fn collect(folder: &Path, prefix: &str, found: &mut Vec<Source>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}/{name}") };
        let kind = entry.file_type()?;
        if kind.is_dir() && !NOT_OURS.contains(&name.as_str()) {
            collect(&entry.path(), &path, found)?;
        } else if kind.is_file() && is_text(&path) {
            match fs::read(entry.path()) {
                Ok(bytes) => found.push(Source { path, text: String::from_utf8_lossy(&bytes).into_owned() }),
                // Another process may remove a scratch file between the listing and the read.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(())
}

fn is_text(path: &str) -> bool {
    let extension = Path::new(path).extension().map(|extension| extension.to_string_lossy());
    BARE_TEXTS.contains(&path) || extension.is_some_and(|extension| TEXTS.contains(&extension.as_ref()))
}
