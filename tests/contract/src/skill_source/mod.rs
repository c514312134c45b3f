//! The laws of the port [`SkillSource`](pm_mcp_ports::feature::SkillSource).
//!
//! That the operator hears why a skill is left out (SK-04) is not tried: each source has its own way to say so.

mod harness;
mod laws;
mod table;

pub use harness::{FreshSkills, SampleSkills, SkillSourceHarness, SpoilOthers};
pub use table::{LAWS, hold};
