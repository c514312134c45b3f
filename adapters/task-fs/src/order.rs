//! Calls of one process on one record, one after the other.

use std::sync::Arc;

use tokio::sync::{OwnedRwLockReadGuard, OwnedRwLockWriteGuard, RwLock};

use crate::key::Key;

const LANES: usize = 256;

/// Lets reads of a record wait for the writes that began before them.
///
/// Work on files goes on when its caller stops waiting for it. The turn goes with the work, so a later call finds all
/// of a dropped one's effect. It also spares those who compete for one revision the cost of writing a file in vain.
/// Records share lanes by their id's first byte.
#[derive(Debug)]
pub(crate) struct Order {
    lanes: Vec<Arc<RwLock<()>>>,
}

impl Order {
    pub(crate) fn new() -> Self {
        Self { lanes: (0..LANES).map(|_| Arc::default()).collect() }
    }

    pub(crate) async fn read(&self, key: Key) -> Option<OwnedRwLockReadGuard<()>> {
        Some(self.lane(key)?.read_owned().await)
    }

    pub(crate) async fn write(&self, key: Key) -> Option<OwnedRwLockWriteGuard<()>> {
        Some(self.lane(key)?.write_owned().await)
    }

    fn lane(&self, key: Key) -> Option<Arc<RwLock<()>>> {
        let [first, ..] = *key.bytes();
        self.lanes.get(usize::from(first)).cloned()
    }
}
