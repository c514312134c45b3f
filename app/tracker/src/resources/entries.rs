//! The resources that every workspace has.

use std::future::Future;
use std::sync::Arc;

use pm_mcp::{CachePolicy, Context, HandlerFault, Read, ResourceEntry, resource};
use serde::Serialize;

use super::claims::claims;
use super::schema::schema;
use super::uri::uri;
use crate::failure::Problem;
use crate::reading::{ContextDepth, ContextQuestion, ItemDepth, NextQuestion, context, item, next};
use crate::tracker::Tracker;
use crate::view::View;

pub(crate) const CONTEXT: &str = "workspace/context";
pub(crate) const NEXT: &str = "workspace/next";
pub(crate) const FOCUS: &str = "workspace/focus";
pub(crate) const CLAIMS: &str = "workspace/claims";
pub(crate) const SCHEMA: &str = "workspace/schema";
pub(crate) const AGENT_GUIDE: &str = "workspace/agent-guide";

const JSON: &str = "application/json";
const MARKDOWN: &str = "text/markdown";

/// What changes with every write.
const BRIEFLY: CachePolicy = CachePolicy::private(2_000);
/// What people edit by hand.
const A_WHILE: CachePolicy = CachePolicy::private(30_000);

const NO_GUIDE: &str =
    "This repository has no AGENTS.md: ask what its rules are before you change anything.\n";

/// The resources of all workspaces: those of the default one first, the others' end in `?workspace=NAME`.
#[must_use]
pub fn resources(tracker: &Arc<Tracker>) -> Vec<ResourceEntry> {
    let mut entries = Vec::new();
    for workspace in tracker.workspaces() {
        let on = Fixed { tracker, workspace: workspace.name() };
        entries.extend([
            on.resource(
                CONTEXT,
                ("Context", "Counts, what is in progress and what holds others up.", JSON, BRIEFLY),
                |view, request| async move {
                    json(&context(&view, context_question(), request.now()).await?)
                },
            ),
            on.resource(
                NEXT,
                ("Next", "The one item to do next and why, and the ready and blocked queues.", JSON, BRIEFLY),
                |view, request| async move { json(&next(&view, next_question(), request.now()).await?) },
            ),
            on.resource(
                FOCUS,
                ("Focus", "The focused item, which becomes the parent of new ones, or null.", JSON, BRIEFLY),
                |view, _| async move {
                    let session = view.repository().session().await;
                    let session =
                        session.map_err(|error| Problem::of_workspace(view.workspace().name(), error))?;
                    let focused = session.focused_item.filter(|id| view.find(id).is_ok());
                    match focused {
                        Some(id) => json(&item(&view, &id, ItemDepth::Standard, None).await?),
                        None => json(&None::<()>),
                    }
                },
            ),
            on.resource(
                CLAIMS,
                ("Claims", "Items in progress and who holds them.", JSON, BRIEFLY),
                |view, _| async move { json(&claims(&view).await?) },
            ),
            on.resource(
                SCHEMA,
                ("Schema", "Types and folders, statuses and their roles, custom fields.", JSON, A_WHILE),
                |view, _| async move { json(&schema(view.snapshot())) },
            ),
            on.resource(
                AGENT_GUIDE,
                ("Agent guide", "What the repository asks of agents: its AGENTS.md.", MARKDOWN, A_WHILE),
                |view, _| async move {
                    let guide = view.repository().agent_guide().await;
                    let guide = guide.map_err(|error| Problem::of_workspace(view.workspace().name(), error))?;
                    Ok(guide.unwrap_or_else(|| NO_GUIDE.to_owned()))
                },
            ),
        ]);
    }
    entries
}

/// What a brief context holds.
pub(crate) const fn context_question() -> ContextQuestion {
    ContextQuestion { parent: None, depth: ContextDepth::Brief, limit: 10 }
}

/// What to do next, for nobody in particular.
pub(crate) fn next_question() -> NextQuestion {
    NextQuestion { limit: 5, ..NextQuestion::default() }
}

/// A value as compact JSON.
pub(crate) fn json(value: &impl Serialize) -> Result<String, Problem> {
    serde_json::to_string(value).map_err(|fault| HandlerFault::internal(fault).into())
}

/// Where fixed resources are registered.
struct Fixed<'t> {
    tracker: &'t Arc<Tracker>,
    workspace: &'t str,
}

impl Fixed<'_> {
    /// `about`: title, description, media type, cache hint.
    fn resource<F, Fut>(&self, path: &str, about: (&str, &str, &str, CachePolicy), read: F) -> ResourceEntry
    where
        F: Fn(View, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<String, Problem>> + Send + 'static,
    {
        let (title, description, mime_type, cache) = about;
        let (tracker, name) = (Arc::clone(self.tracker), self.workspace.to_owned());
        let read = Arc::new(read);
        let uri = match tracker.workspace(Some(self.workspace)) {
            Ok(workspace) => uri(&tracker, workspace, path),
            Err(_) => format!("pm://{path}"),
        };
        resource(uri, path.rsplit_once('/').map_or(path, |(_, last)| last))
            .title(title)
            .description(description)
            .mime_type(mime_type)
            .cache(cache)
            .reader(move |context, _| {
                let (tracker, name, read) = (Arc::clone(&tracker), name.clone(), Arc::clone(&read));
                async move {
                    let workspace = tracker.workspace(Some(&name)).map_err(Problem::from)?;
                    let view = workspace.view().await?;
                    Ok(Read::text(read(view, context).await?))
                }
            })
    }
}
