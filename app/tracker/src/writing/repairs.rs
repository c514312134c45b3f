//! Mechanical repairs of what a check found, after the user chose which.

use std::sync::Arc;

use pm_mcp::{Context, Elicited, Form, HandlerFault};
use pm_tracker_domain::check::{AppliedFix, Repair};
use pm_tracker_ports::{CheckProgress as _, RepairOrder};
use schemars::JsonSchema;
use serde::Deserialize;

use super::edit::{Asked, now};
use crate::failure::{Failure, Problem};
use crate::tracker::Tracker;
use crate::view::View;
use crate::watch::Watch;

/// The order in which repairs are made: histories are led to files before files are changed.
const ORDER: [Repair; 7] = [
    Repair::UndoBatch,
    Repair::RemoveExtraCopy,
    Repair::DropTornLine,
    Repair::CreateHistory,
    Repair::AppendHistoryRepair,
    Repair::RemoveDeadLink,
    Repair::Normalize,
];

/// The form that the user fills in: which classes of repair to make.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema, Form)]
#[serde(default)]
struct Chosen {
    /// Take linked files that are gone out of their items.
    remove_dead_links: bool,
    /// Begin the history of items that have none.
    create_histories: bool,
    /// Write files in normal form.
    normalize_files: bool,
    /// Lead histories to files that were edited outside.
    adopt_edits: bool,
    /// Take lines that were never finished out of histories.
    drop_torn_lines: bool,
    /// Of several files of one item, keep the one that its history leads to.
    remove_extra_copies: bool,
    /// Undo batches of changes that were stopped half-way.
    undo_batches: bool,
}

impl Chosen {
    const fn includes(self, repair: Repair) -> bool {
        match repair {
            Repair::RemoveDeadLink => self.remove_dead_links,
            Repair::CreateHistory => self.create_histories,
            Repair::Normalize => self.normalize_files,
            Repair::AppendHistoryRepair => self.adopt_edits,
            Repair::DropTornLine => self.drop_torn_lines,
            Repair::RemoveExtraCopy => self.remove_extra_copies,
            Repair::UndoBatch => self.undo_batches,
        }
    }
}

/// A repair that a finding asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Planned {
    pub(crate) repair: Repair,
    /// The item; none for what concerns several.
    pub(crate) item: Option<String>,
    pub(crate) path: Option<String>,
}

/// Asks which of the planned repairs to make, and makes those. What is cancelled stays undone; what was made is listed.
///
/// # Errors
///
/// What asking raises; [`Failure::ConsentUnavailable`] where nothing can be asked; faults as they come.
pub(crate) async fn repair(
    tracker: &Tracker,
    context: &Context,
    view: &View,
    asked: &Asked,
    planned: Vec<Planned>,
    watch: &Watch,
) -> Result<Vec<AppliedFix>, Problem> {
    if planned.is_empty() {
        return Ok(Vec::new());
    }
    let writer = view.workspace().writer()?;
    let by = asked.request(pm_tracker_domain::change::Change::AdoptFile, context, tracker, view)?.by;
    let form = Form::<Chosen>::new(message(view, &planned)).or_declined();
    let chosen = match context.ask("repairs", form).await {
        Ok(Elicited::Accepted(chosen)) => chosen,
        Ok(Elicited::Declined | Elicited::Cancelled) => return Ok(Vec::new()),
        Err(HandlerFault::CannotAsk) => return Err(Failure::ConsentUnavailable.into()),
        Err(fault) => return Err(fault.into()),
    };
    let approved = ORDER.into_iter().filter(|repair| chosen.includes(*repair));
    let orders: Vec<&Planned> =
        approved.flat_map(|repair| planned.iter().filter(move |plan| plan.repair == repair)).collect();
    let world = view.workspace().fresh_view().await?.world().await?;
    let part = watch.part("repairing");
    let mut fixes = Vec::new();
    for (done, plan) in orders.iter().enumerate() {
        if part.is_cancelled() {
            break;
        }
        let order = RepairOrder {
            repair: plan.repair,
            id: plan.item.clone().unwrap_or_default(),
            path: plan.path.clone(),
            by: by.clone(),
            world: Arc::clone(&world),
            now: now(context),
            force: asked.force,
        };
        let detail = match writer.repair(order).await {
            Ok(Some(done)) => done,
            Ok(None) => "nothing to repair any more".to_owned(),
            Err(error) => match Problem::of_write(view, error) {
                Problem::Failed(failure) => format!("not repaired: {failure}"),
                fault @ Problem::Fault(_) => return Err(fault),
            },
        };
        fixes.push(AppliedFix { fix: plan.repair, item: plan.item.clone(), path: plan.path.clone(), detail });
        part.advanced(done + 1, orders.len());
    }
    if !fixes.is_empty() {
        view.workspace().written();
    }
    Ok(fixes)
}

fn message(view: &View, planned: &[Planned]) -> String {
    let mut text = format!(
        "Repair what was found in the workspace \u{201c}{}\u{201d}? Choose what to do:",
        view.workspace().name()
    );
    for repair in Repair::ALL {
        let named = |plan: &Planned| plan.item.clone().or_else(|| plan.path.clone()).unwrap_or_default();
        let items: Vec<String> = planned.iter().filter(|plan| plan.repair == repair).map(named).collect();
        if items.is_empty() {
            continue;
        }
        let shown = items.iter().take(5).map(String::as_str).collect::<Vec<_>>().join(", ");
        let more = items.len().saturating_sub(5);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        text.push_str(&format!("\n- {} in {} cases: {shown}{more}", words(repair), items.len()));
    }
    text
}

const fn words(repair: Repair) -> &'static str {
    match repair {
        Repair::RemoveDeadLink => "remove_dead_links: take out linked files that are gone",
        Repair::CreateHistory => "create_histories: begin missing histories",
        Repair::Normalize => "normalize_files: write files in normal form",
        Repair::AppendHistoryRepair => "adopt_edits: record edits made outside",
        Repair::DropTornLine => "drop_torn_lines: take out unfinished lines of histories",
        Repair::RemoveExtraCopy => "remove_extra_copies: remove extra files of one item",
        Repair::UndoBatch => "undo_batches: undo batches that were stopped half-way",
    }
}
