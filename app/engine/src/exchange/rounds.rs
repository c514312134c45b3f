//! The questions of a request that is sent again with their answers.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

use pm_mcp_domain::continuation::{Answer, Claims, InputKey, Nonce, Question, Questions, State, StateFault};
use pm_mcp_domain::cursor::ParamsDigest;
use pm_mcp_domain::fault::ErrorCode;
use pm_mcp_domain::request::Method;
use pm_mcp_ports::feature::{Caller, CheckAnswer, HandlerFault};
use serde_json::Value;

use crate::core::Core;

/// What states are sealed for; nothing else that the same keys seal can be taken for one.
pub(super) const SEAL_CONTEXT: &[u8] = b"requestState";

/// One round of an operation: the answers so far, what is remembered, and what is asked now.
#[derive(Debug, Default)]
pub(crate) struct Rounds {
    /// Answers of earlier rounds and of this request, not looked at yet.
    given: BTreeMap<String, Value>,
    /// Answers that were asked for and fit; they travel on.
    used: BTreeMap<String, Value>,
    memory: BTreeMap<String, Value>,
    questions: Questions,
    /// Whether the request is a retry, whose result nobody may keep.
    is_retry: bool,
}

impl Rounds {
    /// Goes on from the state of an earlier round. What the request brings wins over what the state remembers only where
    /// the state remembers nothing: an answer that was accepted once cannot be changed later.
    pub(super) fn resumed(state: Option<State<'_>>, mut given: BTreeMap<String, Value>) -> Self {
        let (answers, memory) = match state {
            Some(State { answers, memory, .. }) => (answers.into_owned(), memory.into_owned()),
            None => Default::default(),
        };
        given.extend(answers);
        Self { given, memory, is_retry: true, ..Self::default() }
    }

    pub(super) fn is_retry(&self) -> bool {
        self.is_retry
    }

    pub(super) fn recall(&self, name: &str) -> Option<Value> {
        self.memory.get(name).cloned()
    }

    pub(super) fn remember(&mut self, name: &str, value: Value) {
        self.memory.insert(name.to_owned(), value);
    }

    /// The answer to a question, if one is given that fits; else the question is noted, to be sent to the client.
    pub(super) fn ask(
        &mut self,
        caller: &Caller,
        key: InputKey,
        question: Question,
        check: CheckAnswer<'_>,
    ) -> Result<Answer, HandlerFault> {
        if let Some(answer) = self.answer(&key, &question, check) {
            return Ok(answer);
        }
        if !caller.capabilities.declares(question.needs()) {
            return Err(HandlerFault::MissingCapability(question.needs()));
        }
        self.questions.ask(key, question).map_err(HandlerFault::internal)?;
        Err(HandlerFault::AwaitingInput)
    }

    /// The answer that the request brought along, if it fits.
    pub(super) fn answer(
        &mut self,
        key: &InputKey,
        question: &Question,
        check: CheckAnswer<'_>,
    ) -> Option<Answer> {
        let read = |value| Answer::parse(question, value).and_then(|answer| check(&answer).map(|()| answer));
        let read = match self.given.remove_entry(key.as_str()) {
            Some((key, value)) => {
                let read = read(&value);
                if read.is_ok() {
                    self.used.insert(key, value);
                }
                read
            }
            None => read(self.used.get(key.as_str())?),
        };
        read.inspect_err(|fault| {
            tracing::debug!(key = key.as_str(), %fault, "an answer does not fit; asking again");
        })
        .ok()
    }

    /// What is asked, and the sealed state that the client brings back with the answers.
    pub(super) fn pause(
        &mut self,
        core: &Core,
        caller: &Caller,
        method: Method,
        digest: &ParamsDigest,
    ) -> Result<(Questions, String), HandlerFault> {
        if self.questions.is_empty() {
            return Err(HandlerFault::internal("a handler waits for an answer and has asked nothing"));
        }
        let limits = &core.settings.limits.state;
        let mut random = [0; 16];
        core.ports.entropy.fill(&mut random).map_err(HandlerFault::internal)?;
        let expires = core.ports.clock.now().after(Duration::from_millis(limits.lifetime_ms));
        let claims = Claims::new(method, digest, &caller.principal, expires, Nonce::from_random(random));
        let (answers, memory) = (Cow::Borrowed(&self.used), Cow::Borrowed(&self.memory));
        let state = State { claims, answers, memory };
        let plain = state.encode(limits).map_err(|fault| match fault {
            StateFault::TooLarge { .. } => HandlerFault::Protocol {
                code: ErrorCode::INTERNAL,
                message: format!(
                    "{fault} (limit state.bytes); answer more briefly, or ask the server's operator to raise the limit"
                ),
                data: None,
            },
            StateFault::Json => HandlerFault::internal(fault),
        })?;
        let sealed = core.ports.sealer.seal(&plain, SEAL_CONTEXT).map_err(HandlerFault::internal)?;
        Ok((std::mem::take(&mut self.questions), sealed))
    }
}
