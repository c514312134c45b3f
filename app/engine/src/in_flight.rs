//! Requests on a channel that several share: told apart by id, cancelled by message.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pm_mcp_domain::ident::RequestId;
use tokio::sync::Notify;

/// The requests that are being served on one channel.
#[derive(Debug, Default)]
pub(crate) struct InFlight(Mutex<Requests>);

/// By the JSON text of their ids.
type Requests = HashMap<Box<str>, Arc<Cancellation>>;

/// Whether a request was cancelled. It is set under the lock of the map and read there when the request ends, so that
/// a cancellation either finds the request, which is then not answered, or comes too late.
#[derive(Debug, Default)]
struct Cancellation {
    requested: AtomicBool,
    signal: Notify,
}

impl InFlight {
    /// Takes up a request; `None` when another with this id is being served.
    pub(crate) fn begin<'a>(&'a self, id: RequestId<'a>) -> Option<Serving<'a>> {
        match self.lock().entry(Box::from(id.as_json())) {
            Entry::Occupied(_) => None,
            Entry::Vacant(place) => {
                let cancel = Arc::new(Cancellation::default());
                place.insert(Arc::clone(&cancel));
                Some(Serving { requests: self, id, cancel, ended: false })
            }
        }
    }

    /// Cancels a request; one that is unknown or answered already is passed over.
    pub(crate) fn cancel(&self, id: RequestId<'_>) {
        if let Some(cancel) = self.lock().get(id.as_json()) {
            cancel.requested.store(true, Ordering::Relaxed);
            cancel.signal.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Requests> {
        // The map is whole between any two statements, so a panic elsewhere does not spoil it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One request that is being served; it ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Serving<'a> {
    requests: &'a InFlight,
    id: RequestId<'a>,
    cancel: Arc<Cancellation>,
    ended: bool,
}

impl Serving<'_> {
    /// Whether the request was cancelled so far.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.requested.load(Ordering::Relaxed)
    }

    /// Ready when the request is cancelled.
    pub(crate) async fn cancelled(&self) {
        self.cancel.signal.notified().await;
    }

    /// Ends the request; says whether it may still be answered. From here on a cancellation finds nothing.
    pub(crate) fn end(mut self) -> bool {
        self.ended = true;
        self.requests.lock().remove(self.id.as_json());
        !self.is_cancelled()
    }
}

impl Drop for Serving<'_> {
    fn drop(&mut self) {
        if !self.ended {
            self.requests.lock().remove(self.id.as_json());
        }
    }
}
