//! What files a folder holds, from metadata alone.

use std::fs::{self, File, Metadata};
use std::io::{self, Read as _};
use std::path::Path;
use std::time::SystemTime;

use pm_mcp_domain::skill::{PathFault, SkillFault, SkillFilePath};
use thiserror::Error;

use crate::limits::DirSkillLimits;

/// Why a skill of a folder is left out.
#[derive(Debug, Error)]
pub(crate) enum LeftOut {
    #[error("{0} is a link; put the file itself there")]
    Link(String),
    #[error("{0} is neither a file nor a folder")]
    Special(String),
    #[error("folders stand deeper than {limit} within one another")]
    TooDeep { limit: usize },
    #[error("SKILL.md has more than {limit} bytes")]
    LargeSkillFile { limit: u64 },
    #[error("{0} changed while it was read")]
    Changed(String),
    #[error("a name in it is no text")]
    Name,
    #[error("{path} cannot be read")]
    Unreadable { path: String, source: io::Error },
    #[error(transparent)]
    Path(#[from] PathFault),
    #[error(transparent)]
    Skill(#[from] SkillFault),
}

/// What tells, without reading it, whether a file is still the one that was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stamp {
    pub(crate) size: u64,
    modified: Option<SystemTime>,
    identity: [i64; 4],
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        Self { size: metadata.len(), modified: metadata.modified().ok(), identity: identity(metadata) }
    }
}

/// Device, number and change time of a file, where the system has them.
#[cfg(unix)]
fn identity(metadata: &Metadata) -> [i64; 4] {
    use std::os::unix::fs::MetadataExt as _;
    let number = |value: u64| i64::from_ne_bytes(value.to_ne_bytes());
    [number(metadata.dev()), number(metadata.ino()), metadata.ctime(), metadata.ctime_nsec()]
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> [i64; 4] {
    [0; 4]
}

/// Every file below `folder`, ordered by path. Links and special files are refused, and so is what goes beyond the
/// limits, before anything is read.
pub(crate) fn walk(folder: &Path, limits: &DirSkillLimits) -> Result<Vec<(SkillFilePath, Stamp)>, LeftOut> {
    let mut found = Vec::new();
    let mut open = vec![(folder.to_owned(), String::new(), 0usize)];
    let mut bytes = 0u64;
    while let Some((place, prefix, depth)) = open.pop() {
        let unreadable = |source| LeftOut::Unreadable { path: shown(&prefix), source };
        for entry in fs::read_dir(&place).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let name = entry.file_name().into_string().map_err(|_| LeftOut::Name)?;
            let path = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
            // Of the entry itself: a link is never followed.
            let metadata =
                entry.metadata().map_err(|source| LeftOut::Unreadable { path: path.clone(), source })?;
            let kind = metadata.file_type();
            if kind.is_symlink() {
                return Err(LeftOut::Link(path));
            } else if kind.is_dir() {
                if depth >= limits.depth {
                    return Err(LeftOut::TooDeep { limit: limits.depth });
                }
                open.push((entry.path(), path, depth + 1));
            } else if kind.is_file() {
                bytes = bytes.saturating_add(metadata.len());
                found.push((SkillFilePath::parse(&path)?, Stamp::of(&metadata)));
            } else {
                return Err(LeftOut::Special(path));
            }
            // Open folders count too, so that a tree of empty ones ends as well.
            if found.len() + open.len() > limits.skill.files {
                return Err(SkillFault::TooManyFiles { limit: limits.skill.files }.into());
            }
            if bytes > limits.skill.bytes {
                return Err(SkillFault::TooLarge { limit: limits.skill.bytes }.into());
            }
        }
    }
    found.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(found)
}

/// Reads a file that was found, if it is still the one that was found.
pub(crate) fn read(folder: &Path, path: &SkillFilePath, stamp: Stamp) -> Result<Vec<u8>, LeftOut> {
    let name = path.as_str();
    let unreadable = |source| LeftOut::Unreadable { path: name.to_owned(), source };
    let place = folder.join(name);
    // A link that took the file's place would be followed by opening it; what was opened is compared with what was found.
    if fs::symlink_metadata(&place).map_err(unreadable)?.file_type().is_symlink() {
        return Err(LeftOut::Link(name.to_owned()));
    }
    let mut file = File::open(&place).map_err(unreadable)?;
    if Stamp::of(&file.metadata().map_err(unreadable)?) != stamp {
        return Err(LeftOut::Changed(name.to_owned()));
    }
    let mut bytes = Vec::new();
    let most = stamp.size.saturating_add(1);
    file.by_ref().take(most).read_to_end(&mut bytes).map_err(unreadable)?;
    match u64::try_from(bytes.len()) == Ok(stamp.size) {
        true => Ok(bytes),
        false => Err(LeftOut::Changed(name.to_owned())),
    }
}

fn shown(prefix: &str) -> String {
    if prefix.is_empty() { "the folder".to_owned() } else { prefix.to_owned() }
}
