//! How large a task may grow, and how many one principal may have.

use super::event::TaskEvent;
use crate::limit::Limit;

/// Bounds of one task, so that its record stays within what every store takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TaskLimits {
    /// How many questions a task may ask in its lifetime.
    pub questions: usize,
    /// The longest question, in bytes of JSON.
    pub question_bytes: usize,
    /// The longest status message, in bytes of UTF-8.
    pub message_bytes: usize,
    /// The longest result or error, in bytes of JSON.
    pub result_bytes: usize,
}

impl Default for TaskLimits {
    /// 64 questions of 64 KiB, messages of 4 KiB, results of 4 MiB.
    fn default() -> Self {
        Self { questions: 64, question_bytes: 64 << 10, message_bytes: 4 << 10, result_bytes: 4 << 20 }
    }
}

impl TaskLimits {
    /// The limit that an event breaks all by itself: what is over it does not become part of the task, or ends it `failed`.
    pub fn broken_by(&self, event: &TaskEvent) -> Option<Limit> {
        let over = |bytes: usize, most: usize, limit: Limit| (bytes > most).then_some(limit);
        match event {
            TaskEvent::Finished { result } => {
                over(result.as_str().len(), self.result_bytes, Limit::TaskResultBytes)
            }
            TaskEvent::Broke { error } => over(error.bytes(), self.result_bytes, Limit::TaskResultBytes),
            TaskEvent::Reported { message } => {
                over(message.len(), self.message_bytes, Limit::TaskMessageBytes)
            }
            TaskEvent::InputRequested { questions } => questions.iter().find_map(|question| {
                over(question.request.as_str().len(), self.question_bytes, Limit::TaskQuestionBytes)
            }),
            TaskEvent::InputWithdrawn { .. }
            | TaskEvent::InputSupplied { .. }
            | TaskEvent::InputTaken
            | TaskEvent::CancelRequested
            | TaskEvent::LeaseRenewed { .. }
            | TaskEvent::LeaseRanOut
            | TaskEvent::WorkerLost { .. }
            | TaskEvent::Expired => None,
        }
    }
}

/// How many tasks a principal may have in the store at a time, finished ones that are still kept included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TaskQuota {
    /// How many.
    pub per_principal: usize,
}

impl TaskQuota {
    /// Decides whether a principal may have another task, who has `held` in the store and `coming` on their way there.
    ///
    /// # Errors
    ///
    /// [`QuotaUsedUp`] when there is no room for one more.
    pub fn admit(&self, held: usize, coming: usize) -> Result<(), QuotaUsedUp> {
        match held.saturating_add(coming) < self.per_principal {
            true => Ok(()),
            false => Err(QuotaUsedUp { most: self.per_principal }),
        }
    }
}

impl Default for TaskQuota {
    /// 5,000: half of what the store in memory keeps.
    fn default() -> Self {
        Self { per_principal: 5_000 }
    }
}

/// A principal has as many tasks as one may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "one caller may have {most} tasks at a time (limit {}); try again when the time of some is over",
    Limit::TasksPerPrincipal
)]
pub struct QuotaUsedUp {
    /// How many one may have.
    pub most: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_principal_has_as_many_tasks_as_the_quota_says_and_no_more() {
        let quota = TaskQuota { per_principal: 3 };
        let full = Err(QuotaUsedUp { most: 3 });
        for (held, coming, decided) in [
            (0, 0, Ok(())),
            (2, 0, Ok(())),
            (3, 0, full),
            (4, 0, full),
            (1, 1, Ok(())),
            (1, 2, full),
            (0, 3, full),
            (usize::MAX, 1, full),
        ] {
            assert_eq!(quota.admit(held, coming), decided, "{held} held, {coming} coming");
        }
        assert_eq!(TaskQuota { per_principal: 0 }.admit(0, 0), Err(QuotaUsedUp { most: 0 }));
    }
}
