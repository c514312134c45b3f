//! Where a lock reaches.

use std::fs;
use std::io;
use std::path::Path;

/// Names the kernel and the file system: locks of files with the same name of both exclude each other.
///
/// Process numbers and host names are no part of it, since containers have their own and share the kernel's locks.
pub(crate) fn reach(folder: &Path) -> io::Result<String> {
    let kernel = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    Ok(format!("{} {}\n", kernel.trim(), file_system(folder)?))
}

#[cfg(unix)]
fn file_system(folder: &Path) -> io::Result<u64> {
    fs::metadata(folder).map(|found| std::os::unix::fs::MetadataExt::dev(&found))
}

#[cfg(not(unix))]
fn file_system(folder: &Path) -> io::Result<u64> {
    fs::metadata(folder).map(|_| 0)
}
