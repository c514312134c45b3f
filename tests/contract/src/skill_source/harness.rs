//! How the kit gets at a source of skills, and at what lies in it.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::skill::{SkillFilePath, SkillPath};
use pm_mcp_ports::feature::SkillSource;

use crate::harness::HarnessError;

/// Makes every skill of a source unreadable, except the one at this path.
pub type SpoilOthers = Box<dyn Fn(&SkillPath) + Send + Sync>;

/// What lies in a source.
pub struct SampleSkills {
    /// The skills that are listed, in any order; two or more, none of them dynamic.
    pub listed: Vec<SkillPath>,
    /// Skills that lie beside them and cannot be published; empty where a source cannot come to have any.
    pub bad: Vec<SkillPath>,
    /// Skills that would be good if they were not larger than the source reads at once.
    pub too_large: Vec<SkillPath>,
    /// Files that only a way out of the source leads to, such as a link, by the skill in which the way begins.
    pub outside: Vec<(SkillPath, SkillFilePath)>,
    /// Spoils skills, where that can come about.
    pub spoil_others: Option<SpoilOthers>,
}

impl fmt::Debug for SampleSkills {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SampleSkills").field("listed", &self.listed).finish_non_exhaustive()
    }
}

/// Makes sources of skills to try.
#[async_trait]
pub trait SkillSourceHarness: Send + Sync + 'static {
    /// What a fresh source stands on, such as a folder; dropping it cleans up.
    type Guard: Send + 'static;

    /// A source that was not asked yet, and what lies in it.
    ///
    /// # Errors
    ///
    /// Whatever keeps it from being made; the test fails with it.
    async fn fresh(&self) -> Result<(Arc<dyn SkillSource>, SampleSkills, Self::Guard), HarnessError>;
}

/// A fresh source and what lies in it.
pub struct FreshSkills {
    pub(super) source: Arc<dyn SkillSource>,
    pub(super) samples: SampleSkills,
    _place: Box<dyn Any + Send>,
}

impl FreshSkills {
    /// A fresh source of a harness.
    ///
    /// # Errors
    ///
    /// What the harness says, and when it names fewer than two skills.
    pub async fn of<H: SkillSourceHarness>(harness: H) -> Result<Self, HarnessError> {
        let (source, samples, place) = harness.fresh().await?;
        if samples.listed.len() < 2 {
            return Err("the harness has to name two skills that are listed, or more".into());
        }
        Ok(Self { source, samples, _place: Box::new(place) })
    }
}

impl fmt::Debug for FreshSkills {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FreshSkills").field("samples", &self.samples).finish_non_exhaustive()
    }
}

pub(super) fn skipped_without_bad(fresh: &FreshSkills) -> Option<&'static str> {
    fresh.samples.bad.is_empty().then_some("the harness says that no bad skill can come into the source")
}

pub(super) fn skipped_unless_spoiled(fresh: &FreshSkills) -> Option<&'static str> {
    fresh.samples.spoil_others.is_none().then_some("the harness says that skills cannot be spoiled")
}

pub(super) fn skipped_without_large(fresh: &FreshSkills) -> Option<&'static str> {
    fresh.samples.too_large.is_empty().then_some("the harness says that no skill can be too large")
}

pub(super) fn skipped_without_outside(fresh: &FreshSkills) -> Option<&'static str> {
    fresh.samples.outside.is_empty().then_some("the harness says that no way leads out of the source")
}
