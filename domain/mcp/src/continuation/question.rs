//! What a server may ask of a client.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};
use thiserror::Error;

use super::form::FormSchema;
use super::key::InputKey;
use crate::request::ClientCapability;

/// One question, in the form of the request that an earlier revision would have sent.
#[derive(Clone, PartialEq, Debug)]
pub enum Question {
    /// `elicitation/create`, form mode: the user fills in a form.
    Form {
        /// What the user reads.
        message: String,
        /// What the form holds.
        schema: FormSchema,
    },
    /// `elicitation/create`, URL mode: the user opens an address; what happens there stays there.
    Url {
        /// What the user reads.
        message: String,
        /// The address.
        url: String,
    },
    /// `sampling/createMessage`: the client's model is asked.
    Sampling(SamplingParams),
    /// `roots/list`: the folders that the client works on.
    Roots,
}

/// Parameters of `sampling/createMessage`, with the two that must be there.
#[derive(Clone, PartialEq, Debug)]
pub struct SamplingParams(Map<String, Value>);

/// Why a question cannot be asked.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum QuestionFault {
    /// A sampling question lacks what it must have.
    #[error("a sampling question needs the list messages and the whole number maxTokens")]
    Sampling,
    /// Two questions have one key.
    #[error("two questions are asked under the key {0}")]
    Twice(InputKey),
    /// There are too many questions at once.
    #[error("more than {0} questions at once")]
    TooMany(usize),
    /// The questions are too long together.
    #[error("the questions of one request have more than {0} bytes together")]
    TooLong(usize),
    /// A question is nested too deep.
    #[error("a question has more than {0} arrays and objects within one another")]
    TooDeep(usize),
}

impl Question {
    /// A question to the client's model, with the parameters of `sampling/createMessage`.
    ///
    /// # Errors
    ///
    /// [`QuestionFault::Sampling`] when `messages` or `maxTokens` is missing.
    pub fn sampling(params: Map<String, Value>) -> Result<Self, QuestionFault> {
        let complete = params.get("messages").is_some_and(Value::is_array)
            && params.get("maxTokens").is_some_and(Value::is_u64);
        if complete { Ok(Self::Sampling(SamplingParams(params))) } else { Err(QuestionFault::Sampling) }
    }

    /// The capability that the request must declare before this may be asked.
    pub const fn needs(&self) -> ClientCapability {
        match self {
            Self::Form { .. } => ClientCapability::ElicitationForm,
            Self::Url { .. } => ClientCapability::ElicitationUrl,
            Self::Sampling(_) => ClientCapability::Sampling,
            Self::Roots => ClientCapability::Roots,
        }
    }
}

impl Serialize for Question {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(serde::Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Form<'a> {
            mode: &'a str,
            message: &'a str,
            requested_schema: &'a FormSchema,
        }
        #[derive(serde::Serialize)]
        struct Url<'a> {
            mode: &'a str,
            message: &'a str,
            url: &'a str,
        }
        let mut map = serializer.serialize_map(None)?;
        match self {
            Self::Form { message, schema } => {
                map.serialize_entry("method", "elicitation/create")?;
                map.serialize_entry("params", &Form { mode: "form", message, requested_schema: schema })?;
            }
            Self::Url { message, url } => {
                map.serialize_entry("method", "elicitation/create")?;
                map.serialize_entry("params", &Url { mode: "url", message, url })?;
            }
            Self::Sampling(SamplingParams(params)) => {
                map.serialize_entry("method", "sampling/createMessage")?;
                map.serialize_entry("params", params)?;
            }
            Self::Roots => map.serialize_entry("method", "roots/list")?,
        }
        map.end()
    }
}

/// The questions that are open at one time, each under its own key.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Questions {
    asked: BTreeMap<InputKey, Asked>,
    /// Bytes of all members as JSON, each with the comma that follows it.
    bytes: usize,
}

/// A question, and its JSON text: whether it is too long is known only once it is written, and it is not written again.
#[derive(Clone, Debug)]
struct Asked {
    question: Question,
    json: Box<RawValue>,
}

impl PartialEq for Asked {
    fn eq(&self, other: &Self) -> bool {
        self.question == other.question
    }
}

impl Questions {
    /// How many questions may be open at one time.
    pub const LIMIT: usize = 32;

    /// How many bytes all questions may have together, as JSON.
    pub const BYTES: usize = 256 * 1024;

    /// How many arrays and objects may stand within one another in a question.
    pub const DEPTH: usize = 32;

    /// Adds a question.
    ///
    /// # Errors
    ///
    /// When another question has the key, or too many are open, or they grow too long or too deep.
    pub fn ask(&mut self, key: InputKey, question: Question) -> Result<(), QuestionFault> {
        match self.asked.get(&key) {
            Some(known) if known.question == question => return Ok(()),
            Some(_) => return Err(QuestionFault::Twice(key)),
            None => {}
        }
        if self.asked.len() >= Self::LIMIT {
            return Err(QuestionFault::TooMany(Self::LIMIT));
        }
        if let Question::Sampling(SamplingParams(params)) = &question
            && params.values().any(|value| is_deeper_than(value, Self::DEPTH - 1))
        {
            return Err(QuestionFault::TooDeep(Self::DEPTH));
        }
        // A question that cannot be written at all is as much too long as one that is.
        let json = to_raw_value(&question).map_err(|_| QuestionFault::TooLong(Self::BYTES))?;
        let bytes = self.bytes + r#""":,"#.len() + key.as_str().len() + json.get().len();
        // Both braces, less the comma that follows nothing.
        if bytes + 1 > Self::BYTES {
            return Err(QuestionFault::TooLong(Self::BYTES));
        }
        self.bytes = bytes;
        self.asked.insert(key, Asked { question, json });
        Ok(())
    }

    /// Whether nothing is asked.
    pub fn is_empty(&self) -> bool {
        self.asked.is_empty()
    }

    /// The questions with their keys, in the order of the keys.
    pub fn iter(&self) -> impl Iterator<Item = (&InputKey, &Question)> {
        self.asked.iter().map(|(key, asked)| (key, &asked.question))
    }
}

/// Whether arrays and objects stand more than `limit` deep in a value. It goes no deeper itself.
fn is_deeper_than(value: &Value, limit: usize) -> bool {
    let deeper = |inner: &Value| is_deeper_than(inner, limit.saturating_sub(1));
    match value {
        Value::Array(entries) => limit == 0 || entries.iter().any(deeper),
        Value::Object(members) => limit == 0 || members.values().any(deeper),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

impl Serialize for Questions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.asked.iter().map(|(key, asked)| (key, &asked.json)))
    }
}
