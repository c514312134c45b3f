//! Several changes, all or none, made after the user agreed.

use std::collections::BTreeMap;

use pm_mcp::Context;
use pm_tracker_domain::canonical_hash;
use pm_tracker_ports::{Batch, BatchDone, BatchError, BatchOutcome};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::confirm::{Confirmation, approved};
use super::edit::{Asked, now};
use super::plan::{Mutation, Plan, plan};
use crate::failure::{Failure, Problem};
use crate::tracker::Tracker;
use crate::view::View;

/// How often a batch is planned again when items move while it is made.
const ATTEMPTS: usize = 3;

/// What a batch came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the shape that callers see")]
pub struct BatchReceipt {
    /// The caller's name for the batch.
    pub transaction_id: String,
    /// Whether it was made, now or before.
    pub applied: bool,
    /// Whether it was only planned.
    pub dry_run: bool,
    /// Why it was not made: `declined`, or `dry_run`; `recorded` if it was made before under the same name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The rows, each with what follows from it right behind it.
    pub rows: Vec<BatchRowReceipt>,
    /// Ids by the `ref` of their row.
    pub references: BTreeMap<String, String>,
    /// Stands for what was planned; empty for a recorded outcome.
    pub plan_digest: String,
}

/// One row of a batch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the shape that callers see")]
pub struct BatchRowReceipt {
    /// The caller's row, from 0; rows that follow from it have the same.
    pub index: usize,
    /// What is done.
    pub op: String,
    /// Full id.
    pub id: String,
    /// What became of it, in words.
    pub outcome: String,
}

/// What is asked for.
#[derive(Debug)]
pub(crate) struct Mutations {
    pub(crate) transaction_id: String,
    pub(crate) rows: Vec<Mutation>,
    /// The rows as the caller wrote them, to tell one batch from another.
    pub(crate) written: Value,
    pub(crate) dry_run: bool,
}

/// Plans a batch, asks the user where the rules say so, and makes it.
///
/// # Errors
///
/// [`Failure::Row`] for a row that cannot be made; what asking raises; faults as they come.
pub(crate) async fn mutate(
    tracker: &Tracker,
    context: &Context,
    view: View,
    asked: &Asked,
    wanted: Mutations,
) -> Result<BatchReceipt, Problem> {
    let request_digest = canonical_hash(&wanted.written);
    let name = &wanted.transaction_id;
    let workspace = std::sync::Arc::clone(view.workspace());
    let writer = workspace.writer()?;
    if !wanted.dry_run {
        let recorded = writer.recorded(name).await.map_err(|error| of_batch(&view, error))?;
        if let Some(outcome) = recorded {
            if outcome.request_digest != request_digest {
                return Err(of_batch(&view, BatchError::NameTaken { transaction_id: name.clone() }));
            }
            return Ok(recorded_receipt(outcome, &wanted.rows));
        }
    }
    let mut view = view;
    let mut attempt = 1;
    loop {
        let planned = plan(tracker, context, &view, name, &wanted.rows, asked).await?;
        if wanted.dry_run {
            return Ok(receipt(name, &planned, Some("dry_run"), |row| row.words.clone()));
        }
        let asks = match tracker.confirmation() {
            Confirmation::Always => true,
            Confirmation::Destructive => planned.destructive,
            Confirmation::Never => false,
        };
        if asks && !approved(context, &planned.digest, &planned.seen, &planned.message(&view)).await? {
            return Ok(receipt(name, &planned, Some("declined"), |_| "not made".to_owned()));
        }
        let request = asked.request(pm_tracker_domain::change::Change::Release, context, tracker, &view)?;
        let batch = Batch {
            transaction_id: name.clone(),
            request_digest: request_digest.clone(),
            rows: planned.rows.iter().map(|row| row.row.clone()).collect(),
            seen: planned.seen.clone(),
            world: planned.world.clone(),
            now: now(context),
            author: request.by.author,
            force: asked.force,
        };
        match writer.batch(batch).await {
            Ok(BatchDone::Applied(outcome, _)) => {
                view.workspace().written();
                return Ok(applied(name, &planned, &outcome));
            }
            Ok(BatchDone::Recorded(outcome)) => return Ok(recorded_receipt(outcome, &wanted.rows)),
            Err(BatchError::Moved { .. }) if attempt < ATTEMPTS => {
                attempt += 1;
                view = view.workspace().fresh_view().await?;
            }
            Err(error) => {
                // Rows may have been made and undone again.
                view.workspace().written();
                return Err(of_row(&view, &planned, error));
            }
        }
    }
}

fn receipt(
    name: &str,
    planned: &Plan,
    reason: Option<&str>,
    outcome: impl Fn(&super::plan::PlannedRow) -> String,
) -> BatchReceipt {
    let row = |row: &super::plan::PlannedRow| BatchRowReceipt {
        index: row.index,
        op: row.op.to_owned(),
        id: row.row.id.clone(),
        outcome: outcome(row),
    };
    BatchReceipt {
        transaction_id: name.to_owned(),
        applied: reason.is_none(),
        dry_run: reason == Some("dry_run"),
        reason: reason.map(str::to_owned),
        rows: planned.rows.iter().map(row).collect(),
        references: planned.names.clone(),
        plan_digest: planned.digest.clone(),
    }
}

fn applied(name: &str, planned: &Plan, outcome: &BatchOutcome) -> BatchReceipt {
    let mut receipt = receipt(name, planned, None, |_| String::new());
    for (row, made) in receipt.rows.iter_mut().zip(&outcome.rows) {
        row.outcome = words(made);
    }
    receipt
}

fn words(made: &pm_tracker_ports::RowOutcome) -> String {
    let what = if made.wrote { "written" } else { "unchanged" };
    let mut text = format!("{what}, version {}", made.version);
    for warning in &made.warnings {
        text.push_str("; ");
        text.push_str(warning);
    }
    text
}

/// An outcome that was recorded before. What followed from a row stands behind it there too.
fn recorded_receipt(outcome: BatchOutcome, rows: &[Mutation]) -> BatchReceipt {
    let mut references = BTreeMap::new();
    let mut listed = Vec::new();
    let mut next = 0;
    for made in &outcome.rows {
        let fits = rows.get(next).is_some_and(|row| made.op != "update" || row.op.name() == "update");
        let index = if fits { next } else { next.saturating_sub(1) };
        if fits {
            if let Some(name) = rows.get(next).and_then(|row| row.name.clone()) {
                references.insert(name, made.id.clone());
            }
            next += 1;
        }
        let op = made.op.clone();
        listed.push(BatchRowReceipt { index, op, id: made.id.clone(), outcome: words(made) });
    }
    BatchReceipt {
        transaction_id: outcome.transaction_id,
        applied: true,
        dry_run: false,
        reason: Some("recorded".to_owned()),
        rows: listed,
        references,
        plan_digest: String::new(),
    }
}

fn of_row(view: &View, planned: &Plan, error: BatchError) -> Problem {
    let index = |at: usize| planned.rows.get(at).map_or(at, |row| row.index);
    match error {
        BatchError::Row { index: at, source } => match Problem::of_write(view, source) {
            Problem::Failed(failure) => Failure::Row { index: index(at), failure: Box::new(failure) }.into(),
            fault => fault,
        },
        other => of_batch(view, other),
    }
}

fn of_batch(view: &View, error: BatchError) -> Problem {
    match error {
        BatchError::UnusableName { .. } | BatchError::NameTaken { .. } => {
            Failure::argument("transactionId", error.to_string()).into()
        }
        BatchError::Moved { id, seen, current } => {
            Failure::Refused(pm_tracker_domain::change::Refusal::Stale { id, seen, current }).into()
        }
        BatchError::Row { source, .. } | BatchError::Write(source) => Problem::of_write(view, source),
        BatchError::HalfDone { .. } => pm_mcp::HandlerFault::internal(error).into(),
    }
}
