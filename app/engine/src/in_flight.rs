//! Requests on a channel that several share: told apart by id, cancelled by message.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pm_mcp_domain::ident::RequestId;
use tokio::sync::Notify;

/// The requests that are being served on one channel.
#[derive(Debug, Default)]
pub(crate) struct InFlight(Mutex<BTreeMap<String, Arc<Notify>>>);

impl InFlight {
    /// Takes up a request; `None` when another with this id is being served.
    pub(crate) fn begin(&self, id: RequestId<'_>) -> Option<Serving<'_>> {
        let cancel = Arc::new(Notify::new());
        match self.lock().entry(id.as_json().to_owned()) {
            Entry::Occupied(_) => None,
            Entry::Vacant(place) => {
                let id = place.key().clone();
                place.insert(Arc::clone(&cancel));
                Some(Serving { requests: self, id, cancel })
            }
        }
    }

    /// Cancels a request; one that is unknown or answered already is passed over.
    pub(crate) fn cancel(&self, id: RequestId<'_>) {
        if let Some(cancel) = self.lock().get(id.as_json()) {
            cancel.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Notify>>> {
        // The map is whole between any two statements, so a panic elsewhere does not spoil it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One request that is being served; it ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Serving<'a> {
    requests: &'a InFlight,
    id: String,
    cancel: Arc<Notify>,
}

impl Serving<'_> {
    /// Ready when the request is cancelled.
    pub(crate) async fn cancelled(&self) {
        self.cancel.notified().await;
    }
}

impl Drop for Serving<'_> {
    fn drop(&mut self) {
        self.requests.lock().remove(&self.id);
    }
}
