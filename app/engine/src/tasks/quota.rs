//! Who may have another task.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::limit::Limit;
use pm_mcp_domain::task::TaskQuota;
use pm_mcp_ports::driven::TaskStore;
use pm_mcp_ports::driving::LimitCounts;
use pm_mcp_ports::feature::HandlerFault;

/// Holds each principal to its quota. What is in the store is asked of the store, so that a restart and other processes
/// change nothing; what this process is about to put there is counted here.
///
/// Processes that share a store do not see what the others are about to create: together they may go over the quota by
/// as many tasks as they create at the same moment.
#[derive(Debug)]
pub(super) struct Quotas {
    quota: TaskQuota,
    counts: Arc<LimitCounts>,
    coming: Mutex<BTreeMap<Principal, usize>>,
}

impl Quotas {
    pub(super) fn new(quota: TaskQuota, counts: Arc<LimitCounts>) -> Self {
        Self { quota, counts, coming: Mutex::default() }
    }

    /// Takes room for one task; to be kept until the store has it.
    pub(super) async fn room(
        &self,
        store: &dyn TaskStore,
        principal: &Principal,
    ) -> Result<Room<'_>, HandlerFault> {
        let room = self.reserve(principal);
        // Asked after the reservation: a task that is in neither number cannot be.
        let held = store.held(principal).await.map_err(HandlerFault::internal)?;
        match self.quota.admit(held, room.before) {
            Ok(()) => Ok(room),
            Err(used_up) => {
                self.counts.count(Limit::TasksPerPrincipal);
                Err(HandlerFault::Busy(used_up.to_string()))
            }
        }
    }

    fn reserve(&self, principal: &Principal) -> Room<'_> {
        let mut coming = self.coming();
        let mine = coming.entry(principal.clone()).or_default();
        let before = *mine;
        *mine += 1;
        Room { quotas: self, principal: principal.clone(), before }
    }

    fn coming(&self) -> MutexGuard<'_, BTreeMap<Principal, usize>> {
        // The map is whole between any two statements, so a panic elsewhere does not spoil it.
        self.coming.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Room for a task on its way to the store.
#[derive(Debug)]
pub(super) struct Room<'a> {
    quotas: &'a Quotas,
    principal: Principal,
    /// How many of the same principal were on their way before it.
    before: usize,
}

impl Drop for Room<'_> {
    fn drop(&mut self) {
        if let Entry::Occupied(mut coming) = self.quotas.coming().entry(self.principal.clone()) {
            match coming.get() {
                0 | 1 => {
                    coming.remove();
                }
                more => *coming.get_mut() = more - 1,
            }
        }
    }
}
