//! Typed forms.

use std::any::type_name;
use std::marker::PhantomData;

use pm_mcp_domain::continuation::{Answer, AnswerFault, ElicitAction, Question};
use pm_mcp_ports::feature::{Ask, HandlerFault};

use super::content::FormContent;
use super::flat::form_schema;

/// A question to the user whose answer is a Rust type: a flat struct of texts, numbers, booleans and choices, which derives
/// [`Form`](derive@crate::Form).
///
/// A user who says no ends the handler with [`HandlerFault::Declined`], which a tool tells the model; ask with
/// [`or_declined`](Form::or_declined) to go on instead.
///
/// ```
/// use pm_mcp::{Context, Form, Output, ToolError, schemars::JsonSchema, serde::Deserialize};
///
/// #[derive(Deserialize, JsonSchema, Form)]
/// #[serde(crate = "pm_mcp::serde")]
/// #[schemars(crate = "pm_mcp::schemars")]
/// struct Approval {
///     /// Whether to go on.
///     approved: bool,
///     /// How fast.
///     pace: Option<Pace>,
///     #[schemars(title = "Why?", length(max = 200))]
///     reason: Option<String>,
/// }
///
/// #[derive(Deserialize, JsonSchema, Form)]
/// #[serde(crate = "pm_mcp::serde", rename_all = "snake_case")]
/// #[schemars(crate = "pm_mcp::schemars")]
/// enum Pace {
///     /// One machine after another
///     Rolling,
///     /// All at once
///     AtOnce,
/// }
///
/// async fn deploy(ctx: Context) -> Result<Output, ToolError> {
///     let answer: Approval = ctx.ask("confirm", Form::new("Deploy?")).await?;
///     Ok(Output::text(if answer.approved { "deployed" } else { "not deployed" }))
/// }
/// ```
#[derive(Debug)]
pub struct Form<T> {
    message: String,
    content: PhantomData<fn() -> T>,
}

impl<T: FormContent> Form<T> {
    /// A form that shows `message` to the user.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), content: PhantomData }
    }

    /// Gives what the user did instead of ending the handler when the user says no.
    pub fn or_declined(self) -> FormOrDeclined<T> {
        FormOrDeclined(self)
    }

    fn to_question(&self) -> Result<Question, HandlerFault> {
        let schema = form_schema::<T>().map_err(HandlerFault::internal)?;
        Ok(Question::Form { message: self.message.clone(), schema })
    }

    fn read_content(&self, answer: &Answer) -> Result<Elicited<T>, AnswerFault> {
        match answer {
            Answer::Elicited { action: ElicitAction::Accept, content } => {
                T::deserialize(content)
                    .map(Elicited::Accepted)
                    // The words of a type's own refusal may repeat the answer, and these go to the log.
                    .map_err(|_| AnswerFault(format!("it fits the form, but is no {}", type_name::<T>())))
            }
            Answer::Elicited { action: ElicitAction::Decline, .. } => Ok(Elicited::Declined),
            Answer::Elicited { action: ElicitAction::Cancel, .. } => Ok(Elicited::Cancelled),
            Answer::Sampled(_) | Answer::Roots(_) => {
                Err(AnswerFault("it answers another kind of question".to_owned()))
            }
        }
    }
}

impl<T: FormContent> Ask for Form<T> {
    type Answer = T;

    fn question(&self) -> Result<Question, HandlerFault> {
        self.to_question()
    }

    fn read(&self, answer: &Answer) -> Result<Result<T, HandlerFault>, AnswerFault> {
        Ok(match self.read_content(answer)? {
            Elicited::Accepted(content) => Ok(content),
            Elicited::Declined => Err(HandlerFault::Declined(ElicitAction::Decline)),
            Elicited::Cancelled => Err(HandlerFault::Declined(ElicitAction::Cancel)),
        })
    }
}

/// A form that a user may decline.
#[derive(Debug)]
pub struct FormOrDeclined<T>(Form<T>);

impl<T: FormContent> Ask for FormOrDeclined<T> {
    type Answer = Elicited<T>;

    fn question(&self) -> Result<Question, HandlerFault> {
        self.0.to_question()
    }

    fn read(&self, answer: &Answer) -> Result<Result<Elicited<T>, HandlerFault>, AnswerFault> {
        self.0.read_content(answer).map(Ok)
    }
}

/// What a user did with a form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Elicited<T> {
    /// The user filled it in.
    Accepted(T),
    /// The user said no.
    Declined,
    /// The user closed it without an answer.
    Cancelled,
}
