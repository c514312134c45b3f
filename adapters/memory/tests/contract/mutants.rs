//! Stores that are wrong on purpose. Each is caught by the law that names its fault.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use pm_mcp_domain::task::{TaskId, TaskRecord};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_memory::MemoryTaskStore;
use pm_mcp_ports::driven::{
    BackendError, CreateError, DuePlace, Durability, LONGEST_BODY, Page, RemoveError, ReplaceError, Revision,
    Stored, TaskStore,
};

use crate::laws::LAWS;

/// What is wrong with a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
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
}

/// The memory store with one fault.
#[derive(Debug)]
struct Mutant {
    fault: Fault,
    inner: MemoryTaskStore,
    /// What was stored before the latest write, for the store that reads late.
    earlier: std::sync::Mutex<std::collections::BTreeMap<TaskId, Option<Stored>>>,
    /// How often it was read; every other read is late.
    loads: AtomicU64,
}

impl Mutant {
    fn with(fault: Fault) -> Arc<dyn TaskStore> {
        Arc::new(Self {
            fault,
            inner: MemoryTaskStore::default(),
            earlier: Default::default(),
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
        Durability::Volatile
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
            tokio::task::yield_now().await;
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
}

async fn breaks(fault: Fault, law: &str) {
    let law = LAWS.iter().find(|listed| listed.id == law).expect("the law is listed");
    let outcome = (law.check)(Mutant::with(fault)).await;
    assert!(outcome.is_err(), "{} ({}) does not catch the store that {fault:?}", law.id, law.claim);
}

/// One test a wrong store.
macro_rules! mutants {
    ($($law:literal $test:ident $fault:ident;)*) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $test() {
                breaks(Fault::$fault, $law).await;
            }
        )*

        #[test]
        fn every_law_has_a_wrong_store() {
            let broken = [$($law),*];
            for law in LAWS {
                assert!(broken.contains(&law.id), "no wrong store breaks {}", law.id);
            }
        }
    };
}

mutants! {
    "TS-01" ts_01_catches_a_create_that_overwrites CreateOverwrites;
    "TS-02" ts_02_catches_cut_bodies CutsBodies;
    "TS-02" ts_02_catches_forgotten_principals ForgetsPrincipals;
    "TS-03" ts_03_catches_late_reads LoadsOneWriteLate;
    "TS-04" ts_04_catches_a_replace_that_creates CreatesOnReplace;
    "TS-05" ts_05_catches_a_write_before_the_comparison WritesBeforeItCompares;
    "TS-05" ts_05_catches_ignored_revisions IgnoresTheRevision;
    "TS-06" ts_06_catches_a_gap_between_comparison_and_write ComparesBeforeItWaits;
    "TS-07" ts_07_catches_revisions_counted_per_record CountsRevisionsPerRecord;
    "TS-09" ts_09_catches_a_replace_in_two_steps RemovesFirstWhenItReplaces;
    "TS-10" ts_10_catches_skipped_records SkipsAtPageEnds;
    "TS-10" ts_10_catches_repeated_records RepeatsAtPageEnds;
    "TS-11" ts_11_catches_an_instant_too_few DueExcludesTheInstant;
    "TS-11" ts_11_catches_an_instant_too_many DueIncludesTheNextMillisecond;
    "TS-12" ts_12_catches_a_list_of_everything UnfinishedListsEverything;
    "TS-13" ts_13_catches_discarded_formats DiscardsUnknownFormats;
    "TS-14" ts_14_catches_a_remove_that_ignores_revisions RemovesWhateverIsThere;
    "TS-15" ts_15_catches_records_cut_to_fit TakesLongRecords;
}
