//! Whether a folder lies where the operating system does not tell of every change.

use std::path::Path;

/// The kind of file system, if it is one whose changes from elsewhere are not told of.
#[cfg(target_os = "linux")]
pub(crate) fn silent_file_system(folder: &Path) -> Option<&'static str> {
    let kind = rustix::fs::statfs(folder).ok()?.f_type;
    // Numbers of linux/magic.h. The type of the field differs between platforms, and all fit in 32 bits.
    let kind = u64::try_from(kind).ok()? & 0xffff_ffff;
    Some(match kind {
        0x6969 => "NFS",
        0x517b | 0xff53_4d42 | 0xfe53_4d42 => "SMB",
        0x0102_1997 => "9P",
        0x6573_5546 => "FUSE",
        0x5346_414f => "AFS",
        0x00c3_6400 => "Ceph",
        _ => return None,
    })
}

/// Elsewhere nothing is known; the operating system is believed.
#[cfg(not(target_os = "linux"))]
pub(crate) fn silent_file_system(_folder: &Path) -> Option<&'static str> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_local_folder_is_told_of() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(silent_file_system(folder.path()), None);
    }
}
