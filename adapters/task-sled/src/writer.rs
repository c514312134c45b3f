//! The thread that applies what callers ask for, in their order.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;
use std::sync::{Arc, OnceLock};

use tokio::sync::{mpsc, oneshot};

use crate::committer::Commit;
use crate::fault::Fault;
use crate::kept::Kept;

/// The most callers that share one batch.
const GROUP: usize = 256;
/// How many bytes make a batch long enough.
const GROUP_BYTES: usize = 1 << 20;

/// What is done for one caller: it reads and checks first, and changes only what cannot fail any more.
pub(crate) type Job = Box<dyn FnOnce(&mut Kept, &Health) -> Option<Waiting> + Send>;

/// Tells a caller how the sync of its change went.
pub(crate) type Waiting = Box<dyn FnOnce(Result<(), Fault>) + Send>;

/// What a job came to.
pub(crate) enum Done<T> {
    /// Nothing was changed, and what was seen is on the disk: the caller is told at once.
    Unchanged(T),
    /// Something was changed, or seen that is not on the disk yet: the caller is told when it is.
    Changed(T),
}

/// Whether the database can still be trusted. Once it cannot, that stays.
#[derive(Clone, Default, Debug)]
pub(crate) struct Health(Arc<OnceLock<Arc<Fault>>>);

impl Health {
    pub(crate) fn check(&self) -> Result<(), Fault> {
        self.0.get().map_or(Ok(()), |fault| Err(Fault::Unhealthy(Arc::clone(fault))))
    }

    /// Notes the fault. The first one is the one to tell.
    pub(crate) fn lose(&self, fault: &Fault) {
        if self.0.set(Arc::new(fault.clone())).is_ok() {
            tracing::error!(%fault, "the task database cannot go on; open it again");
        }
    }

    /// Does what may panic in sled.
    pub(crate) fn guard<T>(&self, work: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
        self.check()?;
        let done = catch_unwind(AssertUnwindSafe(work))
            .unwrap_or_else(|panic| Err(Fault::Panicked(text(&*panic).into())));
        if let Err(fault) = &done {
            match fault {
                Fault::LargeBody { .. }
                | Fault::NewerEnvelope { .. }
                | Fault::Damaged { .. }
                | Fault::Unhealthy(_)
                | Fault::Ended => {}
                Fault::Sled { .. } | Fault::Io { .. } | Fault::Panicked(_) | Fault::HalfImported => {
                    self.lose(fault);
                }
            }
        }
        done
    }
}

/// Makes a job and the place where its caller waits.
pub(crate) fn job<T: Send + 'static>(
    work: impl FnOnce(&mut Kept) -> Result<Done<T>, Fault> + Send + 'static,
) -> (Job, oneshot::Receiver<Result<T, Fault>>) {
    let (answer, answered) = oneshot::channel();
    let job = move |kept: &mut Kept, health: &Health| {
        // A caller who went away needs no answer; what it asked for is done all the same.
        match health.guard(|| work(kept)) {
            Ok(Done::Changed(value)) => {
                let waiting = |synced: Result<(), Fault>| drop(answer.send(synced.map(|()| value)));
                return Some(Box::new(waiting) as Waiting);
            }
            Ok(Done::Unchanged(value)) => drop(answer.send(Ok(value))),
            Err(fault) => drop(answer.send(Err(fault))),
        }
        None
    };
    (Box::new(job), answered)
}

/// Runs until nobody can ask any more.
pub(crate) fn run(mut kept: Kept, mut jobs: mpsc::Receiver<Job>, committer: Sender<Commit>, health: &Health) {
    while let Some(first) = jobs.blocking_recv() {
        kept.look_for_room();
        let mut waiting = Vec::new();
        let mut taken = 0;
        let mut next = Some(first);
        while let Some(job) = next {
            waiting.extend(job(&mut kept, health));
            taken += 1;
            let full = taken >= GROUP || kept.pending_bytes() >= GROUP_BYTES;
            next = if full { None } else { jobs.try_recv().ok() };
        }
        if waiting.is_empty() {
            continue;
        }
        let commit = match health.guard(|| kept.apply()) {
            Ok(()) => {
                let revision = kept.counters().revision;
                Commit { waiting, revision, obsolete: kept.take_obsolete() }
            }
            Err(fault) => {
                waiting.into_iter().for_each(|tell| tell(Err(broken(&fault))));
                continue;
            }
        };
        if let Err(unsent) = committer.send(commit) {
            unsent.0.waiting.into_iter().for_each(|tell| tell(Err(Fault::Ended)));
        }
    }
    // The committer lets go of the lock when it is told no more, so everything else goes first.
    drop(kept);
    drop(committer);
}

/// A change that was accepted and then met a database that had failed may be there or not.
fn broken(fault: &Fault) -> Fault {
    match fault {
        Fault::Unhealthy(first) => (**first).clone(),
        other => other.clone(),
    }
}

fn text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no text")
}
