//! An import from its text to its report.

use pm_mcp::{Context, HandlerFault};
use pm_tracker_domain::import::{Draft, ImportFormat, read};
use serde::Deserialize;

use super::ask::ask;
use super::make::Maker;
use super::plan::{Plan, called, plan};
use super::report::{ImportDuplicate, ImportReport, ImportSkipped, ImportedItem};
use crate::failure::Problem;
use crate::tracker::Tracker;
use crate::view::View;
use crate::watch::Watch;
use crate::writing::Asked;

/// What to do with entries that seem to repeat an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Duplicates {
    #[default]
    Ask,
    Skip,
    Create,
}

/// What is asked for.
#[derive(Debug)]
pub(crate) struct Importing {
    pub(crate) format: ImportFormat,
    pub(crate) text: String,
    pub(crate) duplicates: Duplicates,
    pub(crate) dry_run: bool,
}

/// Reads a text, asks about what seems to be there already, and makes the rest.
///
/// # Errors
///
/// What asking raises; faults as they come. What is wrong with single entries is part of the report.
pub(crate) async fn import(
    tracker: &Tracker,
    context: &Context,
    view: View,
    asked: &Asked,
    wanted: Importing,
    watch: &Watch,
) -> Result<ImportReport, Problem> {
    let Importing { format, text, duplicates, dry_run } = wanted;
    if !dry_run {
        view.workspace().writer()?;
    }
    let world = view.world().await?;
    let planned = tokio::task::spawn_blocking(move || plan(format, read(format, &text), &world)).await;
    let Plan { read, entries, skipped, errors, known } =
        planned.map_err(|fault| Problem::from(HandlerFault::internal(fault)))?;
    let mut report =
        ImportReport { format: format.name().to_owned(), read, skipped, errors, ..ImportReport::default() };

    let like: Vec<&super::plan::Entry> = entries.iter().filter(|entry| !entry.like.is_empty()).collect();
    let decided: Vec<bool> = match duplicates {
        _ if dry_run => vec![duplicates != Duplicates::Skip; like.len()],
        Duplicates::Skip => vec![false; like.len()],
        Duplicates::Create => vec![true; like.len()],
        Duplicates::Ask => ask(context, format, &like).await?,
    };
    let mut decided = decided.into_iter();
    let mut drafts: Vec<Draft> = Vec::new();
    for entry in entries {
        let from = called(&entry.draft, format);
        if entry.like.is_empty() {
            drafts.push(entry.draft);
            continue;
        }
        let create = decided.next().unwrap_or_default();
        let of: Vec<String> = entry.like.into_iter().map(|like| like.id).collect();
        let title = entry.draft.title.clone();
        let decision = match (dry_run && duplicates == Duplicates::Ask, create) {
            (true, _) => "ask",
            (false, true) => "create",
            (false, false) => "skip",
        };
        if decision == "skip" {
            let reason = format!("repeats {}", of.join(", "));
            report.skipped.push(ImportSkipped { title: title.clone(), from: from.clone(), reason });
        } else if decision == "create" {
            drafts.push(entry.draft);
        }
        report.duplicates.push(ImportDuplicate { title, from, of, decision });
    }
    if dry_run {
        let would = |draft: &Draft| ImportedItem {
            id: None,
            title: draft.title.clone(),
            from: called(draft, format),
        };
        report.created = drafts.iter().map(would).collect();
        return Ok(report);
    }
    let mut maker = Maker { tracker, context, view: &view, asked, format, ids: known };
    maker.make(drafts, watch, &mut report).await?;
    Ok(report)
}
