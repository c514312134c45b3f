//! Asking before destructive work.

use std::collections::BTreeMap;

use pm_mcp::{Context, Elicited, Form, HandlerFault};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::failure::{Failure, Problem};

/// How many items are told apart.
const SHOWN: usize = 20;

/// When a batch is shown to the user before it is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_enums, reason = "the setting has exactly these three values")]
pub enum Confirmation {
    /// When it holds what cannot simply be taken back, or is long.
    #[default]
    Destructive,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Confirmation {
    /// Reads the value of the setting.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text.trim().to_lowercase().as_str() {
            "destructive" => Some(Self::Destructive),
            "always" => Some(Self::Always),
            "never" => Some(Self::Never),
            _ => None,
        }
    }
}

/// The form that the user fills in.
#[derive(Debug, Deserialize, JsonSchema, Form)]
pub(crate) struct Approval {
    /// Whether to go on.
    pub(crate) approved: bool,
}

/// Asks whether to go on with what `message` says. What was approved is approved for this `digest` alone: if it is another
/// one when the answer comes, the question is put again and says which of the items moved, by their versions in `seen`.
///
/// # Errors
///
/// What asking raises, which is to be passed on; [`Failure::ConsentUnavailable`] where the client speaks a revision in
/// which nothing can be asked.
pub(crate) async fn approved(
    context: &Context,
    digest: &str,
    seen: &BTreeMap<String, usize>,
    message: &str,
) -> Result<bool, Problem> {
    let mut round = context.recall("round").and_then(|round| round.as_u64()).unwrap_or(1);
    let mut again = String::new();
    if context.recall("digest").is_some_and(|before| before.as_str() != Some(digest)) {
        round += 1;
        again = moved(context.recall("seen").as_ref(), seen);
    }
    context.remember("digest", digest);
    context.remember("round", round);
    // The state travels through the client, so only as many items as a person reads are kept.
    let kept: Map<String, Value> =
        seen.iter().take(SHOWN).map(|(id, version)| (id.clone(), Value::from(*version))).collect();
    context.remember("seen", Value::Object(kept));
    let key = if round == 1 { "confirmation".to_owned() } else { format!("confirmation-{round}") };
    let form = Form::<Approval>::new(format!("{again}{message}")).or_declined();
    match context.ask(&key, form).await {
        Ok(Elicited::Accepted(answer)) => Ok(answer.approved),
        Ok(Elicited::Declined | Elicited::Cancelled) => Ok(false),
        Err(HandlerFault::CannotAsk) => Err(Failure::ConsentUnavailable.into()),
        Err(fault) => Err(fault.into()),
    }
}

fn moved(before: Option<&Value>, now: &BTreeMap<String, usize>) -> String {
    let before = |id: &str| before.and_then(|before| before.get(id)).and_then(Value::as_u64);
    let item = |(id, version): (&String, &usize)| {
        let then = before(id)?;
        (usize::try_from(then).ok() != Some(*version))
            .then(|| format!("{id} is at version {version} now and was at {then}"))
    };
    let items: Vec<String> = now.iter().filter_map(item).collect();
    match items.as_slice() {
        [] => "Something changed since you were asked. ".to_owned(),
        items => format!("Something changed since you were asked: {}. ", items.join("; ")),
    }
}
