//! When the issuer is asked, and how long its last answer serves.

use std::time::Duration;

use pm_mcp_domain::time::Timestamp;

/// When an issuer is asked for its keys. Everything is counted in the caller's time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// How long an answer serves before the issuer is asked again: the longest time for which a key that was taken back
    /// is still believed while the issuer can be reached.
    pub fresh: Duration,
    /// How long the last answer serves while the issuer cannot be reached. Then nothing is accepted any more.
    pub stale_limit: Duration,
    /// How long after an answer no token makes the issuer be asked again.
    pub cool_down: Duration,
    /// How long after a failure the issuer is asked again.
    pub retry: Duration,
    /// How long asking may take in all.
    pub patience: Duration,
}

impl Default for Schedule {
    /// Fresh for 10 minutes, 1 hour at most, 30 seconds of cool-down, 5 seconds between failures, 8 seconds to ask.
    fn default() -> Self {
        Self {
            fresh: Duration::from_secs(600),
            stale_limit: Duration::from_secs(3600),
            cool_down: Duration::from_secs(30),
            retry: Duration::from_secs(5),
            patience: Duration::from_secs(8),
        }
    }
}

/// What is known of earlier looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Past {
    /// When the issuer last said which keys it has.
    pub(super) answered: Option<Timestamp>,
    /// When it last failed to, if that was later.
    pub(super) failed: Option<Timestamp>,
}

/// Why keys are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Need {
    /// A token is to be checked.
    Keys,
    /// No known key fitted a token.
    NewerKeys,
}

impl Schedule {
    /// Whether the issuer is asked now.
    pub(super) fn is_due(&self, past: Past, need: Need, now: Timestamp) -> bool {
        if past.failed.is_some_and(|failed| is_within(failed, self.retry, now)) {
            return false;
        }
        let rest = match need {
            Need::Keys => self.fresh,
            Need::NewerKeys => self.cool_down,
        };
        past.answered.is_none_or(|answered| !is_within(answered, rest, now))
    }

    /// Whether the last answer still serves.
    pub(super) fn serves(&self, past: Past, now: Timestamp) -> bool {
        past.answered.is_some_and(|answered| is_within(answered, self.stale_limit, now))
    }
}

/// Whether less than `span` has gone by since `then`. A moment in the future, after the clock was set back, is not
/// within: otherwise keys would serve without end.
fn is_within(then: Timestamp, span: Duration, now: Timestamp) -> bool {
    then <= now && now < then.after(span)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_unix_ms(seconds * 1000)
    }

    fn past(answered: Option<i64>, failed: Option<i64>) -> Past {
        Past { answered: answered.map(at), failed: failed.map(at) }
    }

    #[test]
    fn the_issuer_is_asked_when_it_is_time_and_not_before() {
        let schedule = Schedule::default();
        for (known, need, now, due) in [
            (past(None, None), Need::Keys, 0, true),
            (past(None, None), Need::NewerKeys, 0, true),
            (past(Some(0), None), Need::Keys, 599, false),
            (past(Some(0), None), Need::Keys, 600, true),
            (past(Some(0), None), Need::NewerKeys, 29, false),
            (past(Some(0), None), Need::NewerKeys, 30, true),
            (past(None, Some(0)), Need::Keys, 4, false),
            (past(None, Some(0)), Need::Keys, 5, true),
            (past(Some(0), Some(600)), Need::Keys, 604, false),
            (past(Some(0), Some(600)), Need::NewerKeys, 604, false),
            (past(Some(0), Some(600)), Need::Keys, 605, true),
            (past(Some(1000), None), Need::Keys, 0, true),
            (past(None, Some(1000)), Need::Keys, 0, true),
        ] {
            assert_eq!(schedule.is_due(known, need, at(now)), due, "{known:?} {need:?} {now}");
        }
    }

    #[test]
    fn an_answer_serves_to_its_limit_and_no_longer() {
        let schedule = Schedule::default();
        for (known, now, serves) in [
            (past(None, None), 0, false),
            (past(Some(0), None), 0, true),
            (past(Some(0), Some(3000)), 3599, true),
            (past(Some(0), Some(3000)), 3600, false),
            (past(Some(1000), None), 0, false),
        ] {
            assert_eq!(schedule.serves(known, at(now)), serves, "{known:?} {now}");
        }
    }
}
