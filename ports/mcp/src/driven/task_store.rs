//! Records of tasks.

use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::{TaskId, TaskRecord};
use pm_mcp_domain::time::Timestamp;

use super::backend_error::BackendError;
use super::store_error::{CreateError, RemoveError, ReplaceError};
use super::stored::{DuePlace, Durability, Page, Revision, Stored};

/// Keeps records of tasks, and knows nothing of what they mean: no clock, no sweeper, no locks that callers see.
///
/// Compare-and-replace is the only way to change a record, so that two processes, or two machines, are safe by the same
/// law: of two who decide on the same revision, one is told to read again.
///
/// # Laws
///
/// Each method repeats its own; these hold for all.
///
/// - TS-08: what `Ok` acknowledged is found by every later call of everyone who shares the store, also after the process
///   was killed. A store that says [`Durability::Volatile`] may forget with the process.
/// - TS-09: a dropped future had its whole effect or none.
/// - TS-13: bodies are bytes. A store reads none, so what a newer version wrote comes back like any other.
/// - TS-17: a record that a read yielded is not taken back: whoever reads later finds it or a newer one, also after the
///   process was killed or the power was lost, and also if its write was never acknowledged. A store shows no record that
///   is not durable yet; a read waits for that, or sees to it. That a record is gone may be taken back until its removal
///   is acknowledged.
/// - TS-15: an error other than a [`BackendError`] with [`Applied::Unknown`](super::Applied::Unknown) means that nothing
///   changed.
///
/// Not promised: that a page is a snapshot, that revisions of different tasks compare, that a revision tells how often
/// a record changed, that anything is removed by itself.
///
/// ```
/// use pm_mcp_domain::task::TaskRecord;
/// use pm_mcp_ports::driven::{ReplaceError, TaskStore};
///
/// /// Writes what `decide` makes of the newest record, however many others write at the same time.
/// async fn change(
///     store: &dyn TaskStore,
///     record: &TaskRecord,
///     decide: impl Fn(&TaskRecord) -> TaskRecord,
/// ) -> Result<(), ReplaceError> {
///     while let Some(stored) = store.load(&record.id).await? {
///         match store.replace(&decide(&stored.record), stored.revision).await {
///             Err(ReplaceError::Conflict) => continue,
///             done => return done.map(drop),
///         }
///     }
///     Err(ReplaceError::Conflict)
/// }
/// ```
#[async_trait]
pub trait TaskStore: Debug + Send + Sync + 'static {
    /// What `Ok` of this store survives. It never changes in the life of a store.
    fn durability(&self) -> Durability;

    /// Adds a record.
    ///
    /// - TS-01: of any number of callers that create one id, exactly one gets `Ok`; the others change nothing.
    /// - TS-02: id, principal, `due`, `finished` and body come back unchanged, for every body up to [`LONGEST_BODY`](super::LONGEST_BODY),
    ///   every principal up to [`LONGEST_PRINCIPAL`](super::LONGEST_PRINCIPAL) of any characters, and every instant.
    /// - TS-07: the revision was never given out for this id before, not even before a removal.
    ///
    /// # Errors
    ///
    /// [`CreateError::AlreadyExists`] when there is a record with the id; [`CreateError::Full`] when the store keeps no
    /// more; [`CreateError::TooLong`] beyond what every store takes; [`CreateError::Backend`] when storing failed.
    async fn create(&self, record: &TaskRecord) -> Result<Revision, CreateError>;

    /// Finds a record.
    ///
    /// - TS-03: it finds the latest acknowledged write, or one that is not acknowledged yet; `None` when there is none.
    ///
    /// # Errors
    ///
    /// When reading failed.
    async fn load(&self, id: &TaskId) -> Result<Option<Stored>, BackendError>;

    /// Writes a record in the place of the one with the same id.
    ///
    /// - TS-04: it succeeds exactly if the stored revision is `expected`, and gives the new one.
    /// - TS-05: a stale replace changes nothing.
    /// - TS-06: of any number of callers that expect one revision, exactly one gets `Ok`.
    /// - TS-07: the new revision was never given out for this id before.
    ///
    /// # Errors
    ///
    /// [`ReplaceError::Conflict`] when the record has another revision or is not there; [`ReplaceError::Full`] when the
    /// store has no room for what is longer; [`ReplaceError::TooLong`] beyond what every store takes;
    /// [`ReplaceError::Backend`] when storing failed.
    async fn replace(&self, record: &TaskRecord, expected: Revision) -> Result<Revision, ReplaceError>;

    /// Removes a record.
    ///
    /// - TS-14: it succeeds exactly if the stored revision is `expected`, and the record is gone for every method; else it
    ///   changes nothing.
    ///
    /// # Errors
    ///
    /// [`RemoveError::Conflict`] when the record has another revision or is not there; [`RemoveError::Backend`] when
    /// removing failed.
    async fn remove(&self, id: &TaskId, expected: Revision) -> Result<(), RemoveError>;

    /// A page of the records whose `due` has come at the instant `by`, in the order of `due` and then of id.
    ///
    /// - TS-10: whoever goes on after the last record of each page until one is empty sees every record that nobody
    ///   touches meanwhile, and sees it once. A page is never longer than asked for, and it is empty only at the end.
    /// - TS-11: `due` at `by` and before is in, one millisecond later is out; a record without `due` is never in.
    ///
    /// # Errors
    ///
    /// When reading failed.
    async fn due(&self, by: Timestamp, page: Page<DuePlace>) -> Result<Vec<Stored>, BackendError>;

    /// A page of the records that are not `finished`, in the order of id, for recovery after a restart.
    ///
    /// - TS-10 holds here too.
    /// - TS-12: exactly the records with `finished` false are in.
    ///
    /// # Errors
    ///
    /// When reading failed.
    async fn unfinished(&self, page: Page<TaskId>) -> Result<Vec<Stored>, BackendError>;

    /// How many records a principal has, finished or not: what a limit on tasks of one principal is held against. It is
    /// asked before each creation, so it should cost no more than one.
    ///
    /// - TS-16: it is the number of records with this principal that are there, whoever created them. A record that is
    ///   being created or removed meanwhile may count or not.
    ///
    /// # Errors
    ///
    /// When reading failed.
    async fn held(&self, principal: &Principal) -> Result<usize, BackendError>;
}

macro_rules! forward {
    ($pointer:ident) => {
        #[deny(clippy::missing_trait_methods, reason = "a pointer answers what its target answers")]
        #[async_trait]
        impl<S: TaskStore + ?Sized> TaskStore for $pointer<S> {
            fn durability(&self) -> Durability {
                (**self).durability()
            }

            async fn create(&self, record: &TaskRecord) -> Result<Revision, CreateError> {
                (**self).create(record).await
            }

            async fn load(&self, id: &TaskId) -> Result<Option<Stored>, BackendError> {
                (**self).load(id).await
            }

            async fn replace(
                &self,
                record: &TaskRecord,
                expected: Revision,
            ) -> Result<Revision, ReplaceError> {
                (**self).replace(record, expected).await
            }

            async fn remove(&self, id: &TaskId, expected: Revision) -> Result<(), RemoveError> {
                (**self).remove(id, expected).await
            }

            async fn due(&self, by: Timestamp, page: Page<DuePlace>) -> Result<Vec<Stored>, BackendError> {
                (**self).due(by, page).await
            }

            async fn unfinished(&self, page: Page<TaskId>) -> Result<Vec<Stored>, BackendError> {
                (**self).unfinished(page).await
            }

            async fn held(&self, principal: &Principal) -> Result<usize, BackendError> {
                (**self).held(principal).await
            }
        }
    };
}

forward!(Arc);
forward!(Box);
