//! Making the items of an import.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use pm_mcp::Context;
use pm_tracker_domain::change::{Change, Closing, Edge, FieldEdits, NewItem, World};
use pm_tracker_domain::import::{Draft, ImportFormat};
use pm_tracker_ports::{CheckProgress as _, Edit, Target, Written};

use super::plan::called;
use super::report::{ImportError, ImportReport, ImportedItem};
use crate::failure::Problem;
use crate::tracker::Tracker;
use crate::view::View;
use crate::watch::Watch;
use crate::writing::{Asked, now};

/// Reason of an item that was finished before it came, where the text gives none.
const FINISHED: &str = "finished before it was imported";

/// Everything that making items needs besides the items.
pub(super) struct Maker<'m> {
    pub(super) tracker: &'m Tracker,
    pub(super) context: &'m Context,
    pub(super) view: &'m View,
    pub(super) asked: &'m Asked,
    pub(super) format: ImportFormat,
    /// Ids by what the text calls them.
    pub(super) ids: BTreeMap<String, String>,
}

impl Maker<'_> {
    /// Makes the drafts in their order. A cancel is looked at between items; what was made stays and is listed.
    pub(super) async fn make(
        &mut self,
        drafts: Vec<Draft>,
        watch: &Watch,
        report: &mut ImportReport,
    ) -> Result<(), Problem> {
        let part = watch.part("importing items");
        let total = drafts.len();
        let mut world = World::clone(&*self.view.world().await?);
        // Only these have to be seen by later items.
        let named: BTreeSet<&str> = drafts.iter().filter_map(|draft| draft.parent.as_deref()).collect();
        let named: BTreeSet<String> = named.into_iter().map(str::to_owned).collect();
        let mut made: Vec<(Draft, String)> = Vec::new();
        for (done, draft) in drafts.into_iter().enumerate() {
            if part.is_cancelled() {
                break;
            }
            let from = called(&draft, self.format);
            match self.create(&draft, &world).await {
                Ok(written) => {
                    if let Some(reference) = &draft.reference {
                        self.ids.insert(reference.clone(), written.id.clone());
                        if named.contains(reference) {
                            world.put(&written.id, written.after.clone());
                        }
                    }
                    let title = draft.title.clone();
                    report.created.push(ImportedItem { id: Some(written.id.clone()), title, from });
                    made.push((draft, written.id));
                }
                Err(problem) => report.errors.push(ImportError { from, detail: words(problem)? }),
            }
            part.advanced(done + 1, total);
        }
        self.finish(made, report).await?;
        self.view.workspace().written();
        Ok(())
    }

    async fn create(&self, draft: &Draft, world: &World) -> Result<Written, Problem> {
        let mut fields = draft.fields.clone();
        if let Some(parent) = &draft.parent {
            let id = self.ids.get(parent).unwrap_or(parent);
            fields.insert("parent".to_owned(), id.as_str().into());
        }
        let new = NewItem {
            title: draft.title.clone(),
            type_name: draft.type_name.clone(),
            fields,
            body: draft.body.clone(),
            dependencies: Vec::new(),
            allow_duplicate: true,
        };
        self.write(Target::New, Change::Create(Box::new(new)), Arc::new(world.clone())).await
    }

    /// Edges and endings, once every item is there.
    async fn finish(&self, made: Vec<(Draft, String)>, report: &mut ImportReport) -> Result<(), Problem> {
        if made.iter().all(|(draft, _)| draft.edges.is_empty() && draft.closed.is_none()) {
            return Ok(());
        }
        let world = self.view.workspace().fresh_view().await?.world().await?;
        for (draft, id) in made {
            let from = called(&draft, self.format);
            let mut changes = Vec::new();
            if !draft.edges.is_empty() {
                let edge = |edge: &pm_tracker_domain::import::DraftEdge| Edge {
                    id: self.ids.get(&edge.to).unwrap_or(&edge.to).clone(),
                    kind: Some(edge.kind.clone()),
                };
                let edits = FieldEdits {
                    add_dependencies: draft.edges.iter().map(edge).collect(),
                    ..FieldEdits::default()
                };
                changes.push(Change::Update(Box::new(edits)));
            }
            if let Some(reason) = draft.closed {
                let reason = Some(reason).filter(|reason| !reason.is_empty());
                let reason = Some(reason.unwrap_or_else(|| FINISHED.to_owned()));
                changes.push(Change::Close(Box::new(Closing { reason, ..Closing::default() })));
            }
            for change in changes {
                let written = self.write(Target::Item(id.clone()), change, Arc::clone(&world)).await;
                if let Err(problem) = written {
                    let detail = format!("{id} was made, and then: {}", words(problem)?);
                    report.errors.push(ImportError { from: from.clone(), detail });
                }
            }
        }
        Ok(())
    }

    async fn write(&self, target: Target, change: Change, world: Arc<World>) -> Result<Written, Problem> {
        let mut request = self.asked.request(change, self.context, self.tracker, self.view)?;
        request.message.get_or_insert_with(|| format!("imported ({})", self.format.name()));
        let edit = Edit { target, request, world, now: now(self.context) };
        let written = self.view.workspace().writer()?.edit(edit).await;
        written.map_err(|error| Problem::of_write(self.view, error))
    }
}

/// A failure belongs to its entry; a fault ends the import.
fn words(problem: Problem) -> Result<String, Problem> {
    match problem {
        Problem::Failed(failure) => Ok(failure.to_string()),
        fault @ Problem::Fault(_) => Err(fault),
    }
}
