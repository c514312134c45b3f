//! Skills for [`SkillSource`](pm_mcp_ports::feature::SkillSource).
//!
//! [`DirSkillSource`] publishes the folders of a folder, such as `.agents/skills` of a repository, as they are at the
//! moment; [`EmbeddedSkillSource`] those that a program brings along.
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use pm_mcp_skills_dir::{DirSkillSource, EmbeddedSkillSource};
//!
//! let of_repository = DirSkillSource::new("/srv/project/.agents/skills").within("/srv/project");
//! let of_program = EmbeddedSkillSource::new()
//!     .with("greeter/greet-politely", &[("SKILL.md", b"---\nname: greet-politely\ndescription: How to greet.\n---\n")])?;
//! # let _ = (of_repository, of_program);
//! # Ok(())
//! # }
//! ```

mod dir;
mod embedded;
mod limits;
mod load;
mod walk;
mod yaml;

pub use dir::DirSkillSource;
pub use embedded::{EmbedError, EmbeddedSkillSource};
pub use limits::DirSkillLimits;
