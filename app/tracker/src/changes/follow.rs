//! Following a workspace and announcing what changed.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use pm_mcp::{Change, PromptEntry, Server};
use pm_tracker_ports::{ChangeSource, ReadError, Session, Skills, Touched, WorkspaceSnapshot};
use tokio::sync::Mutex;

use super::announcement::Announcement;
use super::difference::Difference;
use crate::prompts::skills;
use crate::resources::{AGENT_GUIDE, FOCUS};
use crate::tools::{ToolName, tools};
use crate::tracker::Tracker;
use crate::vocabulary::Vocabulary;
use crate::workspace::Workspace;

/// Keeps a running server in step with its workspaces: what it offers, what it has prepared, and what subscribers
/// hear.
#[derive(Debug)]
pub struct Follower {
    tracker: Arc<Tracker>,
    server: Server,
    tools: Vec<ToolName>,
    /// The words that the tools' schemas list. Workspaces share the tools, so one at a time changes them.
    words: Mutex<Vocabulary>,
}

/// What callers may know of a workspace: the state up to which everything was announced.
#[derive(Debug, Default)]
pub struct Announced {
    /// `None` if it could not be read so far.
    snapshot: Option<Arc<WorkspaceSnapshot>>,
    /// Whether the workspace was gone, or could not be read, at the last look.
    lost: bool,
    session: Option<Session>,
    guide: Option<String>,
    skills: u64,
}

impl Follower {
    /// Follows for `server`, which offers `tools` with the words of `vocabulary`.
    #[must_use]
    pub fn new(tracker: Arc<Tracker>, server: Server, tools: Vec<ToolName>, vocabulary: Vocabulary) -> Self {
        Self { tracker, server, tools, words: Mutex::new(vocabulary) }
    }

    /// What callers may know already. To be taken before the server serves: everything after it is announced.
    pub async fn begin(&self, workspace: &Arc<Workspace>) -> Announced {
        let repository = workspace.repository();
        Announced {
            snapshot: workspace.view().await.ok().map(|view| view.shared_snapshot()),
            lost: false,
            session: repository.session().await.ok(),
            guide: repository.agent_guide().await.ok().map(Option::unwrap_or_default),
            skills: repository.skills().await.map_or(0, |skills| digest(&skills)),
        }
    }

    /// Follows one workspace for ever, from what was announced of it on. To be run beside the server, once for each
    /// workspace.
    pub async fn follow(
        &self,
        workspace: Arc<Workspace>,
        mut announced: Announced,
        source: Arc<dyn ChangeSource>,
    ) {
        let source = Arc::clone(workspace.watched_by(source));
        self.prepare(&workspace).await;
        loop {
            let touched = tokio::select! {
                biased;
                () = workspace.next_write() => Touched { skills: false, guide: false, ..Touched::ALL },
                next = source.next() => match next {
                    Some(touched) => touched,
                    None => break,
                },
            };
            self.look(&workspace, &mut announced, touched).await;
        }
        // Others are not heard any more; what this server writes still is.
        loop {
            workspace.next_write().await;
            self.look(&workspace, &mut announced, Touched::ALL).await;
        }
    }

    /// Looks at what was touched, announces what is different, and prepares what the next question needs.
    async fn look(&self, workspace: &Arc<Workspace>, announced: &mut Announced, touched: Touched) {
        let mut announcement = Announcement::new(&self.tracker, workspace);
        if touched.snapshot {
            self.look_at_items(workspace, announced, &mut announcement).await;
        }
        if touched.session
            && let Ok(session) = workspace.repository().session().await
            && let Some(before) = announced.session.replace(session)
            && Some(before) != announced.session
        {
            announcement.fixed(FOCUS);
        }
        if touched.guide
            && let Ok(guide) = workspace.repository().agent_guide().await
        {
            let guide = guide.unwrap_or_default();
            if let Some(before) = announced.guide.replace(guide)
                && Some(before) != announced.guide
            {
                announcement.fixed(AGENT_GUIDE);
            }
        }
        if touched.skills
            && let Ok(skills) = workspace.repository().skills().await
        {
            let before = std::mem::replace(&mut announced.skills, digest(&skills));
            if before != 0 && before != announced.skills {
                self.offer_skills().await;
            }
        }
        for change in announcement.into_changes() {
            self.server.publish(&change);
        }
    }

    /// What is prepared here, the next question need not wait for.
    async fn prepare(&self, workspace: &Arc<Workspace>) {
        if let Ok(view) = workspace.view().await {
            view.warm().await;
        }
    }

    async fn look_at_items(
        &self,
        workspace: &Arc<Workspace>,
        announced: &mut Announced,
        announcement: &mut Announcement<'_>,
    ) {
        let now = match workspace.repository().fresh_snapshot().await {
            Ok(now) => now,
            Err(error) => {
                if !std::mem::replace(&mut announced.lost, true) {
                    report_lost(workspace, &error);
                    if announced.snapshot.is_some() {
                        announcement.whole();
                    }
                }
                return;
            }
        };
        let was_lost = std::mem::take(&mut announced.lost);
        let before = announced.snapshot.replace(Arc::clone(&now));
        if before.as_ref().is_none_or(|before| !Arc::ptr_eq(before, &now)) {
            self.prepare(workspace).await;
        }
        let Some(before) = before else {
            announcement.whole();
            return;
        };
        if was_lost {
            tracing::info!(workspace = workspace.name(), "the workspace is back");
            announcement.whole();
        }
        let difference = Difference::between(&before, &now);
        if difference.is_nothing() {
            return;
        }
        tracing::debug!(
            workspace = workspace.name(),
            files = difference.files(),
            schema = difference.schema,
            "the workspace changed"
        );
        announcement.difference(&difference, &now.schema);
        if difference.schema {
            self.offer_tools().await;
        }
    }

    /// Offers the tools anew, with the words of the workspaces as they are.
    async fn offer_tools(&self) {
        let mut words = self.words.lock().await;
        let now = Vocabulary::gather(&self.tracker).await;
        if *words == now {
            // The list reads as before. What its tools accept may still be different.
            self.server.publish(&Change::ToolsListChanged);
            return;
        }
        let edited = self.server.edit(|offer| {
            for name in &self.tools {
                offer.remove_tool(name.name());
            }
            tools(&self.tracker, &now, &self.tools).into_iter().try_for_each(|tool| offer.add_tool(tool))
        });
        match edited {
            Ok(()) => *words = now,
            Err(error) => {
                tracing::warn!(%error, "the tools keep the words of the schema before, as they cannot be built from this one");
            }
        }
    }

    /// Offers the prompts of skills anew.
    async fn offer_skills(&self) {
        let before = self.tracker.skill_prompts();
        let (names, now): (Vec<String>, Vec<PromptEntry>) = skills(&self.tracker).await.into_iter().unzip();
        let edited = self.server.edit(|offer| {
            for name in &before {
                offer.remove_prompt(name);
            }
            now.into_iter().try_for_each(|prompt| offer.add_prompt(prompt))
        });
        match edited {
            Ok(()) => self.tracker.offers_skill_prompts(names),
            Err(error) => tracing::warn!(%error, "the skills are offered as they were"),
        }
    }
}

fn report_lost(workspace: &Workspace, error: &ReadError) {
    tracing::warn!(workspace = workspace.name(), %error, "the workspace cannot be read; waiting for it to come back");
}

/// Never 0, which stands for skills that could not be read.
fn digest(skills: &Skills) -> u64 {
    let mut hasher = DefaultHasher::new();
    for skill in &skills.offered {
        (&skill.name, &skill.description, &skill.text).hash(&mut hasher);
    }
    for refused in &skills.refused {
        (&refused.name, &refused.reason).hash(&mut hasher);
    }
    hasher.finish().max(1)
}
