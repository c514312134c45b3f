//! The steps of a write, at each of which the system may refuse.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

/// Does what a write needs of the system. Tests let a step fail.
#[derive(Default, Debug)]
pub(crate) struct Disk {
    #[cfg(test)]
    pub(crate) refused: std::sync::Mutex<Option<(Step, io::ErrorKind)>>,
}

/// A step that may fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    CreateFile,
    WriteFile,
    SyncFile,
    Note,
    Rename,
    Remove,
    SyncFolder,
}

impl Disk {
    #[cfg(not(test))]
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "only tests refuse a step")]
    pub(crate) fn pass(&self, _step: Step) -> io::Result<()> {
        Ok(())
    }

    #[cfg(test)]
    pub(crate) fn pass(&self, step: Step) -> io::Result<()> {
        match *self.refused.lock().unwrap() {
            Some((refused, kind)) if refused == step => Err(kind.into()),
            _ => Ok(()),
        }
    }

    /// Makes a file whose content outlives a loss of power. A file that was not made whole is removed.
    pub(crate) fn write_new(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.pass(Step::CreateFile)?;
        let mut file = private(OpenOptions::new().write(true).create_new(true)).open(path)?;
        let written = self
            .pass(Step::WriteFile)
            .and_then(|()| file.write_all(bytes))
            .and_then(|()| self.pass(Step::SyncFile))
            .and_then(|()| file.sync_all());
        if written.is_err() {
            discard(path);
        }
        written
    }

    pub(crate) fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.pass(Step::Rename)?;
        fs::rename(from, to)
    }

    pub(crate) fn remove(&self, path: &Path) -> io::Result<()> {
        self.pass(Step::Remove)?;
        fs::remove_file(path)
    }

    /// Lets renames and removals in a folder outlive a loss of power.
    pub(crate) fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.pass(Step::SyncFolder)?;
        sync_folder(folder)
    }
}

/// Removes a file that counts for nothing. One that stays is removed when the folder is opened the next time.
pub(crate) fn discard(path: &Path) {
    if let Err(fault) = fs::remove_file(path) {
        tracing::warn!(path = %path.display(), %fault, "a temporary file of the task folder stays behind");
    }
}

/// What tasks hold is for the server's user only.
pub(crate) fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Makes a folder with those above it, so that they outlive a loss of power.
pub(crate) fn make_folder(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let above = folder.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
    make_folder(above)?;
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(folder) {
        Err(fault) if fault.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => Ok(()),
        Err(fault) => Err(fault),
        Ok(()) => sync_folder(above),
    }
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Other systems have no such call; there, the order of renames is the file system's own affair.
#[cfg(not(unix))]
fn sync_folder(folder: &Path) -> io::Result<()> {
    fs::metadata(folder).map(drop)
}
