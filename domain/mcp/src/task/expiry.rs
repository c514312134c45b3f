//! How long a task is there, and for whom.

use core::time::Duration;

use super::lifetime::Lifetime;
use super::task::Task;
use crate::fault::Refusal;
use crate::ident::Principal;
use crate::time::Timestamp;

impl Task {
    /// The instant at which the task's lifetime is over: creation and lifetime added up, so that everyone who reads the
    /// same record finds the same. `None` when it has no end.
    pub fn expires_at(&self) -> Option<Timestamp> {
        match self.lifetime() {
            Lifetime::For(ttl) => Some(self.created().after(Duration::from_millis(ttl.as_ms()))),
            Lifetime::Unlimited => None,
        }
    }

    /// Whether the task's lifetime is over.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at().is_some_and(|end| now >= end)
    }

    /// When someone has to look at the task again: when its lifetime is over or, while it is not ended, when its lease
    /// runs out. Looking early, late or twice does no harm.
    pub fn next_deadline(&self) -> Option<Timestamp> {
        let lease = (!self.status().is_ended()).then_some(self.lease().until);
        match (self.expires_at(), lease) {
            (Some(end), Some(lease)) => Some(end.min(lease)),
            (end, lease) => end.or(lease),
        }
    }

    /// Whether the task exists as far as this principal can tell.
    pub fn visible_to(&self, principal: &Principal, now: Timestamp) -> bool {
        self.principal() == principal && !self.is_expired(now)
    }
}

/// The task that was found, if it exists as far as this principal can tell.
///
/// # Errors
///
/// [`Refusal::UnknownTask`], one and the same for a task that is unknown, another's or expired.
pub fn visible(found: Option<Task>, principal: &Principal, now: Timestamp) -> Result<Task, Refusal> {
    found.filter(|task| task.visible_to(principal, now)).ok_or(Refusal::UnknownTask)
}
