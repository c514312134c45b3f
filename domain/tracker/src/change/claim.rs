//! Taking items and giving them back.

use super::{ChangeRequest, Decision, Document, Next, Refusal, World};
use crate::Item;

pub(super) fn claim(
    item: &Item,
    if_available: bool,
    request: &ChangeRequest,
    world: &World,
) -> Result<Decision, Refusal> {
    let holder = item.assignee().map(str::trim).filter(|holder| !holder.is_empty());
    let author = request.by.author.as_str();
    if world.schema().statuses().is_terminal(item.status()) && !request.force {
        return Err(Refusal::AlreadyTerminal { id: item.id().to_owned(), status: item.status().to_owned() });
    }
    let other = holder.filter(|holder| *holder != author);
    let mut warnings = Vec::new();
    match other {
        Some(holder) if if_available => {
            let warning = format!("claim_skipped: the item is held by `{holder}`");
            return Ok(Decision::new("claim", Next::Unchanged).warned([warning]));
        }
        Some(holder) if !request.force => {
            return Err(Refusal::AlreadyClaimed { id: item.id().to_owned(), holder: holder.to_owned() });
        }
        Some(holder) => warnings.push(format!("claim_takeover: the item was held by `{holder}`")),
        None if holder.is_some() => {
            warnings.push("claim_held: the item was held by the asker already".to_owned())
        }
        None => {}
    }
    let mut after = Document::of(item);
    if holder != Some(author) {
        after.set("assignee", author);
        after.set("claim_principal", author);
    }
    Ok(Decision::new("claim", Next::Document(after)).warned(warnings))
}

pub(super) fn release(item: &Item) -> Decision {
    let mut after = Document::of(item);
    let held = item.assignee().is_some();
    after.unset("assignee");
    after.unset("claim_principal");
    let warning = (!held).then(|| "not_held: nobody held the item".to_owned());
    Decision::new("release", Next::Document(after)).warned(warning)
}
