//! Stores that are wrong on purpose. Each is caught by the law that names its fault.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use pm_mcp_contract::task_store::LAWS;
use pm_mcp_contract::{FreshStore, HarnessError, TaskStoreHarness};
use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::{TaskId, TaskRecord};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_memory::MemoryTaskStore;
use pm_mcp_ports::driven::{
    BackendError, CreateError, DuePlace, Durability, LONGEST_BODY, Page, RemoveError, ReplaceError, Revision,
    Stored, TaskStore,
};

use crate::caught::mutants;
use crate::gap::Gap;

/// Between the comparison and the write of the store that compares before it waits.
static GAP: Gap = Gap::new();

/// What is wrong with a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    None,
    AcknowledgesBeforeItWrites,
    ClaimsTooMuch,
    CreateOverwrites,
    CutsBodies,
    ForgetsPrincipals,
    LoadsOneWriteLate,
    CreatesOnReplace,
    WritesBeforeItCompares,
    IgnoresTheRevision,
    ComparesBeforeItWaits,
    CountsRevisionsPerRecord,
    RemovesFirstWhenItReplaces,
    SkipsAtPageEnds,
    RepeatsAtPageEnds,
    DueExcludesTheInstant,
    DueIncludesTheNextMillisecond,
    UnfinishedListsEverything,
    DiscardsUnknownFormats,
    RemovesWhateverIsThere,
    TakesLongRecords,
    CountsUnfinishedOnly,
    CountsEverybody,
    ShowsBeforeItKeeps,
}

/// The memory store with one fault.
#[derive(Debug)]
struct Mutant {
    fault: Fault,
    inner: MemoryTaskStore,
    /// What was stored before the latest write, for the store that reads late.
    earlier: std::sync::Mutex<std::collections::BTreeMap<TaskId, Option<Stored>>>,
    /// What is shown already and not kept yet.
    shown: std::sync::Mutex<Option<Stored>>,
    /// How often it was read; every other read is late.
    loads: AtomicU64,
}

impl Mutant {
    fn with(fault: Fault) -> Arc<dyn TaskStore> {
        Arc::new(Self {
            fault,
            inner: MemoryTaskStore::default(),
            earlier: Default::default(),
            shown: Default::default(),
            loads: AtomicU64::new(0),
        })
    }

    fn is(&self, fault: Fault) -> bool {
        self.fault == fault
    }

    /// What the faulty store writes in the place of `record`.
    fn spoilt(&self, record: &TaskRecord) -> TaskRecord {
        let mut record = record.clone();
        if self.is(Fault::CutsBodies) {
            record.body.truncate(LONGEST_BODY - 1);
        }
        if self.is(Fault::ForgetsPrincipals) {
            record.principal = pm_mcp_domain::ident::Principal::from_stored("");
        }
        if self.is(Fault::TakesLongRecords) {
            record.body.truncate(LONGEST_BODY);
        }
        record
    }

    async fn current(&self, id: &TaskId) -> Option<Revision> {
        self.inner.load(id).await.ok().flatten().map(|stored| stored.revision)
    }
}

#[async_trait]
impl TaskStore for Mutant {
    fn durability(&self) -> Durability {
        Durability::Durable
    }

    async fn create(&self, record: &TaskRecord) -> Result<Revision, CreateError> {
        let record = self.spoilt(record);
        if self.is(Fault::CreateOverwrites)
            && let Some(revision) = self.current(&record.id).await
        {
            return Ok(self.inner.replace(&record, revision).await.unwrap_or(revision));
        }
        if self.is(Fault::LoadsOneWriteLate) {
            self.earlier.lock().unwrap().insert(record.id.clone(), None);
        }
        let revision = self.inner.create(&record).await?;
        if self.is(Fault::CountsRevisionsPerRecord) {
            return Ok(Revision::from_u64(0));
        }
        Ok(revision)
    }

    async fn load(&self, id: &TaskId) -> Result<Option<Stored>, BackendError> {
        let found = self.inner.load(id).await?;
        if self.is(Fault::LoadsOneWriteLate) && self.loads.fetch_add(1, Ordering::Relaxed) % 2 == 1 {
            return Ok(self.earlier.lock().unwrap().get(id).cloned().unwrap_or(found));
        }
        if let Some(shown) = self.shown.lock().unwrap().clone().filter(|shown| shown.record.id == *id) {
            return Ok(Some(shown));
        }
        if self.is(Fault::DiscardsUnknownFormats) {
            return Ok(found.filter(|stored| stored.record.body.first() != Some(&b'{')));
        }
        Ok(found)
    }

    async fn replace(&self, record: &TaskRecord, expected: Revision) -> Result<Revision, ReplaceError> {
        let record = self.spoilt(record);
        let current = self.current(&record.id).await;
        if self.is(Fault::CreatesOnReplace) && current.is_none() {
            return self.inner.create(&record).await.map_err(|_| ReplaceError::Conflict);
        }
        if self.is(Fault::IgnoresTheRevision)
            && let Some(revision) = current
        {
            return self.inner.replace(&record, revision).await;
        }
        if self.is(Fault::WritesBeforeItCompares)
            && let Some(revision) = current.filter(|revision| *revision != expected)
        {
            self.inner.replace(&record, revision).await?;
            return Err(ReplaceError::Conflict);
        }
        if self.is(Fault::ComparesBeforeItWaits) {
            if current != Some(expected) {
                return Err(ReplaceError::Conflict);
            }
            GAP.pass().await;
            let revision = self.current(&record.id).await.ok_or(ReplaceError::Conflict)?;
            return self.inner.replace(&record, revision).await;
        }
        if self.is(Fault::CountsRevisionsPerRecord)
            && let Some(revision) = current
        {
            self.inner.replace(&record, revision).await?;
            return Ok(Revision::from_u64(expected.as_u64() + 1));
        }
        if self.is(Fault::RemovesFirstWhenItReplaces) {
            self.inner.remove(&record.id, expected).await.map_err(|_| ReplaceError::Conflict)?;
            tokio::task::yield_now().await;
            return self.inner.create(&record).await.map_err(|_| ReplaceError::Conflict);
        }
        if self.is(Fault::ShowsBeforeItKeeps) && current == Some(expected) {
            let shown = Stored { record: record.clone(), revision: Revision::from_u64(u64::MAX) };
            *self.shown.lock().unwrap() = Some(shown);
            tokio::task::yield_now().await;
            let kept = self.inner.replace(&record, expected).await;
            *self.shown.lock().unwrap() = None;
            return kept;
        }
        if self.is(Fault::LoadsOneWriteLate) {
            let found = self.inner.load(&record.id).await?;
            self.earlier.lock().unwrap().insert(record.id.clone(), found);
        }
        self.inner.replace(&record, expected).await
    }

    async fn remove(&self, id: &TaskId, expected: Revision) -> Result<(), RemoveError> {
        let whatever = self.is(Fault::RemovesWhateverIsThere) || self.is(Fault::CountsRevisionsPerRecord);
        let expected = if whatever { self.current(id).await.unwrap_or(expected) } else { expected };
        self.inner.remove(id, expected).await
    }

    async fn due(&self, by: Timestamp, page: Page<DuePlace>) -> Result<Vec<Stored>, BackendError> {
        let by = match self.fault {
            Fault::DueExcludesTheInstant => Timestamp::from_unix_ms(by.as_unix_ms().saturating_sub(1)),
            Fault::DueIncludesTheNextMillisecond => {
                Timestamp::from_unix_ms(by.as_unix_ms().saturating_add(1))
            }
            _ => by,
        };
        if self.is(Fault::SkipsAtPageEnds) && page.after.is_some() {
            let size = page.size.checked_add(1).unwrap_or(NonZeroUsize::MIN);
            let found = self.inner.due(by, Page { size, ..page }).await?;
            return Ok(found.into_iter().skip(1).collect());
        }
        self.inner.due(by, page).await
    }

    async fn unfinished(&self, page: Page<TaskId>) -> Result<Vec<Stored>, BackendError> {
        if self.is(Fault::RepeatsAtPageEnds)
            && let Some(after) = page.after.clone()
            && page.size.get() > 1
        {
            let again = self.inner.load(&after).await?;
            let size = NonZeroUsize::new(page.size.get() - 1).unwrap_or(NonZeroUsize::MIN);
            let found = self.inner.unfinished(Page { size, ..page }).await?;
            return Ok(if found.is_empty() { found } else { again.into_iter().chain(found).collect() });
        }
        if self.is(Fault::UnfinishedListsEverything) && page.after.is_none() {
            let all = Page::first(page.size);
            return self.inner.due(Timestamp::from_unix_ms(i64::MAX), all).await;
        }
        self.inner.unfinished(page).await
    }

    async fn held(&self, principal: &Principal) -> Result<usize, BackendError> {
        let size = NonZeroUsize::new(1_000).unwrap();
        match self.fault {
            Fault::CountsUnfinishedOnly => {
                let unfinished = self.inner.unfinished(Page::first(size)).await?;
                Ok(unfinished.iter().filter(|stored| stored.record.principal == *principal).count())
            }
            Fault::CountsEverybody => {
                Ok(self.inner.due(Timestamp::from_unix_ms(i64::MAX), Page::first(size)).await?.len())
            }
            _ => self.inner.held(principal).await,
        }
    }
}

/// Stores with one fault. What it has written is what it holds, so opening again finds the store as it is, unless the
/// fault is that nothing was written yet.
struct Wrong(Fault);

#[async_trait]
impl TaskStoreHarness for Wrong {
    type Guard = ();

    fn durability(&self) -> Durability {
        if self.0 == Fault::ClaimsTooMuch { Durability::Volatile } else { Durability::Durable }
    }

    async fn fresh(&self) -> Result<(Arc<dyn TaskStore>, ()), HarnessError> {
        Ok((Mutant::with(self.0), ()))
    }

    async fn reopen(
        &self,
        _place: &mut (),
        killed: Arc<dyn TaskStore>,
    ) -> Result<Arc<dyn TaskStore>, HarnessError> {
        Ok(match self.0 {
            Fault::AcknowledgesBeforeItWrites => Mutant::with(Fault::None),
            Fault::ShowsBeforeItKeeps => {
                // What was only shown is gone with the process.
                let kept = killed.unfinished(Page::first(NonZeroUsize::MAX)).await?;
                let fresh = Mutant::with(Fault::None);
                for stored in kept {
                    fresh.create(&stored.record).await?;
                }
                fresh
            }
            _ => killed,
        })
    }
}

async fn wrong(fault: Fault) -> FreshStore {
    FreshStore::of(Wrong(fault)).await.unwrap()
}

mod without_fault {
    use super::{Fault, Wrong};

    pm_mcp_contract::task_store_contract!(Wrong(Fault::None));
}

mutants! {
    LAWS, wrong;
    ts_01_create_is_exclusive
        ts_01_catches_a_create_that_overwrites Fault::CreateOverwrites;
    ts_02_everything_comes_back_unchanged
        ts_02_catches_cut_bodies Fault::CutsBodies;
    ts_02_everything_comes_back_unchanged
        ts_02_catches_forgotten_principals Fault::ForgetsPrincipals;
    ts_03_load_finds_the_latest_write
        ts_03_catches_late_reads Fault::LoadsOneWriteLate;
    ts_04_replace_succeeds_at_the_stored_revision
        ts_04_catches_a_replace_that_creates Fault::CreatesOnReplace;
    ts_05_a_stale_replace_changes_nothing
        ts_05_catches_a_write_before_the_comparison Fault::WritesBeforeItCompares;
    ts_05_a_stale_replace_changes_nothing
        ts_05_catches_ignored_revisions Fault::IgnoresTheRevision;
    ts_06_one_of_many_wins_each_revision
        ts_06_catches_a_gap_between_comparison_and_write Fault::ComparesBeforeItWaits;
    ts_07_revisions_are_never_reused
        ts_07_catches_revisions_counted_per_record Fault::CountsRevisionsPerRecord;
    ts_08_acknowledged_writes_survive_a_killed_process
        ts_08_catches_an_answer_before_the_write Fault::AcknowledgesBeforeItWrites;
    ts_08_durability_is_as_declared
        ts_08_catches_a_volatile_store_that_says_durable Fault::ClaimsTooMuch;
    ts_09_a_dropped_call_leaves_all_or_nothing
        ts_09_catches_a_replace_in_two_steps Fault::RemovesFirstWhenItReplaces;
    ts_10_paging_neither_repeats_nor_skips
        ts_10_catches_skipped_records Fault::SkipsAtPageEnds;
    ts_10_paging_neither_repeats_nor_skips
        ts_10_catches_repeated_records Fault::RepeatsAtPageEnds;
    ts_11_due_is_exact_at_the_boundary
        ts_11_catches_an_instant_too_few Fault::DueExcludesTheInstant;
    ts_11_due_is_exact_at_the_boundary
        ts_11_catches_an_instant_too_many Fault::DueIncludesTheNextMillisecond;
    ts_12_unfinished_is_exact
        ts_12_catches_a_list_of_everything Fault::UnfinishedListsEverything;
    ts_13_unknown_formats_come_back_like_any_other
        ts_13_catches_discarded_formats Fault::DiscardsUnknownFormats;
    ts_14_remove_succeeds_at_the_stored_revision
        ts_14_catches_a_remove_that_ignores_revisions Fault::RemovesWhateverIsThere;
    ts_15_refused_writes_change_nothing
        ts_15_catches_records_cut_to_fit Fault::TakesLongRecords;
    ts_16_held_counts_the_records_of_one_principal
        ts_16_catches_a_count_of_unfinished_records Fault::CountsUnfinishedOnly;
    ts_16_held_counts_the_records_of_one_principal
        ts_16_catches_a_count_of_everybody Fault::CountsEverybody;
    ts_17_what_was_read_survives_a_killed_process
        ts_17_catches_a_record_that_is_shown_before_it_is_kept Fault::ShowsBeforeItKeeps;
}
