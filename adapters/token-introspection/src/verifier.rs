//! From a token to a grant, by asking.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use async_trait::async_trait;
use pm_mcp_domain::access::{Grant, Issuer, PresentedToken};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{FetchRequest, HttpFetch, TokenVerifier, VerifyError};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::answer::Answer;
use crate::answers::{self, Answers, Outcome, TokenHash};
use crate::bounds::Bounds;
use crate::endpoint::Endpoint;
use crate::refusal::IntrospectionError;

/// Asks an authorization server about each token.
pub struct IntrospectionVerifier {
    shared: Arc<Shared>,
    endpoint: Endpoint,
    /// Questions under way, which end with the verifier.
    questions: Mutex<JoinSet<()>>,
}

struct Shared {
    issuer: Issuer,
    fetch: Arc<dyn HttpFetch>,
    bounds: Bounds,
    answers: Mutex<Answers>,
    places: Semaphore,
}

impl IntrospectionVerifier {
    /// Asks `endpoint`, which belongs to `issuer`, with the usual [`Bounds`].
    pub fn new(issuer: &Issuer, endpoint: Endpoint, fetch: Arc<dyn HttpFetch>) -> Self {
        Self::bounded(issuer, endpoint, fetch, Bounds::default())
    }

    /// The same with other bounds.
    pub fn bounded(issuer: &Issuer, endpoint: Endpoint, fetch: Arc<dyn HttpFetch>, bounds: Bounds) -> Self {
        let shared = Shared {
            issuer: issuer.clone(),
            fetch,
            bounds,
            answers: Mutex::default(),
            places: Semaphore::new(bounds.questions),
        };
        Self { shared: Arc::new(shared), endpoint, questions: Mutex::default() }
    }

    /// What is known of a token, or where it will be.
    fn known(&self, token: &PresentedToken, now: Timestamp) -> Known {
        let hash = answers::hash(token.expose());
        let mut answers = self.shared.answers();
        if let Some(answer) = answers.find(&hash, now) {
            return Known::Now(Ok(answer));
        }
        if let Some(outcome) = answers.asked(&hash) {
            return Known::Soon(outcome);
        }
        let retry = self.shared.bounds.retry;
        if answers.failed().is_some_and(|failed| failed <= now && now < failed.after(retry)) {
            return Known::Now(Err(Arc::new(IntrospectionError::Resting)));
        }
        let (sender, outcome) = watch::channel(None);
        answers.begin(hash, outcome.clone());
        let end = End { shared: Arc::downgrade(&self.shared), hash };
        let shared = Arc::clone(&self.shared);
        let question = self.endpoint.question(token);
        let mut questions = self.questions.lock().unwrap_or_else(PoisonError::into_inner);
        while questions.try_join_next().is_some() {}
        questions.spawn(async move {
            let found = shared.ask(hash, question, now).await;
            drop(end);
            // Nobody waits any more, perhaps; the answer is kept all the same.
            sender.send_replace(Some(found));
        });
        Known::Soon(outcome)
    }
}

enum Known {
    Now(Outcome),
    Soon(watch::Receiver<Option<Outcome>>),
}

impl Shared {
    /// Each change is one call, so a panic elsewhere leaves nothing half done.
    fn answers(&self) -> MutexGuard<'_, Answers> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn ask(&self, hash: TokenHash, question: FetchRequest, now: Timestamp) -> Outcome {
        let asking = async {
            let _place = self.places.acquire().await.map_err(|_closed| IntrospectionError::GivenUp)?;
            let response = self.fetch.fetch(question).await?;
            Answer::read(&response, self.issuer.as_str())
        };
        let found = timeout(self.bounds.patience, asking).await.unwrap_or(Err(IntrospectionError::Late));
        let mut answers = self.answers();
        match found {
            Ok(answer) => {
                let until = now.after(self.bounds.keep);
                let until = match &answer {
                    Answer::Active(grant) => grant.expires.map_or(until, |expires| until.min(expires)),
                    Answer::Refused(_) => until,
                };
                answers.set_failed(None);
                answers.keep(hash, answer.clone(), now, until);
                Ok(answer)
            }
            Err(error) => {
                if matches!(error, IntrospectionError::Fetch(_) | IntrospectionError::Late) {
                    answers.set_failed(Some(now));
                }
                Err(Arc::new(error))
            }
        }
    }
}

/// Marks a question as over, also when it ends by a panic.
struct End {
    shared: Weak<Shared>,
    hash: TokenHash,
}

impl Drop for End {
    fn drop(&mut self) {
        if let Some(shared) = self.shared.upgrade() {
            shared.answers().end(&self.hash);
        }
    }
}

#[deny(clippy::missing_trait_methods, reason = "a verifier answers every call of the port itself")]
#[async_trait]
impl TokenVerifier for IntrospectionVerifier {
    async fn verify(&self, token: &PresentedToken, now: Timestamp) -> Result<Grant, VerifyError> {
        let outcome = match self.known(token, now) {
            Known::Now(outcome) => outcome,
            Known::Soon(mut outcome) => match outcome.wait_for(Option::is_some).await {
                Ok(found) => found.clone().unwrap_or_else(|| Err(Arc::new(IntrospectionError::GivenUp))),
                Err(_gone) => Err(Arc::new(IntrospectionError::GivenUp)),
            },
        };
        match outcome {
            Ok(Answer::Active(grant)) => Ok(grant),
            Ok(Answer::Refused(refusal)) => Err(VerifyError::invalid(refusal)),
            Err(error) => Err(VerifyError::unavailable(error)),
        }
    }
}

impl fmt::Debug for IntrospectionVerifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IntrospectionVerifier")
            .field("issuer", &self.shared.issuer)
            .field("endpoint", &self.endpoint)
            .field("bounds", &self.shared.bounds)
            .finish_non_exhaustive()
    }
}
