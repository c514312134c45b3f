//! A file system that is soon full.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A file system in memory of a few mebibytes, mounted for as long as this lives: for tests of what a store does when the
/// disk is full. It needs Linux and the right to mount.
///
/// ```no_run
/// # use pm_mcp_contract::SmallDisk;
/// # fn test(place: &std::path::Path) {
/// let disk = match SmallDisk::mount(place, 4 << 20) {
///     Ok(disk) => disk,
///     Err(why) => return eprintln!("SKIPPED a full disk: {why}"),
/// };
/// // ... fill it, see what is refused, and then:
/// disk.resize(8 << 20).unwrap();
/// # }
/// ```
#[derive(Debug)]
pub struct SmallDisk(PathBuf);

impl SmallDisk {
    /// Mounts one of this many bytes at a folder that is there.
    ///
    /// # Errors
    ///
    /// Why it cannot be mounted, for the test to say that it is skipped.
    pub fn mount(at: &Path, bytes: u64) -> Result<Self, String> {
        run(&["-t", "tmpfs", "-o", &format!("size={bytes}"), "tmpfs"], at)?;
        Ok(Self(at.to_owned()))
    }

    /// Gives it this many bytes from now on.
    ///
    /// # Errors
    ///
    /// Why the system refuses.
    pub fn resize(&self, bytes: u64) -> Result<(), String> {
        run(&["-o", &format!("remount,size={bytes}")], &self.0)
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily, as files may still be open; a mount that stays is seen by whoever looks at the machine.
        drop(Command::new("umount").arg("-l").arg(&self.0).output());
    }
}

fn run(options: &[&str], at: &Path) -> Result<(), String> {
    match Command::new("mount").args(options).arg(at).output() {
        Ok(done) if done.status.success() => Ok(()),
        Ok(done) => Err(format!(
            "no small file system can be mounted: {}",
            String::from_utf8_lossy(&done.stderr).trim()
        )),
        Err(fault) => Err(format!("no small file system can be mounted: mount: {fault}")),
    }
}
