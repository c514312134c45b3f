//! Answers of a script.

use serde_json::{Value, json};

/// What the user, or the user's model, says to a question.
///
/// A JSON value converts into [`Accept`](Self::Accept).
#[derive(Clone, PartialEq, Debug)]
pub enum Reply {
    /// Yes, with this: the content of a form; the text or the whole result of sampling; the URIs or the whole result of
    /// roots. For a URL that is to be opened the value does not count.
    Accept(Value),
    /// The user says no to a form or URL.
    Decline,
    /// The user closes a form or URL without an answer.
    Cancel,
    /// This very result, fitting or not.
    Raw(Value),
}

impl From<Value> for Reply {
    fn from(value: Value) -> Self {
        Self::Accept(value)
    }
}

impl Reply {
    /// The response to the question as it was asked.
    pub(super) fn to(&self, question: &Value) -> Value {
        let method = question.get("method").and_then(Value::as_str).unwrap_or_default();
        let is_url = question.pointer("/params/mode").and_then(Value::as_str) == Some("url");
        match (self, method, is_url) {
            (Self::Decline, ..) => json!({"action": "decline"}),
            (Self::Cancel, ..) => json!({"action": "cancel"}),
            (Self::Raw(result), ..) => result.clone(),
            (Self::Accept(_), "elicitation/create", true) => json!({"action": "accept"}),
            (Self::Accept(content), "elicitation/create", false) => {
                json!({"action": "accept", "content": content})
            }
            (Self::Accept(Value::String(text)), "sampling/createMessage", _) => json!({
                "role": "assistant",
                "model": "scripted",
                "content": {"type": "text", "text": text},
            }),
            (Self::Accept(Value::Array(uris)), "roots/list", _) => {
                json!({"roots": uris.iter().map(|uri| json!({"uri": uri})).collect::<Vec<_>>()})
            }
            (Self::Accept(result), ..) => result.clone(),
        }
    }
}
