//! Looking through the whole folder.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

use tracing::warn;

use crate::fault::Fault;
use crate::header::{self, Header, HeaderFault, Owner};
use crate::index::Index;
use crate::key::Key;
use crate::revisions::{block_of, block_of_file, block_of_temporary};

/// What the folder holds.
#[derive(Default, Debug)]
pub(crate) struct Scan {
    pub(crate) index: Index,
    /// The highest block among the revisions of records.
    pub(crate) block: u64,
}

/// Reads the header of every record. What is no record, or cannot be read, is told and left alone.
pub(crate) fn scan(folder: &Path) -> Result<Scan, Fault> {
    let mut scan = Scan::default();
    let mut strays = Vec::new();
    for name in names(folder)? {
        let Some(key) = Key::of_file_name(&name) else {
            if !is_own(&name) {
                strays.push(name);
            }
            continue;
        };
        match read_owned(folder, key) {
            Ok(None) => {}
            Ok(Some((header, owner))) => {
                scan.block = scan.block.max(block_of(header.revision));
                scan.index.put(key, Some((header.columns, owner)));
            }
            Err(fault) => warn!(%fault, "a task record is passed over and left where it is"),
        }
    }
    if let Some(first) = strays.first() {
        warn!(
            folder = %folder.display(),
            count = strays.len(),
            first,
            "the task folder holds files that are not its own; they are left where they are"
        );
    }
    Ok(scan)
}

/// The names of all files. Those that are not text are no name of this store's.
pub(crate) fn names(folder: &Path) -> Result<impl Iterator<Item = String>, Fault> {
    let entries = fs::read_dir(folder)
        .and_then(Iterator::collect::<io::Result<Vec<_>>>)
        .map_err(Fault::io("listing", folder))?;
    Ok(entries.into_iter().map(|entry| entry.file_name().to_string_lossy().into_owned()))
}

/// Hidden files are another tool's business, such as the `.gitignore` of a host.
fn is_own(name: &str) -> bool {
    name.starts_with('.')
        || ["lock", "changes"].contains(&name)
        || block_of_file(name).is_some()
        || block_of_temporary(name).is_some()
}

/// The header of a record; `None` when there is no record.
pub(crate) fn read_header(folder: &Path, key: Key) -> Result<Option<Header>, Fault> {
    read(folder, key, |_, _| Ok(())).map(|found| found.map(|(header, ())| header))
}

/// The header of a record and whose it is; `None` when there is no record. The name is not compared with its digest, which
/// counts the body in.
pub(crate) fn read_owned(folder: &Path, key: Key) -> Result<Option<(Header, Owner)>, Fault> {
    read(folder, key, |file, header| {
        let mut name = Vec::new();
        file.take(u64::from(header.principal)).read_to_end(&mut name)?;
        Ok(Owner::named(&name))
    })
}

fn read<T>(
    folder: &Path,
    key: Key,
    rest: impl FnOnce(&mut File, &Header) -> io::Result<T>,
) -> Result<Option<(Header, T)>, Fault> {
    let path = folder.join(key.file_name());
    let damaged = || Fault::Record { path: path.clone(), fault: HeaderFault::Damaged };
    let failed = |fault: io::Error| match fault.kind() {
        io::ErrorKind::UnexpectedEof => damaged(),
        _ => Fault::io("reading", &path)(fault),
    };
    let mut bytes = [0; header::LENGTH];
    let mut file = match File::open(&path) {
        Ok(file) => file,
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(fault) => return Err(failed(fault)),
    };
    let length = file.metadata().map_err(failed)?.len();
    file.read_exact(&mut bytes).map_err(failed)?;
    match Header::read(&bytes, length) {
        Ok(header) if header.key == key => Ok(Some((header, rest(&mut file, &header).map_err(failed)?))),
        Ok(_) => Err(damaged()),
        Err(fault) => Err(Fault::Record { path, fault }),
    }
}
