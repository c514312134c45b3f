//! The configured workspaces.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pm_tracker_domain::check::KeyFacts;
use pm_tracker_ports::{CommandRunner, WorkspaceRepository, WorkspaceWriter};
use thiserror::Error;

use crate::failure::Failure;
use crate::workspace::Workspace;
use crate::writing::{AuthorRules, Confirmation};

/// Longest name of a workspace, in bytes; it travels in a header and in URIs.
const NAME_MAX: usize = 64;

/// How long an operation may take in the foreground unless told.
const FOREGROUND_LIMIT: Duration = Duration::from_secs(60);

/// Why workspaces cannot be served together: what the operator has to change.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TrackerError {
    /// There is none.
    #[error("no workspace is configured; name one")]
    NoWorkspace,
    /// A name that cannot be used in URIs and headers.
    #[error("`{name}` cannot name a workspace; use 1 to {NAME_MAX} of the characters A-Z a-z 0-9 . _ -")]
    UnusableName {
        /// The name.
        name: String,
    },
    /// Two workspaces have one name.
    #[error("two workspaces are named `{name}`; give each its own name")]
    NameTwice {
        /// The name.
        name: String,
    },
}

/// The configured workspaces by name; the first is the default.
#[derive(Debug)]
pub struct Tracker {
    default: Arc<Workspace>,
    others: Vec<Arc<Workspace>>,
    keys: KeyFacts,
    foreground_limit: Duration,
    /// The names of the prompts that stand for skills.
    skill_prompts: Mutex<Vec<String>>,
    author_rules: AuthorRules,
    confirmation: Confirmation,
}

impl Tracker {
    /// Serves these workspaces.
    ///
    /// # Errors
    ///
    /// When there is none, or when names cannot be used or tell workspaces apart.
    pub fn new(
        workspaces: impl IntoIterator<Item = (String, Arc<dyn WorkspaceRepository>)>,
    ) -> Result<Self, TrackerError> {
        let mut named: Vec<Arc<Workspace>> = Vec::new();
        for (name, repository) in workspaces {
            if !is_usable(&name) {
                return Err(TrackerError::UnusableName { name });
            }
            if named.iter().any(|known| known.name() == name) {
                return Err(TrackerError::NameTwice { name });
            }
            named.push(Arc::new(Workspace::new(name, repository)));
        }
        let mut named = named.into_iter();
        let default = named.next().ok_or(TrackerError::NoWorkspace)?;
        let keys = KeyFacts {
            continuation_is_process_local: false,
            cursor_is_process_local: true,
            clients_outlive_process: false,
        };
        Ok(Self {
            default,
            others: named.collect(),
            keys,
            foreground_limit: FOREGROUND_LIMIT,
            skill_prompts: Mutex::default(),
            author_rules: AuthorRules::default(),
            confirmation: Confirmation::default(),
        })
    }

    /// Says what `pm_health` tells of the server's keys; without it, the cursor key counts as process-local.
    #[must_use]
    pub const fn with_keys(mut self, keys: KeyFacts) -> Self {
        self.keys = keys;
        self
    }

    /// How long an operation may take whose caller does not know tasks; a minute unless told.
    #[must_use]
    pub const fn with_foreground_limit(mut self, limit: Duration) -> Self {
        self.foreground_limit = limit;
        self
    }

    /// Lets workspaces be changed. Names that are not configured are passed over; a workspace without a writer is read
    /// only.
    #[must_use]
    pub fn with_writers(self, writers: impl IntoIterator<Item = (String, Arc<dyn WorkspaceWriter>)>) -> Self {
        for (name, writer) in writers {
            if let Some(workspace) = self.workspaces().find(|known| known.name() == name) {
                workspace.written_by(writer);
            }
        }
        self
    }

    /// Lets linked commands be run. Names that are not configured are passed over; without a runner, nothing is run.
    #[must_use]
    pub fn with_runners(self, runners: impl IntoIterator<Item = (String, Arc<dyn CommandRunner>)>) -> Self {
        for (name, runner) in runners {
            if let Some(workspace) = self.workspaces().find(|known| known.name() == name) {
                workspace.commands_run_by(runner);
            }
        }
        self
    }

    /// Where authors come from if neither the call nor a token names one.
    #[must_use]
    pub fn with_authors(mut self, rules: AuthorRules) -> Self {
        self.author_rules = rules;
        self
    }

    /// When batches are shown to the user before they are made; where they are destructive unless told.
    #[must_use]
    pub const fn with_confirmation(mut self, confirmation: Confirmation) -> Self {
        self.confirmation = confirmation;
        self
    }

    /// The workspace of a name; the default one without a name.
    ///
    /// # Errors
    ///
    /// [`Failure::WorkspaceMissing`] for a name that is not configured.
    pub fn workspace(&self, name: Option<&str>) -> Result<&Arc<Workspace>, Failure> {
        let Some(name) = name else { return Ok(&self.default) };
        self.workspaces().find(|known| known.name() == name).ok_or_else(|| Failure::WorkspaceMissing {
            name: name.to_owned(),
            detail: format!("no workspace has this name; known are {}", self.names().join(", ")),
        })
    }

    /// All workspaces, the default one first.
    pub fn workspaces(&self) -> impl Iterator<Item = &Arc<Workspace>> {
        std::iter::once(&self.default).chain(&self.others)
    }

    /// The names of all workspaces, the default one first.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        self.workspaces().map(|workspace| workspace.name()).collect()
    }

    pub(crate) const fn foreground_limit(&self) -> Duration {
        self.foreground_limit
    }

    pub(crate) const fn author_rules(&self) -> &AuthorRules {
        &self.author_rules
    }

    pub(crate) const fn confirmation(&self) -> Confirmation {
        self.confirmation
    }

    pub(crate) const fn keys(&self) -> &KeyFacts {
        &self.keys
    }

    pub(crate) fn skill_prompts(&self) -> Vec<String> {
        self.skill_prompts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn offers_skill_prompts(&self, names: Vec<String>) {
        *self.skill_prompts.lock().unwrap_or_else(PoisonError::into_inner) = names;
    }

    /// Reads every workspace and builds what searching needs, so that the first call need not wait for it. A
    /// workspace that cannot be read is passed over: the call that asks for it hears why.
    pub async fn warm(&self) {
        for workspace in self.workspaces() {
            if let Ok(view) = workspace.view().await {
                view.warm().await;
            }
        }
    }
}

fn is_usable(name: &str) -> bool {
    let usable = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    (1..=NAME_MAX).contains(&name.len()) && name.bytes().all(usable)
}
