//! What the file system says about a file without opening it.

use std::{fs::Metadata, time::UNIX_EPOCH};

/// Size, times and identity of a file. Equal stamps mean, but for writes within one tick of the file system's clock,
/// equal content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(crate) bytes: u64,
    pub(crate) modified_ms: i64,
    fine: (i64, i64, u64),
}

impl Stamp {
    pub(crate) fn of(metadata: &Metadata) -> Self {
        let modified_ms = metadata.modified().ok().map_or(0, |time| match time.duration_since(UNIX_EPOCH) {
            Ok(after) => i64::try_from(after.as_millis()).unwrap_or(i64::MAX),
            Err(before) => i64::try_from(before.duration().as_millis()).map_or(i64::MIN, |ms| -ms),
        });
        Self { bytes: metadata.len(), modified_ms, fine: fine(metadata) }
    }
}

#[cfg(unix)]
fn fine(metadata: &Metadata) -> (i64, i64, u64) {
    use std::os::unix::fs::MetadataExt as _;
    (
        metadata.mtime_nsec(),
        metadata.ctime().wrapping_mul(1_000_000_000).wrapping_add(metadata.ctime_nsec()),
        metadata.ino(),
    )
}

#[cfg(not(unix))]
fn fine(_metadata: &Metadata) -> (i64, i64, u64) {
    (0, 0, 0)
}
