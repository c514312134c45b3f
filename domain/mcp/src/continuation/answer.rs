//! What a client brings back.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};

use serde_json::value::RawValue;
use serde_json::{Map, Value};
use thiserror::Error;

use super::question::Question;

/// What a user did with an elicitation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ElicitAction {
    /// The user agreed and, in form mode, filled in the form.
    Accept,
    /// The user said no.
    Decline,
    /// The user closed the question without an answer.
    Cancel,
}

/// An answer that fits its question.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// To a form or an address. Content is there only for an accepted form.
    Elicited {
        /// What the user did.
        action: ElicitAction,
        /// What the form holds.
        content: Map<String, Value>,
    },
    /// To a sampling question: the result of `sampling/createMessage`.
    Sampled(Map<String, Value>),
    /// To a question for roots: URI and name of each folder.
    Roots(alloc::vec::Vec<(String, Option<String>)>),
}

/// Why an answer does not fit; the question is then asked again.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("the answer does not fit: {0}")]
pub struct AnswerFault(pub String);

impl Answer {
    /// Reads the answer to `question`.
    ///
    /// # Errors
    ///
    /// [`AnswerFault`] says what does not fit.
    pub fn parse(question: &Question, value: &Value) -> Result<Self, AnswerFault> {
        let fault = |text: &str| AnswerFault(text.to_string());
        let Value::Object(answer) = value else { return Err(fault("it must be an object")) };
        match question {
            Question::Form { schema, .. } => {
                let action = action(answer)?;
                let none = Map::new();
                let content = match answer.get("content") {
                    Some(Value::Object(content)) => content,
                    None => &none,
                    Some(_) => return Err(fault("content must be an object")),
                };
                if action != ElicitAction::Accept {
                    return Ok(Self::Elicited { action, content: Map::new() });
                }
                match schema.violation(content) {
                    None => Ok(Self::Elicited { action, content: content.clone() }),
                    Some(violation) => Err(AnswerFault(violation)),
                }
            }
            Question::Url { .. } => Ok(Self::Elicited { action: action(answer)?, content: Map::new() }),
            Question::Sampling(_) => {
                let complete = answer.get("role").is_some_and(Value::is_string)
                    && answer.get("model").is_some_and(Value::is_string)
                    && answer.get("content").is_some_and(|content| content.is_object() || content.is_array());
                if complete {
                    Ok(Self::Sampled(answer.clone()))
                } else {
                    Err(fault("role, content and model are needed"))
                }
            }
            Question::Roots => {
                let Some(Value::Array(roots)) = answer.get("roots") else {
                    return Err(fault("roots must be a list"));
                };
                let text =
                    |root: &Value, member| root.get(member).and_then(Value::as_str).map(str::to_string);
                roots
                    .iter()
                    .map(|root| text(root, "uri").map(|uri| (uri, text(root, "name"))))
                    .collect::<Option<_>>()
                    .map(Self::Roots)
                    .ok_or_else(|| fault("each root needs a uri"))
            }
        }
    }
}

fn action(answer: &Map<String, Value>) -> Result<ElicitAction, AnswerFault> {
    match answer.get("action").and_then(Value::as_str) {
        Some("accept") => Ok(ElicitAction::Accept),
        Some("decline") => Ok(ElicitAction::Decline),
        Some("cancel") => Ok(ElicitAction::Cancel),
        _ => Err(AnswerFault("action must be accept, decline or cancel".to_string())),
    }
}

/// How many answers one request may bring.
const RESPONSES: usize = 64;

/// Reads the answers of a request; whether each fits is asked when its question is known.
///
/// # Errors
///
/// When they are not an object, or too many.
pub fn parse_responses(raw: &RawValue) -> Result<BTreeMap<String, Value>, AnswerFault> {
    let responses: BTreeMap<String, Value> = serde_json::from_str(raw.get())
        .map_err(|_| AnswerFault("params.inputResponses must be an object".to_string()))?;
    match responses.len() > RESPONSES {
        true => Err(AnswerFault("params.inputResponses has too many members".to_string())),
        false => Ok(responses),
    }
}
