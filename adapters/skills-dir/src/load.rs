//! From a folder to a skill.

use std::path::Path;

use pm_mcp_domain::skill::{
    ContentDigest, SKILL_FILE, Skill, SkillFault, SkillFile, SkillFilePath, SkillFiles, SkillPath,
};

use crate::limits::DirSkillLimits;
use crate::walk::{LeftOut, Stamp, read};
use crate::yaml;

/// Reads the files that were found, one after the other, and makes a skill of them.
pub(crate) fn load(
    folder: &Path,
    path: SkillPath,
    found: &[(SkillFilePath, Stamp)],
    limits: &DirSkillLimits,
) -> Result<Skill, LeftOut> {
    let Some((_, main)) = found.iter().find(|(file, _)| file.as_str() == SKILL_FILE) else {
        return Err(SkillFault::NoSkillFile.into());
    };
    if main.size > limits.skill_file_bytes {
        return Err(LeftOut::LargeSkillFile { limit: limits.skill_file_bytes });
    }
    let mut front_matter = None;
    let mut files = Vec::with_capacity(found.len());
    for (file, stamp) in found {
        let bytes = read(folder, file, *stamp)?;
        files.push(SkillFile { path: file.clone(), digest: ContentDigest::of(&bytes), size: stamp.size });
        if file.as_str() == SKILL_FILE {
            let text = String::from_utf8(bytes);
            let text = text.map_err(|_| SkillFault::FrontMatter("SKILL.md is no UTF-8 text".to_owned()))?;
            front_matter = Some(yaml::read(&text)?);
        }
    }
    let front_matter = front_matter.ok_or(SkillFault::NoSkillFile)?;
    Ok(Skill::new(path, front_matter, SkillFiles::Listed(files), &limits.skill)?)
}
