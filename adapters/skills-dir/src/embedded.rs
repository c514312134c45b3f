//! Skills that a program brings along.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::skill::{
    ContentDigest, PathFault, SKILL_FILE, Skill, SkillFault, SkillFile, SkillFilePath, SkillFiles,
    SkillLimits, SkillPath,
};
use pm_mcp_ports::feature::{HandlerFault, SkillSource};
use thiserror::Error;

use crate::yaml;

/// Why a skill cannot be built in: what has to change in the program.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum EmbedError {
    /// A path breaks the rules.
    #[error("skill {skill:?}: {fault}")]
    Path {
        /// The skill, as it was named.
        skill: String,
        /// What is wrong.
        fault: PathFault,
    },
    /// The skill cannot be published.
    #[error("skill {skill:?}: {fault}")]
    Skill {
        /// The skill, as it was named.
        skill: String,
        /// What is wrong.
        fault: SkillFault,
    },
    /// There is a skill of this path.
    #[error("skill {0:?} is there twice")]
    Twice(String),
}

/// Skills that are part of a program, in memory.
#[derive(Clone, Debug, Default)]
pub struct EmbeddedSkillSource {
    skills: BTreeMap<SkillPath, Embedded>,
}

/// A skill and the bytes of its files.
#[derive(Clone, Debug)]
struct Embedded {
    skill: Arc<Skill>,
    files: BTreeMap<SkillFilePath, Vec<u8>>,
}

impl EmbeddedSkillSource {
    /// No skill yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the skill at `path`, such as `refunds` or `billing/refunds`, with all its files by their paths in it.
    ///
    /// # Errors
    ///
    /// When a path breaks the rules, the skill is there already, or it cannot be published.
    pub fn with(mut self, path: &str, files: &[(&str, &[u8])]) -> Result<Self, EmbedError> {
        let bad_path = |fault| EmbedError::Path { skill: path.to_owned(), fault };
        let bad_skill = |fault| EmbedError::Skill { skill: path.to_owned(), fault };
        let skill_path = SkillPath::parse(path).map_err(bad_path)?;
        let mut listed = Vec::with_capacity(files.len());
        let mut kept = BTreeMap::new();
        let mut front_matter = Err(SkillFault::NoSkillFile);
        for (name, bytes) in files {
            let file = SkillFilePath::parse(name).map_err(bad_path)?;
            let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
            listed.push(SkillFile { path: file.clone(), digest: ContentDigest::of(bytes), size });
            if *name == SKILL_FILE {
                let text = std::str::from_utf8(bytes);
                let no_text = |_| SkillFault::FrontMatter("SKILL.md is no UTF-8 text".to_owned());
                front_matter = text.map_err(no_text).and_then(yaml::read);
            }
            kept.insert(file, bytes.to_vec());
        }
        let front_matter = front_matter.map_err(bad_skill)?;
        let files = SkillFiles::Listed(listed);
        let skill = Skill::new(skill_path.clone(), front_matter, files, &SkillLimits::default());
        let skill = Arc::new(skill.map_err(bad_skill)?);
        match self.skills.insert(skill_path, Embedded { skill, files: kept }) {
            None => Ok(self),
            Some(_) => Err(EmbedError::Twice(path.to_owned())),
        }
    }
}

#[async_trait]
impl SkillSource for EmbeddedSkillSource {
    fn origin(&self) -> &str {
        "server"
    }

    async fn skills(&self) -> Result<Vec<Arc<Skill>>, HandlerFault> {
        Ok(self.skills.values().map(|known| Arc::clone(&known.skill)).collect())
    }

    async fn skill(&self, path: &SkillPath) -> Result<Option<Arc<Skill>>, HandlerFault> {
        Ok(self.skills.get(path).map(|known| Arc::clone(&known.skill)))
    }

    async fn read(&self, skill: &SkillPath, file: &SkillFilePath) -> Result<Option<Vec<u8>>, HandlerFault> {
        Ok(self.skills.get(skill).and_then(|known| known.files.get(file)).cloned())
    }
}
