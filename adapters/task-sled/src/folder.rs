//! The folder of a database: its lock, its parts, and what a killed process leaves in it.
//!
//! | Name | What |
//! |---|---|
//! | `lock` | held for as long as the database is open |
//! | `sled` | sled's own folder |
//! | `sled.new` | one that is being made |
//! | `large` | bodies over 8 KiB |

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::fault::OpenError;
use crate::keys;
use crate::options::SledOptions;

/// The number of the form of the whole database.
const FORMAT: u64 = 1;
/// Segments so long that no leaf of [`LONGEST_BESIDE`](crate::envelope::LONGEST_BESIDE) values and no page of the longest
/// keys spills into a file of sled's, which it never syncs: that begins at a quarter of a segment. Not longer, because each
/// opening reads a segment and writes it anew to its end.
const SEGMENT_BYTES: usize = 1 << 20;
/// What segments were before. A database keeps those that it was made with.
const LONGER_SEGMENT_BYTES: [usize; 2] = [2 << 20, 8 << 20];
/// A process that ends keeps its locks for a moment.
const TRIES: u32 = 50;
const PAUSE: Duration = Duration::from_millis(20);

/// An open folder. The fields are dropped in this order: the lock goes last.
#[derive(Debug)]
pub(crate) struct OpenFolder {
    pub(crate) db: sled::Db,
    /// A second handle of sled's log, by which it is synced.
    pub(crate) log: File,
    pub(crate) large: PathBuf,
    pub(crate) lock: File,
}

/// Opens a folder, and makes it when it is not there.
pub(crate) fn open(folder: &Path, options: &SledOptions) -> Result<OpenFolder, OpenError> {
    make(folder)?;
    let lock = lock(folder)?;
    let (place, large) = (folder.join("sled"), folder.join("large"));
    make(&large)?;
    if !place.try_exists().map_err(failed("looking for", &place))? {
        create(folder, &place, options)?;
    }
    remove_parts_of_snapshots(&place)?;
    let mut opened = open_sled(folder, &place, options, SEGMENT_BYTES);
    for segment_bytes in LONGER_SEGMENT_BYTES {
        if matches!(opened, Err(OpenError::Sled { source: sled::Error::Unsupported(_), .. })) {
            opened = open_sled(folder, &place, options, segment_bytes);
        }
    }
    let db = opened?;
    // sled has made its snapshot, if any, and renamed it: the name has to be on the disk too.
    for part in [&place, &large, folder] {
        sync_folder(part).map_err(failed("syncing", part))?;
    }
    check(folder, &db)?;
    let log = place.join("db");
    let log = OpenOptions::new().read(true).write(true).open(&log).map_err(failed("opening", &log))?;
    Ok(OpenFolder { db, log, large, lock })
}

/// Makes the names in a folder durable.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Makes a whole database beside its place and renames it, so that one whose making was broken off is never opened.
fn create(folder: &Path, place: &Path, options: &SledOptions) -> Result<(), OpenError> {
    let beside = folder.join("sled.new");
    match fs::remove_dir_all(&beside) {
        Ok(()) => {}
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => {}
        Err(fault) => return Err(failed("removing", &beside)(fault)),
    }
    make(&beside)?;
    let sled = |source| OpenError::Sled { folder: folder.to_owned(), source };
    let db = open_sled(folder, &beside, options, SEGMENT_BYTES)?;
    db.insert(keys::FORMAT, &FORMAT.to_be_bytes()).map_err(sled)?;
    db.flush().map_err(sled)?;
    drop(db);
    for name in ["conf", "db"] {
        let file = beside.join(name);
        File::open(&file).and_then(|file| file.sync_all()).map_err(failed("syncing", &file))?;
    }
    sync_folder(&beside).map_err(failed("syncing", &beside))?;
    fs::rename(&beside, place).map_err(failed("renaming", &beside))?;
    sync_folder(folder).map_err(failed("syncing", folder))
}

/// Opens sled, and waits a while for another opener to let go.
fn open_sled(
    folder: &Path,
    place: &Path,
    options: &SledOptions,
    segment_bytes: usize,
) -> Result<sled::Db, OpenError> {
    let config = sled::Config::new()
        .path(place)
        .segment_size(segment_bytes)
        .cache_capacity(options.cache.max(1 << 20))
        .flush_every_ms(None);
    for _ in 0..TRIES {
        match config.open() {
            Ok(db) => return Ok(db),
            Err(sled::Error::Io(fault)) if fault.to_string().contains("could not acquire lock") => {
                thread::sleep(PAUSE);
            }
            Err(source) => return Err(OpenError::Sled { folder: folder.to_owned(), source }),
        }
    }
    Err(OpenError::HeldElsewhere { folder: folder.to_owned() })
}

fn lock(folder: &Path) -> Result<File, OpenError> {
    let path = folder.join("lock");
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
    let file = file.map_err(failed("opening", &path))?;
    for _ in 0..TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
            Err(TryLockError::Error(fault)) => return Err(failed("locking", &path)(fault)),
        }
    }
    Err(OpenError::HeldElsewhere { folder: folder.to_owned() })
}

/// sled reads a part of a snapshot as the newest snapshot, and then opens no more.
fn remove_parts_of_snapshots(place: &Path) -> Result<(), OpenError> {
    for entry in fs::read_dir(place).map_err(failed("listing", place))? {
        let path = entry.map_err(failed("listing", place))?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.starts_with("snap.") && name.ends_with(".generating") {
            fs::remove_file(&path).map_err(failed("removing", &path))?;
        }
    }
    Ok(())
}

fn check(folder: &Path, db: &sled::Db) -> Result<(), OpenError> {
    let sled = |source| OpenError::Sled { folder: folder.to_owned(), source };
    let format = db.get(keys::FORMAT).map_err(sled)?;
    let found = format.and_then(|bytes| bytes.as_ref().try_into().ok()).map_or(0, u64::from_be_bytes);
    if found != FORMAT {
        return Err(OpenError::NewerFormat { folder: folder.to_owned(), found });
    }
    if db.contains_key(keys::IMPORTING).map_err(sled)? {
        return Err(OpenError::HalfImported { folder: folder.to_owned() });
    }
    Ok(())
}

/// Makes a folder that only its owner reads, and makes its name durable.
fn make(folder: &Path) -> Result<(), OpenError> {
    if folder.is_dir() {
        return Ok(());
    }
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(failed("making", folder))?;
    match folder.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        Some(parent) => sync_folder(parent).map_err(failed("syncing", parent)),
        None => Ok(()),
    }
}

fn failed(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> OpenError {
    let path = path.to_owned();
    move |source| OpenError::Io { doing, path, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_that_was_made_with_longer_segments_keeps_them() {
        for segment_bytes in LONGER_SEGMENT_BYTES {
            let folder = tempfile::tempdir().unwrap();
            let (place, options) = (folder.path().join("sled"), SledOptions::default());
            make(&place).unwrap();
            let db = open_sled(folder.path(), &place, &options, segment_bytes).unwrap();
            db.insert(keys::FORMAT, &FORMAT.to_be_bytes()).unwrap();
            db.insert(b"key", b"value").unwrap();
            drop(db);
            for _ in 0..2 {
                let open = open(folder.path(), &options).unwrap();
                assert_eq!(open.db.get(b"key").unwrap().unwrap(), b"value");
            }
            let kept = fs::read(place.join("conf")).unwrap();
            assert!(String::from_utf8_lossy(&kept).contains(&format!("segment_size: {segment_bytes}")));
        }
    }
}
