//! How much is read of a folder of skills.

use pm_mcp_domain::skill::SkillLimits;

/// How much is read of a folder of skills. What goes beyond is left out, and the log says so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DirSkillLimits {
    /// How many skills there may be.
    pub skills: usize,
    /// Files and bytes of one skill.
    pub skill: SkillLimits,
    /// How many bytes a `SKILL.md` may have: a model reads it as a whole.
    pub skill_file_bytes: u64,
    /// How many folders may stand within one another in a skill.
    pub depth: usize,
}

impl Default for DirSkillLimits {
    /// 100 skills, each as large as every client has to take, a `SKILL.md` of 256 KiB, 16 folders deep.
    fn default() -> Self {
        Self { skills: 100, skill: SkillLimits::default(), skill_file_bytes: 256 << 10, depth: 16 }
    }
}
