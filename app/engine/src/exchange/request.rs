//! What is known of a request before its handler runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use pm_mcp_domain::access::Scopes;
use pm_mcp_domain::continuation::{ContinuationRefusal, State, parse_responses};
use pm_mcp_domain::cursor::ParamsDigest;
use pm_mcp_domain::fault::Refusal;
use pm_mcp_domain::ident::{Principal, RequestId};
use pm_mcp_domain::request::{Method, ProgressToken, Retry};
use pm_mcp_domain::wire::{InputRequired, ResultBody, ResultResponse};
use pm_mcp_ports::driven::ConsumeError;
use pm_mcp_ports::driving::Served;
use pm_mcp_ports::feature::{Caller, Context, HandlerFault, Outcome, ResultMut};
use serde_json::Value;
use tracing::info;

use super::drive::Driven;
use super::rounds::{Rounds, SEAL_CONTEXT};
use super::scope::{Exchange, Placement};
use crate::answer::answer;
use crate::core::Core;
use crate::failure::Failure;
use crate::intercept::Watch;
use crate::surface::Surface;

/// One admitted request.
#[derive(Debug)]
pub(crate) struct Request<'a> {
    pub(crate) core: Arc<Core>,
    pub(crate) surface: Arc<Surface>,
    pub(crate) id: RequestId<'a>,
    pub(crate) method: Method,
    pub(crate) caller: Arc<Caller>,
    /// The class that the host puts the caller into, where what is shown depends on it.
    pub(crate) class: Option<Arc<str>>,
    /// The scopes that the request needs; empty where nobody has to show a token.
    pub(crate) needs: Scopes,
    pub(crate) progress: Option<ProgressToken<'a>>,
    /// What stands around the request, if something does.
    pub(crate) watch: Option<Arc<Watch>>,
}

impl Request<'_> {
    /// The context of a handler that cannot ask: of a list or a completion.
    pub(crate) fn plain_context(&self) -> Context {
        let exchange =
            Exchange::new(Arc::clone(&self.core), Arc::clone(&self.caller), Placement::Plain, false);
        Context::new(Arc::new(exchange))
    }

    /// The exchange of a handler that cannot ask but may report progress: of a method of an extension.
    pub(crate) fn plain_exchange(&self) -> Exchange {
        let wants_progress = self.progress.is_some();
        Exchange::new(Arc::clone(&self.core), Arc::clone(&self.caller), Placement::Plain, wants_progress)
    }

    /// The exchange of a handler that can ask, with the answers that the request brings along.
    pub(crate) async fn exchange(
        &self,
        retry: &Retry<'_>,
        digest: impl FnOnce() -> ParamsDigest,
    ) -> Result<Arc<Exchange>, Failure> {
        if retry.is_none() {
            return Ok(self.first_exchange());
        }
        // Boxed, because few requests are retries and all of them move what this needs.
        let rounds = Box::pin(self.resume(retry, digest)).await?;
        Ok(self.exchange_with(rounds))
    }

    /// The exchange of a handler that can ask, of a request that is no retry.
    pub(crate) fn first_exchange(&self) -> Arc<Exchange> {
        self.exchange_with(Rounds::default())
    }

    fn exchange_with(&self, rounds: Rounds) -> Arc<Exchange> {
        let placement = Placement::Rounds(rounds);
        let wants_progress = self.progress.is_some();
        let caller = Arc::clone(&self.caller);
        Arc::new(Exchange::new(Arc::clone(&self.core), caller, placement, wants_progress))
    }

    /// Takes up an operation where an earlier request left it. The state is opened, then checked, then used up.
    async fn resume(
        &self,
        retry: &Retry<'_>,
        digest: impl FnOnce() -> ParamsDigest,
    ) -> Result<Rounds, Failure> {
        let given = match retry.responses {
            Some(raw) => parse_responses(raw).map_err(|fault| Refusal::Unusable(fault.0))?,
            None => BTreeMap::new(),
        };
        let Some(sealed) = &retry.state else { return Ok(Rounds::resumed(None, given)) };
        let resumed = self.core.reopen(sealed, given, self.method, &digest(), &self.caller.principal).await;
        resumed.map_err(|refusal| {
            info!(%refusal, method = self.method.as_str(), "refused a continuation");
            Refusal::Continuation.into()
        })
    }

    /// Ends the request with the questions that its handler asked, or with what the handler gave.
    pub(crate) fn settle<B: ResultBody>(
        &self,
        exchange: &Exchange,
        driven: Driven<B>,
        digest: impl FnOnce() -> ParamsDigest,
        check: impl FnOnce(&mut B) -> Result<(), HandlerFault>,
    ) -> Result<Served, Failure> {
        let mut body = match driven {
            Driven::PeerGone => return Ok(Served::Cancelled),
            Driven::Done(Ok(body)) => body,
            Driven::Done(Err(HandlerFault::AwaitingInput)) => return self.ask(exchange, digest),
            Driven::Done(Err(fault)) => return Err(fault.into()),
        };
        check(&mut body)?;
        answer(&ResultResponse::of(self.id, &self.core.identity, &body)).map(Served::Answered)
    }

    /// Shows a result to the interceptors, before anything of it is checked.
    pub(crate) fn alter(&self, result: ResultMut<'_>) -> Result<(), HandlerFault> {
        self.watch.as_ref().map_or(Ok(()), |watch| watch.alter(result))
    }

    fn ask(&self, exchange: &Exchange, digest: impl FnOnce() -> ParamsDigest) -> Result<Served, Failure> {
        let (questions, state) = exchange.pause(self.method, &digest())?;
        if let Some(watch) = &self.watch {
            watch.note(Outcome::InputRequired);
        }
        let body = InputRequired { questions: &questions, state: &state };
        answer(&ResultResponse::of(self.id, &self.core.identity, &body)).map(Served::Answered)
    }
}

impl Core {
    /// Goes on from a state with the answers that were `given` to its questions.
    async fn reopen(
        &self,
        sealed: &str,
        given: BTreeMap<String, Value>,
        method: Method,
        digest: &ParamsDigest,
        principal: &Principal,
    ) -> Result<Rounds, ContinuationRefusal> {
        let now = self.ports.clock.now();
        let bytes = self.ports.sealer.open(sealed, SEAL_CONTEXT).ok_or(ContinuationRefusal::Unopened)?;
        let state = State::decode(&bytes)?;
        state.claims.check(method, digest, principal, now)?;
        match self.ports.guard.consume(state.claims.nonce(), state.claims.expires(), now).await {
            Ok(()) => Ok(Rounds::resumed(Some(state), given)),
            Err(ConsumeError::AlreadyUsed) => Err(ContinuationRefusal::Replayed),
            Err(ConsumeError::Unavailable(source)) => {
                tracing::warn!(%source, "the replay guard is not available");
                Err(ContinuationRefusal::GuardUnavailable)
            }
        }
    }
}
