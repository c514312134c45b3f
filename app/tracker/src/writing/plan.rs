//! What a batch would do, decided row by row before anything is written.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use pm_mcp::Context;
use pm_tracker_domain::change::{Change, ChangeRequest, Next, Present, World, decide, derived_token};
use pm_tracker_domain::{At, HistoryEntry, Item, Timestamp, canonical_hash, replay};
use pm_tracker_ports::BatchRow;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::edit::{Asked, now, waiting_in};
use super::options::{CloseOptions, CreateOptions, NoOptions, ReopenOptions, RestoreOptions, UpdateOptions};
use super::references;
use crate::failure::{Failure, Problem};
use crate::tracker::Tracker;
use crate::view::View;

/// How many rows a message shows.
const SHOWN: usize = 20;
/// From how many rows on a batch is shown to the user however harmless they are.
const MANY: usize = 10;

/// An operation of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MutationOp {
    Create,
    Update,
    Close,
    Release,
    Reopen,
    Delete,
    Restore,
}

impl MutationOp {
    pub(crate) const ALL: [Self; 7] =
        [Self::Create, Self::Update, Self::Close, Self::Release, Self::Reopen, Self::Delete, Self::Restore];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Close => "close",
            Self::Release => "release",
            Self::Reopen => "reopen",
            Self::Delete => "delete",
            Self::Restore => "restore",
        }
    }
}

/// One row as the caller writes it.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Mutation {
    pub(crate) op: MutationOp,
    pub(crate) id: Option<String>,
    #[serde(rename = "ref")]
    pub(crate) name: Option<String>,
    pub(crate) reason: Option<String>,
    #[serde(default)]
    pub(crate) options: Value,
}

/// One planned row.
#[derive(Debug)]
pub(super) struct PlannedRow {
    /// The caller's row that it comes from.
    pub(super) index: usize,
    pub(super) op: &'static str,
    pub(super) row: BatchRow,
    pub(super) words: String,
    pub(super) writes: bool,
}

/// A whole batch, planned.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) rows: Vec<PlannedRow>,
    /// Ids by the names that rows gave.
    pub(super) names: BTreeMap<String, String>,
    /// Versions that existing items have.
    pub(super) seen: BTreeMap<String, usize>,
    pub(super) world: Arc<World>,
    /// Stands for what would be done to which state.
    pub(super) digest: String,
    pub(super) destructive: bool,
}

/// Plans rows against the present state.
pub(super) async fn plan(
    tracker: &Tracker,
    context: &Context,
    view: &View,
    transaction: &str,
    mutations: &[Mutation],
    asked: &Asked,
) -> Result<Plan, Problem> {
    let world = view.world().await?;
    let mut drafts: Vec<(String, MutationOp, ChangeRequest)> = Vec::with_capacity(mutations.len());
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for (index, mutation) in mutations.iter().enumerate() {
        let failed = |failure: Failure| Failure::Row { index, failure: Box::new(failure) };
        let id = id_of(view, transaction, index, mutation, &names).map_err(failed)?;
        let change = change_of(mutation, &names).map_err(failed)?;
        let request = asked.request(change, context, tracker, view).map_err(failed)?;
        if let Some(name) = &mutation.name
            && names.insert(name.clone(), id.clone()).is_some()
        {
            let twice = Failure::argument("mutations", format!("the ref `{name}` is given twice"));
            return Err(failed(twice).into());
        }
        drafts.push((id, mutation.op, request));
    }
    let mut histories: BTreeMap<String, Vec<HistoryEntry>> = BTreeMap::new();
    for (id, ..) in &drafts {
        if !histories.contains_key(id) {
            let stream =
                view.repository().history(id).await.map_err(|error| Problem::of_history(id, error))?;
            histories.insert(id.clone(), stream.entries);
        }
    }
    let (now, view_moved) = (now(context), view.clone());
    let task = tokio::task::spawn_blocking(move || {
        let planned = Planner { view: view_moved, world: (*world).clone(), histories, now }.run(drafts);
        planned.map(|(rows, seen, destructive)| (rows, seen, destructive, world))
    });
    let planned = task.await.map_err(|fault| Problem::from(pm_mcp::HandlerFault::internal(fault)))?;
    let (rows, seen, destructive, world) = planned?;
    let facts: Vec<Value> = rows
        .iter()
        .map(|row| json!([row.index, row.op, row.row.id, seen.get(&row.row.id), row.words]))
        .collect();
    let digest = canonical_hash(&json!({"transaction": transaction, "rows": facts}));
    let destructive = destructive || mutations.len() > MANY;
    Ok(Plan { rows, names, seen, world, digest, destructive })
}

struct Planner {
    view: View,
    world: World,
    histories: BTreeMap<String, Vec<HistoryEntry>>,
    now: Timestamp,
}

type Planned = (Vec<PlannedRow>, BTreeMap<String, usize>, bool);

impl Planner {
    fn run(mut self, drafts: Vec<(String, MutationOp, ChangeRequest)>) -> Result<Planned, Failure> {
        let mut rows = Vec::new();
        let mut destructive = false;
        for (index, (id, op, request)) in drafts.into_iter().enumerate() {
            let failed = |failure: Failure| Failure::Row { index, failure: Box::new(failure) };
            let before = self.world.item(&id).cloned();
            let mine = before.as_ref().and_then(Item::assignee) == Some(request.by.author.as_str());
            let held = before.as_ref().and_then(Item::assignee).is_some();
            destructive |= match op {
                MutationOp::Delete | MutationOp::Restore | MutationOp::Close | MutationOp::Reopen => true,
                MutationOp::Release => held && !mine,
                MutationOp::Create | MutationOp::Update => false,
            };
            let (words, writes, finished) =
                self.decide(&id, op, &request, before.as_ref()).map_err(failed)?;
            let by = request.by.clone();
            rows.push(PlannedRow {
                index,
                op: op.name(),
                row: BatchRow { id: id.clone(), request },
                words,
                writes,
            });
            if finished {
                self.free(index, &id, &by, &mut rows)?;
            }
        }
        let known = |id: &String| {
            self.view.snapshot().items.contains_key(id) || self.view.snapshot().streams.contains_key(id)
        };
        let seen =
            self.histories.iter().filter(|(id, _)| known(id)).map(|(id, list)| (id.clone(), list.len()));
        Ok((rows, seen.collect(), destructive))
    }

    /// Decides a row and goes on as if it were made. Says in words what it does, whether it writes, and whether it
    /// finishes the item.
    fn decide(
        &mut self,
        id: &str,
        op: MutationOp,
        request: &ChangeRequest,
        before: Option<&Item>,
    ) -> Result<(String, bool, bool), Failure> {
        let entries = self.histories.get(id).map_or(&[][..], Vec::as_slice);
        let version = entries.len();
        let earlier = request.change.earlier_version(version).map(|at| replay(entries, At::Version(at)));
        let present = Present { id, item: before, version, earlier: earlier.as_ref(), now: self.now };
        let decision = match decide(request, &present, &self.world) {
            Err(pm_tracker_domain::change::Refusal::NotFound { id }) => return Err(self.view.not_found(&id)),
            other => other.map_err(Failure::Refused)?,
        };
        let statuses = self.view.snapshot().schema.statuses();
        let was_finished = before.is_some_and(|item| statuses.is_terminal(item.status()));
        let after = match decision.next {
            Next::Unchanged | Next::Adopted => before.cloned().map(Arc::new),
            Next::Deleted => None,
            Next::Document(document) => document.into_item().ok().map(Arc::new),
        };
        let writes = after.as_deref() != before;
        let is_finished = after.as_ref().is_some_and(|item| statuses.is_terminal(item.status()));
        let title = after.as_deref().or(before).map_or("", Item::title);
        let mut words = format!("{} {id} \u{201c}{}\u{201d}", op.name(), shortened(title));
        if !writes {
            words.push_str(" (nothing to change)");
        }
        if let Some(reason) = &decision.message {
            let _cannot_fail = write!(words, ": {}", shortened(reason));
        }
        for warning in &decision.warnings {
            let _cannot_fail = write!(words, " [{}]", shortened(warning));
        }
        if writes {
            self.world.put(id, after);
        }
        Ok((words, writes, is_finished && !was_finished))
    }

    /// Adds rows that set free what waited for a finished item alone.
    fn free(
        &mut self,
        index: usize,
        id: &str,
        by: &pm_tracker_domain::Signature,
        rows: &mut Vec<PlannedRow>,
    ) -> Result<(), Failure> {
        for other in waiting_in(self.world.board(), self.world.schema(), id) {
            let change = Change::Unblock { blocker: id.to_owned() };
            let request = ChangeRequest { change, by: by.clone(), message: None, force: false };
            let Some(item) = self.world.item(&other).cloned() else { continue };
            let (_, writes, _) = self.decide(&other, MutationOp::Update, &request, Some(&item))?;
            if writes {
                let words = format!("set {other} back to open: nothing else holds it up");
                rows.push(PlannedRow {
                    index,
                    op: "unblock",
                    row: BatchRow { id: other, request },
                    words,
                    writes,
                });
            }
        }
        Ok(())
    }
}

impl Plan {
    /// What the user reads before it is made.
    pub(super) fn message(&self, view: &View) -> String {
        let writing = self.rows.iter().filter(|row| row.writes).count();
        let mut text =
            format!("Make {writing} changes in the workspace \u{201c}{}\u{201d}?", view.workspace().name());
        for row in self.rows.iter().take(SHOWN) {
            let _cannot_fail = write!(text, "\n{}. {}", row.index + 1, row.words);
        }
        let left = self.rows.len().saturating_sub(SHOWN);
        if left > 0 {
            let _cannot_fail = write!(text, "\n... and {left} more");
        }
        text
    }
}

/// A text on one line, cut where it gets long.
fn shortened(text: &str) -> String {
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(120).collect();
    if line.chars().count() < text.chars().count() { format!("{line}\u{2026}") } else { line }
}

/// The id of a row: of a new item, one that follows from the batch and the row's name.
fn id_of(
    view: &View,
    transaction: &str,
    index: usize,
    mutation: &Mutation,
    names: &BTreeMap<String, String>,
) -> Result<String, Failure> {
    match (mutation.op, &mutation.id) {
        (MutationOp::Create, Some(_)) => {
            Err(Failure::argument("mutations", "a new item gets its id from the server; give it a `ref`"))
        }
        (MutationOp::Create, None) => {
            let settings = &view.snapshot().settings;
            let name = mutation.name.clone().unwrap_or_else(|| format!("#{index}"));
            let id = (0..).find_map(|attempt| {
                let token = derived_token(transaction, &name, attempt, settings.token_length);
                let id = format!("{}{token}", settings.id_prefix);
                // A history without an item is what an undone batch leaves; its ids are used again.
                let taken =
                    view.snapshot().items.contains_key(&id) || view.snapshot().unreadable(&id).is_some();
                (!taken && !names.values().any(|known| *known == id)).then_some(id)
            });
            id.ok_or_else(|| Failure::argument("mutations", "no id is free for the new item"))
        }
        (_, None) => Err(Failure::argument("mutations", format!("{} needs an `id`", mutation.op.name()))),
        (MutationOp::Restore, Some(id)) => view.find_with_history(&references::resolved(id, names)?),
        (_, Some(id)) => {
            let id = references::resolved(id, names)?;
            if names.values().any(|known| *known == id) {
                return Ok(id);
            }
            view.find(&id).map(|item| item.id().to_owned())
        }
    }
}

fn change_of(mutation: &Mutation, names: &BTreeMap<String, String>) -> Result<Change, Failure> {
    let mut options = match &mutation.options {
        Value::Null => json!({}),
        options => options.clone(),
    };
    references::resolve(&mut options, names)?;
    let reason = mutation.reason.clone();
    Ok(match mutation.op {
        MutationOp::Create => read::<CreateOptions>(options)?.into_change()?,
        MutationOp::Update => read::<UpdateOptions>(options)?.into_change(),
        MutationOp::Close => {
            let mut closing: CloseOptions = read(options)?;
            closing.reason = reason.or(closing.reason);
            closing.into_change()
        }
        MutationOp::Release => {
            let NoOptions {} = read(options)?;
            Change::Release
        }
        MutationOp::Reopen => {
            let ReopenOptions { status } = read(options)?;
            Change::Reopen { reason: reason.unwrap_or_default(), status }
        }
        MutationOp::Delete => {
            let NoOptions {} = read(options)?;
            Change::Delete { reason: reason.unwrap_or_default() }
        }
        MutationOp::Restore => {
            let RestoreOptions { version } = read(options)?;
            Change::Restore { version, reason: reason.unwrap_or_default() }
        }
    })
}

fn read<O: DeserializeOwned>(options: Value) -> Result<O, Failure> {
    O::deserialize(options).map_err(|error| Failure::argument("mutations", format!("options: {error}")))
}
