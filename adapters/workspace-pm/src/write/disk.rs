//! Files below the tracker root, written whole or not at all.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use pm_tracker_domain::Timestamp;
use pm_tracker_ports::WriteError;

use super::step::{StepObserver, WriteStep};

/// The tracker root, for writing. Paths are relative to it, with forward slashes, and never lead outside.
#[derive(Debug, Clone)]
pub(super) struct Disk {
    pub(super) root: PathBuf,
    pub(super) steps: Arc<dyn StepObserver>,
}

/// What the system refused, at which path.
#[derive(Debug)]
pub(super) struct DiskError {
    path: String,
    source: io::Error,
}

impl DiskError {
    pub(super) fn new(path: &str, source: io::Error) -> Self {
        Self { path: path.to_owned(), source }
    }

    pub(super) fn into_write_error(self, half_done: bool) -> WriteError {
        WriteError::Storage { path: self.path, detail: self.source.to_string(), half_done }
    }
}

impl From<DiskError> for WriteError {
    fn from(error: DiskError) -> Self {
        error.into_write_error(false)
    }
}

/// Random bytes of the operating system.
pub(super) fn random<const N: usize>() -> Result<[u8; N], DiskError> {
    let mut bytes = [0; N];
    match getrandom::fill(&mut bytes) {
        Ok(()) => Ok(bytes),
        Err(error) => Err(DiskError::new("(random bytes)", io::Error::other(error.to_string()))),
    }
}

pub(super) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _cannot_fail = write!(text, "{byte:02x}");
        text
    })
}

impl Disk {
    pub(super) fn step(&self, path: &str, step: WriteStep) -> Result<(), DiskError> {
        self.steps.done(step).map_err(|source| DiskError::new(path, source))
    }

    /// The folder of a path, made if it is absent, without links that lead outside.
    fn folder_of(&self, path: &str) -> Result<PathBuf, DiskError> {
        let failed = |source| DiskError::new(path, source);
        let full = self.root.join(path);
        let folder = full.parent().unwrap_or(&self.root);
        match fs::canonicalize(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(folder).map_err(failed)?;
                sync_folder(folder.parent().unwrap_or(&self.root)).map_err(failed)?;
            }
            Ok(_) | Err(_) => {}
        }
        let real = fs::canonicalize(folder).map_err(failed)?;
        if real.starts_with(&self.root) {
            Ok(real)
        } else {
            Err(failed(io::Error::new(
                io::ErrorKind::PermissionDenied,
                "a link leads out of the tracker root",
            )))
        }
    }

    /// The place of a file whose folder is inside the root.
    pub(super) fn place(&self, path: &str) -> Result<PathBuf, DiskError> {
        let folder = self.folder_of(path)?;
        match Path::new(path).file_name() {
            Some(name) => Ok(folder.join(name)),
            None => Err(DiskError::new(path, io::ErrorKind::InvalidInput.into())),
        }
    }

    /// Writes a file beside its place, flushes it, and puts it there.
    pub(super) fn replace(&self, path: &str, bytes: &[u8], now: Timestamp) -> Result<(), DiskError> {
        let staged = self.stage(path, bytes, now)?;
        self.put(path, &staged).inspect_err(|_| {
            let _left_for_the_next_look = fs::remove_file(&staged);
        })
    }

    /// Writes and flushes the bytes beside their place.
    pub(super) fn stage(&self, path: &str, bytes: &[u8], now: Timestamp) -> Result<PathBuf, DiskError> {
        let failed = |source| DiskError::new(path, source);
        let place = self.place(path)?;
        let name = place.file_name().and_then(|name| name.to_str()).unwrap_or("file");
        let random = hex(&random::<6>()?);
        let staged =
            place.with_file_name(format!(".{name}.{}.{}.{random}.tmp", std::process::id(), now.as_unix_ms()));
        let mut file = OpenOptions::new().write(true).create_new(true).open(&staged).map_err(failed)?;
        let written = file.write_all(bytes).and_then(|()| match fs::metadata(&place) {
            Ok(before) => file.set_permissions(before.permissions()),
            Err(_) => Ok(()),
        });
        written.and_then(|()| file.sync_all()).map_err(|error| {
            let _left_for_the_next_look = fs::remove_file(&staged);
            failed(error)
        })?;
        Ok(staged)
    }

    /// Puts a staged file in its place.
    pub(super) fn put(&self, path: &str, staged: &Path) -> Result<(), DiskError> {
        let failed = |source| DiskError::new(path, source);
        let place = self.place(path)?;
        fs::rename(staged, &place).map_err(failed)?;
        sync_folder_of(&place).map_err(failed)
    }

    /// Removes a file that may be gone already.
    pub(super) fn remove(&self, path: &str) -> Result<(), DiskError> {
        let place = self.place(path)?;
        let removed = match fs::remove_file(&place) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            other => other,
        };
        removed.and_then(|()| sync_folder_of(&place)).map_err(|source| DiskError::new(path, source))
    }

    /// Cuts a file after so many bytes.
    pub(super) fn cut(&self, path: &str, length: u64) -> Result<(), DiskError> {
        let failed = |source| DiskError::new(path, source);
        let place = fs::canonicalize(self.place(path)?).map_err(failed)?;
        if !place.starts_with(&self.root) {
            return Err(failed(io::ErrorKind::PermissionDenied.into()));
        }
        let file = OpenOptions::new().write(true).open(place).map_err(failed)?;
        file.set_len(length).and_then(|()| file.sync_data()).map_err(failed)
    }

    /// Appends a line to a file in one write, and flushes it; on failure the file is as it was before.
    pub(super) fn append_line(&self, path: &str, line: &str) -> Result<Appended, DiskError> {
        let failed = |source| DiskError::new(path, source);
        let place = self.place(path)?;
        let leaves = fs::canonicalize(&place).is_ok_and(|real| !real.starts_with(&self.root));
        if leaves {
            return Err(failed(io::Error::new(
                io::ErrorKind::PermissionDenied,
                "a link leads out of the tracker root",
            )));
        }
        let existed = place.exists();
        let mut file =
            OpenOptions::new().read(true).append(true).create(true).open(&place).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        // A line that was written by other means may lack its end.
        let joined = length > 0 && last_byte(&mut file, length).map_err(failed)? != b'\n';
        let text = format!("{}{line}\n", if joined { "\n" } else { "" });
        let appended = Appended { place, length, existed };
        let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_data());
        let written = written.and_then(|()| if existed { Ok(()) } else { sync_folder_of(&appended.place) });
        match written {
            Ok(()) => Ok(appended),
            Err(error) => {
                let _as_good_as_can_be = appended.take_back();
                Err(failed(error))
            }
        }
    }
}

/// An appended line.
#[derive(Debug)]
pub(super) struct Appended {
    place: PathBuf,
    length: u64,
    existed: bool,
}

impl Appended {
    /// Makes the file what it was before the line.
    pub(super) fn take_back(&self) -> io::Result<()> {
        if !self.existed {
            return fs::remove_file(&self.place).and_then(|()| sync_folder_of(&self.place));
        }
        let file = OpenOptions::new().write(true).open(&self.place)?;
        file.set_len(self.length).and_then(|()| file.sync_data())
    }
}

fn last_byte(file: &mut File, length: u64) -> io::Result<u8> {
    let mut byte = [0];
    file.seek(SeekFrom::Start(length - 1))?;
    file.read_exact(&mut byte)?;
    Ok(byte[0])
}

fn sync_folder_of(place: &Path) -> io::Result<()> {
    place.parent().map_or(Ok(()), sync_folder)
}

/// A new name is durable only once its folder is.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
