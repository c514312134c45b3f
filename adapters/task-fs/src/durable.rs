//! Which records are known to outlive a loss of power.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pm_mcp_ports::driven::Revision;

use crate::key::Key;

/// The revisions that are known to be durable, so that nobody has to see to it again.
///
/// A name of a file is seen by everybody before it is durable, and whoever made it may be killed in between. So the first
/// in each process who reads a revision synchronises the folder, unless this process has done so since it wrote it.
#[derive(Default, Debug)]
pub(crate) struct Durable(Mutex<BTreeMap<Key, Revision>>);

impl Durable {
    pub(crate) fn holds(&self, key: Key, revision: Revision) -> bool {
        self.known().get(&key) == Some(&revision)
    }

    pub(crate) fn note(&self, key: Key, revision: Revision) {
        self.known().insert(key, revision);
    }

    pub(crate) fn forget(&self, key: Key) {
        self.known().remove(&key);
    }

    /// Forgets all records but these.
    pub(crate) fn retain(&self, stays: impl Fn(Key) -> bool) {
        self.known().retain(|key, _| stays(*key));
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<Key, Revision>> {
        // The map is whole between any two statements, so a panic elsewhere does not spoil it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
