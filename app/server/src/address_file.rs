//! Telling scripts where the server listens.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

/// Removes what an earlier server may have left, so that nobody takes it for the address of this one.
///
/// # Errors
///
/// When a file is there and cannot be removed.
pub fn clear(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Writes `url` and a line end to `path`: whoever sees the file sees all of it.
///
/// # Errors
///
/// When the folder or the file cannot be written to.
pub fn write(path: &Path, url: &str) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    writeln!(file, "{url}")?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_holds_the_url_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("url");
        clear(&path).unwrap();
        fs::write(&path, "http://old/mcp\n").unwrap();
        clear(&path).unwrap();
        assert!(!path.exists());
        write(&path, "http://127.0.0.1:4711/mcp").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "http://127.0.0.1:4711/mcp\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write(&folder.path().join("none/url"), "x").is_err());
    }
}
