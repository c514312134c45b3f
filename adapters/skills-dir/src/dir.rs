//! Skills of a folder.

use std::collections::BTreeMap;
use std::error::Error as _;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use pm_mcp_domain::skill::{Skill, SkillFilePath, SkillPath};
use pm_mcp_ports::feature::{HandlerFault, SkillSource};
use tracing::warn;

use crate::limits::DirSkillLimits;
use crate::load::load;
use crate::walk::{LeftOut, Stamp, read, walk};

/// The folders of a folder, each a skill named as its folder. Looked at anew whenever they are asked for; files are read
/// and hashed again only when their metadata changed.
///
/// A folder without `SKILL.md` is none, and everything else that is wrong with one leaves it out, with a line in the log
/// when that is first seen: links, special files, names that are no text, front matter that cannot be read or names
/// something else, too much of anything.
#[derive(Clone, Debug)]
pub struct DirSkillSource {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    root: PathBuf,
    within: Option<PathBuf>,
    prefix: Option<String>,
    origin: String,
    limits: DirSkillLimits,
    known: Mutex<BTreeMap<String, Known>>,
}

/// What was found in a folder when it was last read.
#[derive(Debug)]
struct Known {
    found: Result<Vec<(SkillFilePath, Stamp)>, String>,
    /// The skill, or why it is left out.
    outcome: Result<Arc<Skill>, String>,
}

impl DirSkillSource {
    /// The skills in `root`, which need not be there yet.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self {
            inner: Arc::new(Inner {
                root: root.into(),
                within: None,
                prefix: None,
                origin: "workspace".to_owned(),
                limits: DirSkillLimits::default(),
                known: Mutex::default(),
            }),
        }
    }

    /// Publishes nothing unless the folder really lies in this one, whatever links lead to it.
    #[must_use]
    pub fn within(self, boundary: impl Into<PathBuf>) -> Self {
        self.with(|inner| inner.within = Some(boundary.into()))
    }

    /// Puts segments before each skill's name, such as `team/billing`, where several sources have skills of one name.
    #[must_use]
    pub fn prefixed(self, prefix: impl Into<String>) -> Self {
        self.with(|inner| inner.prefix = Some(prefix.into()))
    }

    /// Whose words the skills are, in a word; `workspace` unless told.
    #[must_use]
    pub fn of(self, origin: impl Into<String>) -> Self {
        self.with(|inner| inner.origin = origin.into())
    }

    /// Other limits than the default ones.
    #[must_use]
    pub fn limits(self, limits: DirSkillLimits) -> Self {
        self.with(|inner| inner.limits = limits)
    }

    fn with(self, change: impl FnOnce(&mut Inner)) -> Self {
        let Inner { root, within, prefix, origin, limits, .. } = &*self.inner;
        let mut inner = Inner {
            root: root.clone(),
            within: within.clone(),
            prefix: prefix.clone(),
            origin: origin.clone(),
            limits: *limits,
            known: Mutex::default(),
        };
        change(&mut inner);
        Self { inner: Arc::new(inner) }
    }

    /// The folders that are left out at present, by name, and why.
    ///
    /// # Errors
    ///
    /// When the folder is there and cannot be listed.
    pub async fn left_out(&self) -> Result<Vec<(String, String)>, HandlerFault> {
        self.apart(|inner| {
            inner.scan()?;
            let known = inner.lock();
            Ok(known
                .iter()
                .filter_map(|(name, known)| Some((name.clone(), known.outcome.as_ref().err()?.clone())))
                .collect())
        })
        .await
    }

    /// Works on files where nobody waits for them.
    async fn apart<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Inner) -> Result<T, io::Error> + Send + 'static,
    ) -> Result<T, HandlerFault> {
        let inner = Arc::clone(&self.inner);
        match tokio::task::spawn_blocking(move || work(&inner)).await {
            Ok(done) => done.map_err(HandlerFault::internal),
            Err(failed) => Err(HandlerFault::internal(failed)),
        }
    }
}

impl Inner {
    /// The folder, if it is there and lies where it must.
    fn folder(&self) -> Result<Option<PathBuf>, io::Error> {
        let real = match self.root.canonicalize() {
            Ok(real) => real,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let is_inside = match &self.within {
            None => true,
            Some(boundary) => real.starts_with(boundary.canonicalize()?),
        };
        Ok((is_inside && real.is_dir()).then_some(real))
    }

    /// Every skill that can be published now, ordered by path.
    fn scan(&self) -> Result<Vec<Arc<Skill>>, io::Error> {
        let Some(folder) = self.folder()? else {
            self.lock().clear();
            return Ok(Vec::new());
        };
        let mut names = Vec::new();
        for entry in folder.read_dir()? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if (kind.is_dir() || kind.is_symlink())
                && let Ok(name) = entry.file_name().into_string()
            {
                names.push((name, kind.is_symlink()));
            }
        }
        names.sort();
        self.lock().retain(|known, _| names.iter().any(|(name, _)| name == known));
        let mut skills = Vec::new();
        for (place, (name, is_link)) in names.iter().enumerate() {
            let found = if *is_link {
                Err(LeftOut::Link("the folder".to_owned()))
            } else if place >= self.limits.skills {
                Err(LeftOut::Unreadable {
                    path: "the folder".to_owned(),
                    source: io::Error::other(format!(
                        "it is beyond the limit of {} skills",
                        self.limits.skills
                    )),
                })
            } else {
                walk(&folder.join(name), &self.limits)
            };
            skills.extend(self.settle(&folder, name, found).transpose());
        }
        let mut skills: Vec<Arc<Skill>> = skills.into_iter().filter_map(Result::ok).collect();
        skills.sort_by(|one, other| one.path().cmp(other.path()));
        Ok(skills)
    }

    /// The skill in one folder, read anew if its files changed. `Ok(None)` for a folder that is no skill.
    fn settle(
        &self,
        folder: &Path,
        name: &str,
        found: Result<Vec<(SkillFilePath, Stamp)>, LeftOut>,
    ) -> Result<Option<Arc<Skill>>, String> {
        if let Ok(files) = &found
            && !files.iter().any(|(file, _)| file.as_str() == pm_mcp_domain::skill::SKILL_FILE)
        {
            self.lock().remove(name);
            return Ok(None);
        }
        let found = found.map_err(|reason| line(&reason));
        if let Some(known) = self.lock().get(name)
            && known.found == found
        {
            return known.outcome.clone().map(Some);
        }
        // Read without the lock: of two who do so at once, both come to the same.
        let outcome = match &found {
            Err(reason) => Err(reason.clone()),
            Ok(files) => self
                .path(name)
                .map_err(LeftOut::from)
                .and_then(|path| load(&folder.join(name), path, files, &self.limits))
                .map(Arc::new)
                .map_err(|reason| line(&reason)),
        };
        let mut known = self.lock();
        if let Err(reason) = &outcome
            && known.get(name).is_none_or(|known| known.outcome.as_ref().err() != Some(reason))
        {
            warn!(skill = name, folder = %self.root.display(), reason, "a skill is left out");
        }
        known.insert(name.to_owned(), Known { found, outcome: outcome.clone() });
        drop(known);
        outcome.map(Some)
    }

    fn path(&self, name: &str) -> Result<SkillPath, pm_mcp_domain::skill::PathFault> {
        match &self.prefix {
            None => SkillPath::parse(name),
            Some(prefix) => SkillPath::parse(&format!("{prefix}/{name}")),
        }
    }

    /// The folder of the skill at `path`, and its skill, if there is one.
    fn one(&self, path: &SkillPath) -> Result<Option<(PathBuf, Arc<Skill>)>, io::Error> {
        let is_ours = self.path(path.name()).is_ok_and(|own| own == *path);
        let (true, Some(folder)) = (is_ours, self.folder()?) else { return Ok(None) };
        let place = folder.join(path.name());
        match place.symlink_metadata() {
            Ok(metadata) if metadata.is_dir() => {}
            Ok(_) => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        }
        let settled = self.settle(&folder, path.name(), walk(&place, &self.limits));
        Ok(settled.ok().flatten().map(|skill| (place, skill)))
    }

    fn read(&self, path: &SkillPath, file: &SkillFilePath) -> Result<Option<Vec<u8>>, io::Error> {
        let Some((place, _)) = self.one(path)? else { return Ok(None) };
        let stamp = match self.lock().get(path.name()).map(|known| &known.found) {
            Some(Ok(found)) => found.iter().find(|(known, _)| known == file).map(|(_, stamp)| *stamp),
            Some(Err(_)) | None => None,
        };
        let Some(stamp) = stamp else { return Ok(None) };
        match read(&place, file, stamp) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(LeftOut::Unreadable { source, .. }) if source.kind() != io::ErrorKind::NotFound => {
                Err(source)
            }
            // It changed between two looks: whoever asks again gets the new one.
            Err(_) => Ok(None),
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Known>> {
        // Every change under the lock is one call, so a panic elsewhere does not spoil it.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A reason and its causes in one line.
fn line(reason: &LeftOut) -> String {
    match reason.source() {
        None => reason.to_string(),
        Some(cause) => format!("{reason}: {cause}"),
    }
}

#[async_trait]
impl SkillSource for DirSkillSource {
    fn origin(&self) -> &str {
        &self.inner.origin
    }

    async fn skills(&self) -> Result<Vec<Arc<Skill>>, HandlerFault> {
        self.apart(Inner::scan).await
    }

    async fn skill(&self, path: &SkillPath) -> Result<Option<Arc<Skill>>, HandlerFault> {
        let path = path.clone();
        self.apart(move |inner| Ok(inner.one(&path)?.map(|(_, skill)| skill))).await
    }

    async fn read(&self, skill: &SkillPath, file: &SkillFilePath) -> Result<Option<Vec<u8>>, HandlerFault> {
        let (skill, file) = (skill.clone(), file.clone());
        self.apart(move |inner| inner.read(&skill, &file)).await
    }
}
