//! Asking about entries that seem to repeat items.

use futures_util::future::join_all;
use pm_mcp::{Context, Elicited, Form, HandlerFault};
use pm_tracker_domain::import::ImportFormat;
use schemars::JsonSchema;
use serde::Deserialize;

use super::plan::{Entry, called};
use crate::failure::{Failure, Problem};

/// Most entries asked about at a time.
const AT_A_TIME: usize = 20;

/// The form for one entry.
#[derive(Debug, Deserialize, JsonSchema, Form)]
struct Repeated {
    /// Whether to make the item all the same.
    create: bool,
}

/// Whether each of some entries is to be made all the same, in their order; an entry that nobody answers for is not.
///
/// # Errors
///
/// What asking raises, which is to be passed on.
pub(super) async fn ask(
    context: &Context,
    format: ImportFormat,
    entries: &[&Entry],
) -> Result<Vec<bool>, Problem> {
    let mut decided = Vec::with_capacity(entries.len());
    for (round, some) in entries.chunks(AT_A_TIME).enumerate() {
        let questions = some.iter().enumerate().map(|(at, entry)| {
            let key = format!("duplicate-{}", round * AT_A_TIME + at + 1);
            let form = Form::<Repeated>::new(message(format, entry)).or_declined();
            async move { context.ask(&key, form).await }
        });
        for answer in join_all(questions).await {
            decided.push(match answer {
                Ok(Elicited::Accepted(answer)) => answer.create,
                Ok(Elicited::Declined | Elicited::Cancelled) => false,
                Err(HandlerFault::CannotAsk) => return Err(Failure::ConsentUnavailable.into()),
                Err(fault) => return Err(fault.into()),
            });
        }
    }
    Ok(decided)
}

fn message(format: ImportFormat, entry: &Entry) -> String {
    let like: Vec<String> =
        entry.like.iter().map(|like| format!("{} \u{201c}{}\u{201d}", like.id, like.title)).collect();
    format!(
        "\u{201c}{}\u{201d} ({}) seems to repeat {}. Make it all the same?",
        entry.draft.title,
        called(&entry.draft, format),
        like.join(", ")
    )
}
