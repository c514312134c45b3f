//! Skills: guides that a server publishes, each a folder of files with a `SKILL.md`
//! (extension `io.modelcontextprotocol/skills`, "Skill Format" and "Skill Entries").
//!
//! | Part | Decides |
//! |---|---|
//! | [`SkillPath`], [`SkillFilePath`] | where a skill and its files stand, and their URIs |
//! | [`front_matter`] | which part of a `SKILL.md` describes it |
//! | [`Skill`] | what a skill must say of itself, and how large it may be |
//! | [`Compatibility`] | whether a skill was written for this server |

mod compatibility;
mod digest;
mod entry;
mod fault;
mod front_matter;
mod path;

pub use compatibility::Compatibility;
pub use digest::ContentDigest;
pub use entry::{SKILL_FILE, Skill, SkillFile, SkillFiles, SkillLimits};
pub use fault::SkillFault;
pub use front_matter::front_matter;
pub use path::{PathFault, SkillFilePath, SkillPath, skill_address};
