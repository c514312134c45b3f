//! Answers that still serve, and questions that are under way.

use std::collections::HashMap;
use std::mem;
use std::sync::Arc;

use pm_mcp_domain::time::Timestamp;
use ring::digest::{SHA256, digest};
use tokio::sync::watch;

use crate::answer::Answer;
use crate::refusal::IntrospectionError;

/// How many answers are kept in each of two layers.
const LAYER: usize = 2048;

/// The hash of a token, which is all that is kept of it.
pub(crate) type TokenHash = [u8; 32];

pub(crate) fn hash(token: &str) -> TokenHash {
    let mut hash = TokenHash::default();
    for (place, byte) in hash.iter_mut().zip(digest(&SHA256, token.as_bytes()).as_ref()) {
        *place = *byte;
    }
    hash
}

/// What came of a question.
pub(crate) type Outcome = Result<Answer, Arc<IntrospectionError>>;

/// Answers in two layers, of which the older one is dropped when the newer one is full: memory is bounded, and a token in
/// use stays for its time.
#[derive(Default)]
pub(crate) struct Answers {
    newer: HashMap<TokenHash, Kept>,
    older: HashMap<TokenHash, Kept>,
    asked: HashMap<TokenHash, watch::Receiver<Option<Outcome>>>,
    failed: Option<Timestamp>,
}

#[derive(Clone)]
struct Kept {
    answer: Answer,
    from: Timestamp,
    until: Timestamp,
}

impl Answers {
    /// An answer that still serves. One from the future, after the clock was set back, does not.
    pub(crate) fn find(&self, hash: &TokenHash, now: Timestamp) -> Option<Answer> {
        let kept = self.newer.get(hash).or_else(|| self.older.get(hash))?;
        (kept.from <= now && now < kept.until).then(|| kept.answer.clone())
    }

    pub(crate) fn keep(&mut self, hash: TokenHash, answer: Answer, from: Timestamp, until: Timestamp) {
        if self.newer.len() >= LAYER {
            self.older = mem::take(&mut self.newer);
        }
        self.newer.insert(hash, Kept { answer, from, until });
    }

    /// The question about a token that is under way.
    pub(crate) fn asked(&self, hash: &TokenHash) -> Option<watch::Receiver<Option<Outcome>>> {
        self.asked.get(hash).cloned()
    }

    pub(crate) fn begin(&mut self, hash: TokenHash, outcome: watch::Receiver<Option<Outcome>>) {
        self.asked.insert(hash, outcome);
    }

    pub(crate) fn end(&mut self, hash: &TokenHash) {
        self.asked.remove(hash);
    }

    /// When the endpoint could last not be reached, if it was not reached since.
    pub(crate) const fn failed(&self) -> Option<Timestamp> {
        self.failed
    }

    pub(crate) const fn set_failed(&mut self, failed: Option<Timestamp>) {
        self.failed = failed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusal::IntrospectionRefusal;

    #[test]
    fn memory_is_bounded_and_answers_serve_for_their_time() {
        let at = Timestamp::from_unix_ms;
        let inactive = || Answer::Refused(IntrospectionRefusal::Inactive);
        let mut answers = Answers::default();
        for number in 0..5 * LAYER {
            answers.keep(hash(&number.to_string()), inactive(), at(10), at(20));
        }
        assert!(answers.newer.len() + answers.older.len() <= 2 * LAYER);
        let last = hash(&(5 * LAYER - 1).to_string());
        for (now, serves) in [(9, false), (10, true), (19, true), (20, false)] {
            assert_eq!(answers.find(&last, at(now)).is_some(), serves, "{now}");
        }
    }
}
