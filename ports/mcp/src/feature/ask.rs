//! Typed questions.

use pm_mcp_domain::continuation::{Answer, AnswerFault, ElicitAction, Question};
use serde_json::{Map, Value};

use super::fault::HandlerFault;

/// A question with a typed answer, for [`Context::ask`](super::Context::ask).
///
/// A form that no type stands for, because only the running server knows its members, is one of a host's own:
///
/// ```
/// use pm_mcp_domain::continuation::{Answer, AnswerFault, FormSchema, Question};
/// use pm_mcp_ports::feature::{Ask, HandlerFault};
/// use serde_json::{Map, Value};
///
/// /// The questions of a survey, as a JSON Schema.
/// struct Survey(Value);
///
/// impl Ask for Survey {
///     type Answer = Map<String, Value>;
///
///     fn question(&self) -> Result<Question, HandlerFault> {
///         let schema = FormSchema::new(self.0.clone()).map_err(HandlerFault::internal)?;
///         Ok(Question::Form { message: "How was it?".to_owned(), schema })
///     }
///
///     fn read(&self, answer: &Answer) -> Result<Result<Self::Answer, HandlerFault>, AnswerFault> {
///         match answer {
///             Answer::Elicited { content, .. } => Ok(Ok(content.clone())),
///             Answer::Sampled(_) | Answer::Roots(_) => Err(AnswerFault("it is no form".to_owned())),
///         }
///     }
/// }
/// ```
pub trait Ask: Sync {
    /// What the handler gets.
    type Answer;

    /// The question.
    ///
    /// # Errors
    ///
    /// When the question cannot be asked at all, which is the host's own fault.
    fn question(&self) -> Result<Question, HandlerFault>;

    /// Reads an answer that fits the question. The inner error is what the handler gets instead of an answer, such as
    /// [`HandlerFault::Declined`].
    ///
    /// # Errors
    ///
    /// [`AnswerFault`] when the answer is of no use; the question is then asked again.
    fn read(&self, answer: &Answer) -> Result<Result<Self::Answer, HandlerFault>, AnswerFault>;
}

/// Asks the client's model: parameters of `sampling/createMessage`.
#[derive(Clone, Debug)]
pub struct Sampling(pub Map<String, Value>);

impl Ask for Sampling {
    type Answer = Map<String, Value>;

    fn question(&self) -> Result<Question, HandlerFault> {
        Question::sampling(self.0.clone()).map_err(HandlerFault::internal)
    }

    fn read(&self, answer: &Answer) -> Result<Result<Self::Answer, HandlerFault>, AnswerFault> {
        match answer {
            Answer::Sampled(result) => Ok(Ok(result.clone())),
            Answer::Elicited { .. } | Answer::Roots(_) => Err(other_kind()),
        }
    }
}

/// Asks for the folders that the client works on: URI and name of each.
#[derive(Clone, Copy, Debug)]
pub struct Roots;

impl Ask for Roots {
    type Answer = Vec<(String, Option<String>)>;

    fn question(&self) -> Result<Question, HandlerFault> {
        Ok(Question::Roots)
    }

    fn read(&self, answer: &Answer) -> Result<Result<Self::Answer, HandlerFault>, AnswerFault> {
        match answer {
            Answer::Roots(roots) => Ok(Ok(roots.clone())),
            Answer::Elicited { .. } | Answer::Sampled(_) => Err(other_kind()),
        }
    }
}

/// Sends the user to an address. What happens there is learned by other means than this answer, which says only whether
/// the user went.
#[derive(Clone, Debug)]
pub struct OpenUrl {
    /// What the user reads.
    pub message: String,
    /// The address.
    pub url: String,
}

impl Ask for OpenUrl {
    type Answer = ();

    fn question(&self) -> Result<Question, HandlerFault> {
        Ok(Question::Url { message: self.message.clone(), url: self.url.clone() })
    }

    fn read(&self, answer: &Answer) -> Result<Result<(), HandlerFault>, AnswerFault> {
        match answer {
            Answer::Elicited { action: ElicitAction::Accept, .. } => Ok(Ok(())),
            Answer::Elicited { action, .. } => Ok(Err(HandlerFault::Declined(*action))),
            Answer::Sampled(_) | Answer::Roots(_) => Err(other_kind()),
        }
    }
}

fn other_kind() -> AnswerFault {
    AnswerFault("it answers another kind of question".to_owned())
}
