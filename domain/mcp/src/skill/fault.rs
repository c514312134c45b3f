//! Why a skill is not published.

use alloc::string::String;

use thiserror::Error;

/// Why a skill is not published: what its author has to change.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SkillFault {
    /// There is no `SKILL.md` in its folder.
    #[error("there is no SKILL.md")]
    NoSkillFile,
    /// `SKILL.md` does not begin with front matter between two lines of three hyphens.
    #[error("SKILL.md must begin with YAML front matter between two lines of ---")]
    NoFrontMatter,
    /// The front matter is no YAML mapping that JSON can hold.
    #[error("the front matter cannot be read: {0}")]
    FrontMatter(String),
    /// A member of the front matter is missing or of no use.
    #[error("{member} in the front matter must be {wanted}")]
    Member {
        /// The member's name.
        member: &'static str,
        /// What it must be, in words.
        wanted: &'static str,
    },
    /// The name differs from the folder's.
    #[error("name in the front matter is {name:?}, and the folder is {folder:?}: they must be the same")]
    NameMismatch {
        /// The name in the front matter.
        name: String,
        /// The name of the folder.
        folder: String,
    },
    /// A file is listed twice.
    #[error("file {0:?} is there twice")]
    Twice(String),
    /// There are more files than any client has to take.
    #[error("the skill has more than {limit} files")]
    TooManyFiles {
        /// How many there may be.
        limit: usize,
    },
    /// The files are larger than any client has to take.
    #[error("the files of the skill have more than {limit} bytes in all")]
    TooLarge {
        /// How many bytes there may be.
        limit: u64,
    },
    /// The skill was written for something else.
    #[error("the skill is for {key} {wanted}, and this is {found}")]
    Incompatible {
        /// What it names in its metadata.
        key: String,
        /// What it was written for.
        wanted: String,
        /// What serves it.
        found: String,
    },
}
