//! The skills of all sources together.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::sync::{Arc, Mutex, PoisonError};

use pm_mcp_domain::skill::{Compatibility, Skill, SkillFilePath, SkillFiles, SkillPath};
use pm_mcp_domain::wire::skill_uri;
use pm_mcp_ports::feature::{HandlerFault, SkillSource};
use tracing::warn;

/// How many different complaints are told to the log; skills that come and go must not fill it.
const COMPLAINTS: usize = 256;

/// How deep a file may stand, counted from the scheme.
const DEEPEST: usize = 32;

/// A skill and where it comes from.
#[derive(Clone, Debug)]
pub(crate) struct Published {
    pub(super) skill: Arc<Skill>,
    pub(super) source: Arc<dyn SkillSource>,
}

/// The skills of all sources together: source by source in the order in which they were added, ordered by path within
/// each. Of two with one path the earlier source's is published.
#[derive(Debug)]
pub(crate) struct Library {
    sources: Vec<Arc<dyn SkillSource>>,
    here: Compatibility,
    told: Mutex<BTreeSet<String>>,
}

impl Library {
    pub(crate) fn new(sources: Vec<Arc<dyn SkillSource>>, here: Compatibility) -> Self {
        Self { sources, here, told: Mutex::default() }
    }

    pub(super) async fn skills(&self) -> Result<Vec<Published>, HandlerFault> {
        let mut paths = BTreeSet::new();
        let mut published = Vec::new();
        for source in &self.sources {
            for skill in source.skills().await? {
                if !self.fits(&skill, source.origin()) {
                    continue;
                }
                match paths.insert(skill.path().clone()) {
                    true => published.push(Published { skill, source: Arc::clone(source) }),
                    false => {
                        self.complain(&skill, source.origin(), &"an earlier source has a skill of this path")
                    }
                }
            }
        }
        Ok(published)
    }

    /// The skill at `path`, listed or not.
    pub(super) async fn skill(&self, path: &SkillPath) -> Result<Option<Published>, HandlerFault> {
        for source in &self.sources {
            if let Some(skill) = source.skill(path).await?
                && self.fits(&skill, source.origin())
            {
                return Ok(Some(Published { skill, source: Arc::clone(source) }));
            }
        }
        Ok(None)
    }

    /// The skill whose `SKILL.md` is at this very URI.
    pub(super) async fn skill_at(&self, uri: &str) -> Result<Option<Published>, HandlerFault> {
        let path = uri.rsplit_once('/').and_then(|(folder, _)| pm_mcp_domain::skill::skill_address(folder));
        let Some(path) = path.and_then(|path| SkillPath::parse(&path).ok()) else { return Ok(None) };
        let found = self.skill(&path).await?;
        Ok(found.filter(|found| skill_uri(&found.skill) == uri))
    }

    /// The bytes of the file at a path below the scheme, and its path in its skill.
    pub(super) async fn file(&self, address: &str) -> Result<Option<(SkillFilePath, Vec<u8>)>, HandlerFault> {
        if address.matches('/').count() > DEEPEST {
            return Ok(None);
        }
        // A file within a nested skill belongs to the skills around it too, and reads the same through each.
        for (end, _) in address.match_indices('/') {
            let (Some(path), Some(file)) = (address.get(..end), address.get(end + 1..)) else { continue };
            let (Ok(path), Ok(file)) = (SkillPath::parse(path), SkillFilePath::parse(file)) else { continue };
            let Some(found) = self.skill(&path).await? else { continue };
            let is_listed = match found.skill.files() {
                SkillFiles::Listed(_) => found.skill.file(file.as_str()).is_some(),
                SkillFiles::Dynamic(_) => true,
            };
            if is_listed && let Some(bytes) = found.source.read(&path, &file).await? {
                return Ok(Some((file, bytes)));
            }
        }
        Ok(None)
    }

    fn fits(&self, skill: &Skill, origin: &str) -> bool {
        match self.here.check(skill) {
            Ok(()) => true,
            Err(fault) => {
                self.complain(skill, origin, &fault);
                false
            }
        }
    }

    /// Tells the operator once of a skill that is not published.
    fn complain(&self, skill: &Skill, origin: &str, reason: &dyn Display) {
        let complaint = format!("{origin} {} {reason}", skill.path());
        // The set is whole between any two statements, so a panic elsewhere does not spoil it.
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.len() < COMPLAINTS && told.insert(complaint) {
            warn!(skill = %skill.path(), origin, %reason, "a skill is not published");
        }
    }
}
