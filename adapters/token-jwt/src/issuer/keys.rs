//! A key source that asks the issuer when it is time, once for all who wait.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use async_trait::async_trait;
use pm_mcp_domain::access::Issuer;
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{HttpFetch, KeySet, KeySource, KeysUnavailable};
use thiserror::Error;
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use super::location::KeyLocation;
use super::look::{LookError, look};
use super::schedule::{Need, Past, Schedule};

/// The keys of one issuer, as it publishes them.
///
/// Whoever needs keys when it is time to ask starts a look at the issuer; all who need them meanwhile wait for that look.
/// A look goes on when those who wait give up, so that nobody can hold up the others, and ends with the source.
pub struct IssuerKeys {
    shared: Arc<Shared>,
}

struct Shared {
    issuer: Issuer,
    location: KeyLocation,
    fetch: Arc<dyn HttpFetch>,
    schedule: Schedule,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    keys: Option<Arc<KeySet>>,
    past: Past,
    failure: Option<Arc<LookError>>,
    look: Option<Look>,
}

/// A look that is under way.
struct Look {
    /// Closed when it is over.
    over: watch::Receiver<()>,
    task: AbortHandle,
}

/// What is known without waiting.
enum Known {
    Wait(watch::Receiver<()>),
    Keys(Arc<KeySet>),
    Nothing(Unknown),
}

impl IssuerKeys {
    /// The keys that the metadata of `issuer` names.
    pub fn discover(issuer: &Issuer, fetch: Arc<dyn HttpFetch>, schedule: Schedule) -> Self {
        Self::new(issuer, KeyLocation::Metadata, fetch, schedule)
    }

    /// The keys of `issuer`, from there.
    pub fn new(
        issuer: &Issuer,
        location: KeyLocation,
        fetch: Arc<dyn HttpFetch>,
        schedule: Schedule,
    ) -> Self {
        let state = Mutex::default();
        Self { shared: Arc::new(Shared { issuer: issuer.clone(), location, fetch, schedule, state }) }
    }

    /// Begins a look at the issuer without waiting for what it finds, such as at the start of a server: what is wrong
    /// with its address is then logged before the first token comes. Must be called within a tokio runtime.
    pub fn look(&self, now: Timestamp) {
        // Whoever needs keys waits for it.
        drop(self.shared.known(Need::Keys, now));
    }

    /// Waits for a look that is under way, so that what it finds is known.
    async fn wait(mut over: watch::Receiver<()>) {
        // The sender says nothing; it goes away.
        let _gone = over.changed().await;
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known of the keys at `now`; begins a look when it is time.
    fn known(self: &Arc<Self>, need: Need, now: Timestamp) -> Known {
        let mut state = self.lock();
        if let Some(look) = &state.look {
            return Known::Wait(look.over.clone());
        }
        if self.schedule.is_due(state.past, need, now) {
            return Known::Wait(self.begin(&mut state, now));
        }
        self.settled(&state, now)
    }

    /// What the last look left.
    fn settled(&self, state: &State, now: Timestamp) -> Known {
        match &state.keys {
            Some(keys) if self.schedule.serves(state.past, now) => Known::Keys(Arc::clone(keys)),
            Some(_) | None => Known::Nothing(Unknown { cause: state.failure.clone() }),
        }
    }

    fn begin(self: &Arc<Self>, state: &mut State, now: Timestamp) -> watch::Receiver<()> {
        let (sender, over) = watch::channel(());
        let end = End { shared: Arc::downgrade(self), _sender: sender };
        let shared = Arc::clone(self);
        let task = tokio::spawn(async move {
            let limit = shared.schedule.patience;
            let looking = look(shared.fetch.as_ref(), &shared.issuer, &shared.location);
            let found = timeout(limit, looking).await.unwrap_or(Err(LookError::Late));
            shared.settle(found, now);
            drop(end);
        });
        state.look = Some(Look { over: over.clone(), task: task.abort_handle() });
        over
    }

    fn settle(&self, found: Result<KeySet, LookError>, now: Timestamp) {
        let issuer = self.issuer.as_str();
        let mut state = self.lock();
        match found {
            Ok(keys) => {
                // The same keys stay the same set, so that what was verified by them stays so.
                if state.keys.as_deref() != Some(&keys) {
                    tracing::info!(issuer, keys = keys.keys().len(), "the issuer has these keys now");
                    state.keys = Some(Arc::new(keys));
                }
                state.past = Past { answered: Some(now), failed: None };
                state.failure = None;
            }
            Err(error) => {
                let serves = self.schedule.serves(state.past, now);
                tracing::warn!(
                    issuer,
                    error = &error as &dyn std::error::Error,
                    earlier_keys_serve = serves,
                    "the keys of the issuer cannot be had"
                );
                state.past.failed = Some(now);
                state.failure = Some(Arc::new(error));
            }
        }
    }
}

/// Marks a look as over, also when it ends by a panic.
struct End {
    shared: Weak<Shared>,
    _sender: watch::Sender<()>,
}

impl Drop for End {
    fn drop(&mut self) {
        if let Some(shared) = self.shared.upgrade() {
            shared.lock().look = None;
        }
    }
}

/// Nobody waits for a look any more.
impl Drop for IssuerKeys {
    fn drop(&mut self) {
        if let Some(look) = &self.shared.lock().look {
            look.task.abort();
        }
    }
}

#[deny(clippy::missing_trait_methods, reason = "a source answers every call of the port itself")]
#[async_trait]
impl KeySource for IssuerKeys {
    async fn keys(&self, now: Timestamp) -> Result<Arc<KeySet>, KeysUnavailable> {
        let mut known = self.shared.known(Need::Keys, now);
        if let Known::Wait(over) = known {
            Self::wait(over).await;
            known = self.shared.settled(&self.shared.lock(), now);
        }
        match known {
            Known::Keys(keys) => Ok(keys),
            Known::Nothing(unknown) => Err(KeysUnavailable(Box::new(unknown))),
            Known::Wait(_) => Err(KeysUnavailable(Box::new(Unknown { cause: None }))),
        }
    }

    async fn newer(
        &self,
        seen: &Arc<KeySet>,
        now: Timestamp,
    ) -> Result<Option<Arc<KeySet>>, KeysUnavailable> {
        if let Known::Wait(over) = self.shared.known(Need::NewerKeys, now) {
            Self::wait(over).await;
        }
        let state = self.shared.lock();
        match (&state.keys, &state.failure) {
            (Some(keys), _) if !Arc::ptr_eq(keys, seen) => Ok(Some(Arc::clone(keys))),
            (_, None) => Ok(None),
            // Whether there are newer keys is not known.
            (_, Some(cause)) => Err(KeysUnavailable(Box::new(Unknown { cause: Some(Arc::clone(cause)) }))),
        }
    }
}

impl fmt::Debug for IssuerKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IssuerKeys")
            .field("issuer", &self.shared.issuer)
            .field("location", &self.shared.location)
            .field("schedule", &self.shared.schedule)
            .finish_non_exhaustive()
    }
}

/// Which keys the issuer has is not known.
#[derive(Debug, Error)]
#[error("the issuer was not heard for too long")]
struct Unknown {
    #[source]
    cause: Option<Arc<LookError>>,
}
