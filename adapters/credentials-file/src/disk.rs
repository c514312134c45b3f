//! Files that are whole after a crash, for their owner only.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

/// Replaces a file so that it outlives a loss of power, or leaves it as it was.
pub(crate) fn replace(path: &Path, temporary: &Path, bytes: &[u8]) -> io::Result<()> {
    let written = write_new(temporary, bytes).and_then(|()| fs::rename(temporary, path));
    if let Err(fault) = written {
        discard(temporary);
        return Err(fault);
    }
    sync_folder(path)
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = private(OpenOptions::new().write(true).create_new(true)).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Removes a file so that it stays away after a loss of power.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    fs::remove_file(path)?;
    sync_folder(path)
}

/// The content of a file of at most so many bytes; `None` without the file.
pub(crate) fn read(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    let file = match File::open(path) {
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

/// A file to lock, made where there is none.
pub(crate) fn lock_file(path: &Path) -> io::Result<File> {
    private(OpenOptions::new().write(true).create(true).truncate(false)).open(path)
}

/// Removes a file that counts for nothing.
fn discard(path: &Path) {
    match fs::remove_file(path) {
        Err(fault) if fault.kind() != io::ErrorKind::NotFound => {
            tracing::warn!(path = %path.display(), %fault, "a temporary file of the credential folder stays behind");
        }
        _ => {}
    }
}

/// Makes a folder for its owner only, with those above it.
pub(crate) fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Whether others than the owner may look into the folder.
#[cfg(unix)]
pub(crate) fn is_open_to_others(folder: &Path) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(fs::metadata(folder)?.permissions().mode() & 0o077 != 0)
}

/// Other systems have no such bits; there, whoever made the folder decides.
#[cfg(not(unix))]
pub(crate) fn is_open_to_others(folder: &Path) -> io::Result<bool> {
    fs::metadata(folder).map(|_| false)
}

fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Lets renames and removals beside a file outlive a loss of power.
#[cfg(unix)]
fn sync_folder(file: &Path) -> io::Result<()> {
    file.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

/// Other systems have no such call; there, the order of renames is the file system's own affair.
#[cfg(not(unix))]
fn sync_folder(_file: &Path) -> io::Result<()> {
    Ok(())
}
