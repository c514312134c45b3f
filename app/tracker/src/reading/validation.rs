//! Checks of a workspace.

use std::collections::BTreeMap;
use std::sync::Arc;

use pm_mcp::Timestamp;
use pm_tracker_domain::board::Board;
use pm_tracker_domain::check::{
    self, CheckRow, ItemPlace, LinkFact, LinkState, MetadataProfile, NormalFormFact, Report, SharedId,
    StorageFacts, StreamFact, UnreadableFile, UnreadableLine, UnreadableReason, ValidationCheck,
};
use pm_tracker_domain::{GovernancePreset, Timestamp as Instant};
use pm_tracker_ports::{
    CheckProgress as _, FileForm, HistoryCheck, LinkTarget, ReadError, UnreadableReason as Unserved,
    WorkspaceSnapshot,
};

use super::report::CheckReport;
use crate::failure::Problem;
use crate::view::View;
use crate::watch::Watch;

/// What to check.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_structs, reason = "a plain question")]
pub struct ValidationQuestion {
    /// The checks; none means all.
    pub checks: Vec<ValidationCheck>,
    /// Whether what should be looked at counts as wrong.
    pub strict: bool,
}

/// What the checks need that the snapshot does not hold, as far as a wanted check needs it.
#[derive(Debug, Default)]
struct Facts {
    streams: Vec<StreamFact>,
    links: Vec<LinkFact>,
    forms: Vec<NormalFormFact>,
    unfinished_batches: Vec<String>,
}

/// Checks a workspace and shows the first findings of each check. Nothing is repaired. `watch` hears how far it is, and
/// stops it.
///
/// # Errors
///
/// As [`whole_validation`].
pub async fn validation(
    view: &View,
    question: ValidationQuestion,
    now: Timestamp,
    watch: &Watch,
) -> Result<CheckReport, Problem> {
    whole_validation(view, question, now, watch).await.map(CheckReport::shortened)
}

/// Checks a workspace and gives every finding. Nothing is repaired. `watch` hears how far it is, and stops it.
///
/// # Errors
///
/// [`Failure::WorkspaceMissing`](crate::Failure::WorkspaceMissing) if it cannot be read as a whole; faults as they
/// come.
pub async fn whole_validation(
    view: &View,
    question: ValidationQuestion,
    now: Timestamp,
    watch: &Watch,
) -> Result<CheckReport, Problem> {
    let wanted: Vec<ValidationCheck> = ValidationCheck::ALL
        .into_iter()
        .filter(|check| question.checks.is_empty() || question.checks.contains(check))
        .collect();
    let facts = gather(view, &wanted, watch)
        .await
        .map_err(|error| Problem::of_workspace(view.workspace().name(), error))?;
    let now = Instant::from_unix_ms(now.as_unix_ms());
    let part = watch.part("checking items");
    let report = view
        .on_board(move |board, view| {
            let total = wanted.len();
            let rows = wanted.into_iter().enumerate().map(|(done, check)| {
                part.advanced(done, total);
                run(check, board, view.snapshot(), &facts)
            });
            Report::new(rows.collect(), question.strict, now)
        })
        .await?;
    Ok(CheckReport(report))
}

async fn gather(view: &View, wanted: &[ValidationCheck], watch: &Watch) -> Result<Facts, ReadError> {
    let repository = view.repository();
    let mut facts = Facts::default();
    let needs_histories =
        [ValidationCheck::HistoryDrift, ValidationCheck::FormatVersion, ValidationCheck::StorageIntegrity];
    if needs_histories.iter().any(|check| wanted.contains(check)) {
        let checks = repository.check_histories(Arc::new(watch.part("checking histories"))).await?;
        facts.streams = checks.into_iter().map(stream_fact).collect();
    }
    if wanted.contains(&ValidationCheck::NormalForm) {
        let differing = repository.check_forms(Arc::new(watch.part("checking files"))).await?;
        facts.forms =
            differing.into_iter().map(|form| NormalFormFact { item: form.id, path: form.path }).collect();
    }
    if wanted.contains(&ValidationCheck::StorageIntegrity)
        && let Ok(writer) = view.workspace().writer()
    {
        // A writer that cannot say it says so at the next change.
        facts.unfinished_batches = writer.unfinished().await.unwrap_or_default();
    }
    if wanted.contains(&ValidationCheck::Files) {
        facts.links = links(view).await?;
    }
    Ok(facts)
}

async fn links(view: &View) -> Result<Vec<LinkFact>, ReadError> {
    let links: Vec<check::Link<'_>> = view.snapshot().iter().flat_map(|item| check::links(item)).collect();
    let mut paths: Vec<String> = links.iter().map(|link| link.path.to_owned()).collect();
    paths.sort_unstable();
    paths.dedup();
    let targets = view.repository().link_targets(&paths).await?;
    let states: BTreeMap<&str, LinkState> =
        paths.iter().map(String::as_str).zip(targets.into_iter().map(link_state)).collect();
    let fact = |link: &check::Link<'_>| LinkFact {
        item: link.item.to_owned(),
        list: link.list,
        path: link.path.to_owned(),
        state: states.get(link.path).copied().unwrap_or(LinkState::Missing),
    };
    Ok(links.iter().map(fact).collect())
}

const fn link_state(target: LinkTarget) -> LinkState {
    match target {
        LinkTarget::File | LinkTarget::Folder => LinkState::Present,
        LinkTarget::Missing => LinkState::Missing,
        LinkTarget::Outside => LinkState::Outside,
    }
}

fn stream_fact(check: HistoryCheck) -> StreamFact {
    let unreadable = check.faults.into_iter().map(|fault| UnreadableLine {
        line: fault.line,
        torn: fault.torn,
        detail: fault.detail,
    });
    StreamFact {
        item: check.id,
        exists: check.exists,
        entries: check.entries,
        unreadable: unreadable.collect(),
        findings: check.findings,
        differing_documents: check.differing_documents,
    }
}

fn run(check: ValidationCheck, board: &Board, snapshot: &WorkspaceSnapshot, facts: &Facts) -> CheckRow {
    let (schema, settings) = (&*snapshot.schema, &*snapshot.settings);
    match check {
        ValidationCheck::Metadata => {
            let profile = match settings.governance.preset {
                GovernancePreset::Minimal | GovernancePreset::Custom => MetadataProfile::Core,
                GovernancePreset::Default => MetadataProfile::Standard,
                GovernancePreset::Strict => MetadataProfile::Strict,
            };
            check::metadata(board.items(), schema, settings, profile)
        }
        ValidationCheck::Resolution => check::resolution(board.items(), schema, settings),
        ValidationCheck::Lifecycle => check::lifecycle(board, settings),
        ValidationCheck::DependencyReferences => check::dependency_references(board),
        ValidationCheck::Files => check::files(&facts.links),
        ValidationCheck::HistoryDrift => check::history_drift(&facts.streams, settings),
        ValidationCheck::FormatVersion => check::format_version(board.items(), &facts.streams),
        ValidationCheck::StorageIntegrity => storage(snapshot, facts),
        ValidationCheck::NormalForm => {
            let compared = snapshot.items.values().filter(|file| file.form == FileForm::Toon).count();
            check::normal_form(&facts.forms, compared)
        }
    }
}

fn storage(snapshot: &WorkspaceSnapshot, facts: &Facts) -> CheckRow {
    let places: Vec<ItemPlace> = snapshot
        .items
        .values()
        .map(|file| ItemPlace {
            id: file.item.id().to_owned(),
            type_name: file.item.type_name().to_owned(),
            path: file.path.clone(),
        })
        .collect();
    let shared_ids: Vec<SharedId> = snapshot
        .duplicates
        .iter()
        .map(|duplicate| SharedId { id: duplicate.id.clone(), paths: duplicate.paths.clone() })
        .collect();
    let unreadable: Vec<UnreadableFile> = snapshot
        .unreadable
        .iter()
        .map(|file| UnreadableFile {
            path: file.path.clone(),
            reason: match file.reason {
                Unserved::MergeConflict { .. } => UnreadableReason::MergeMarks,
                Unserved::Malformed { .. } | Unserved::NotAnItem { .. } => UnreadableReason::Malformed,
                Unserved::NameDiffers { .. } => UnreadableReason::Misnamed,
                Unserved::LeavesRoot | Unserved::TooLarge { .. } | Unserved::Io { .. } => {
                    UnreadableReason::Inaccessible
                }
            },
            detail: file.reason.to_string(),
        })
        .collect();
    let facts = StorageFacts {
        places: &places,
        shared_ids: &shared_ids,
        unreadable: &unreadable,
        streams: &facts.streams,
        unfinished_batches: &facts.unfinished_batches,
        schema_problems: &snapshot.schema_problems,
        settings_problem: snapshot.settings_problem.as_ref().map(|problem| problem.detail.as_str()),
        settings_missing: &snapshot.settings.missing,
    };
    check::storage_integrity(&facts, &snapshot.schema)
}
