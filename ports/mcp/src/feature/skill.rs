//! Skills.

use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::skill::{Skill, SkillFilePath, SkillPath};

use super::fault::HandlerFault;

/// Where skills come from: a folder, the program itself, whatever a host has.
///
/// # Laws
///
/// - SK-01: [`skills`](Self::skills) gives each skill once, ordered by path.
/// - SK-02: [`skill`](Self::skill) finds every skill that is listed, and may find more.
/// - SK-03: a file that a found skill lists reads as bytes of the listed digest and size, until the skill changes; what no
///   skill lists reads as nothing, unless the skill is dynamic.
/// - SK-04: one bad skill takes nothing away from the others: it is left out, and the operator hears why.
/// - SK-05: loading one skill reads the files of that skill alone.
/// - SK-06: what is read at once is bounded, and nothing is read from outside the source.
///
/// Each method may be called any number of times at once.
#[async_trait]
pub trait SkillSource: Debug + Send + Sync + 'static {
    /// Whose words the skills are, in a word for the reader of an entry: `server` for what the program brings along,
    /// `workspace` for what a repository holds. It is no mark of trust.
    fn origin(&self) -> &str;

    /// The skills that can be listed.
    ///
    /// # Errors
    ///
    /// When the source cannot be read at all.
    async fn skills(&self) -> Result<Vec<Arc<Skill>>, HandlerFault>;

    /// The skill at `path`, if there is one.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    async fn skill(&self, path: &SkillPath) -> Result<Option<Arc<Skill>>, HandlerFault>;

    /// The bytes of one file of a skill, if the skill has it.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    async fn read(&self, skill: &SkillPath, file: &SkillFilePath) -> Result<Option<Vec<u8>>, HandlerFault>;
}

#[async_trait]
#[deny(clippy::missing_trait_methods, reason = "a pointer answers what its target answers")]
impl<T: SkillSource + ?Sized> SkillSource for Arc<T> {
    fn origin(&self) -> &str {
        T::origin(self)
    }

    async fn skills(&self) -> Result<Vec<Arc<Skill>>, HandlerFault> {
        T::skills(self).await
    }

    async fn skill(&self, path: &SkillPath) -> Result<Option<Arc<Skill>>, HandlerFault> {
        T::skill(self, path).await
    }

    async fn read(&self, skill: &SkillPath, file: &SkillFilePath) -> Result<Option<Vec<u8>>, HandlerFault> {
        T::read(self, skill, file).await
    }
}
