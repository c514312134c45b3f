//! Finishing items, and what that sets free.

use super::{ChangeRequest, Closing, Decision, Document, Next, Present, Refusal, World, field, lifecycle};
use crate::{Enforcement, Item, schema::StatusRole};

const CLOSING_TEXTS: [&str; 3] = ["resolution", "expected_result", "actual_result"];

pub(super) fn close(
    item: &Item,
    closing: &Closing,
    request: &ChangeRequest,
    present: &Present<'_>,
    world: &World,
) -> Result<Decision, Refusal> {
    let (schema, governance) = (world.schema(), &world.settings().governance);
    if schema.statuses().is_terminal(item.status()) && !request.force {
        return Err(Refusal::AlreadyTerminal { id: item.id().to_owned(), status: item.status().to_owned() });
    }
    let mut warnings = Vec::new();
    let target =
        closing.duplicate_of.as_deref().map(|id| duplicate_target(item.id(), id, world)).transpose()?;
    let to = schema.workflow().close.as_str();
    warnings.extend(lifecycle::check_move(item.type_name(), item.status(), to, world)?);
    let reason = [
        closing.reason.as_deref().map(str::to_owned),
        target.as_ref().map(|target| format!("Duplicate of {target}")),
        closing.resolution.clone(),
        request.message.clone(),
    ];
    let reason =
        reason.into_iter().flatten().map(|text| text.trim().to_owned()).find(|text| !text.is_empty());
    if reason.is_none() && governance.require_close_reason {
        return Err(Refusal::ReasonRequired { what: "closing" });
    }
    let mut after = Document::of(item);
    after.set("status", to);
    for (key, text) in
        CLOSING_TEXTS.into_iter().zip([&closing.resolution, &closing.expected_result, &closing.actual_result])
    {
        if let Some(text) = text.as_deref().map(str::trim).filter(|text| !text.is_empty()) {
            after.set(key, text);
        }
    }
    if let Some(reason) = &reason {
        after.set("close_reason", reason.as_str());
    }
    if let Some(target) = target {
        after.set("duplicate_of", target);
    }
    let now = present.now.to_string();
    after.set("closed_at", now.as_str());
    match closing.completed_at.as_deref() {
        Some(time) => after.set("completed_at", field::time("completed_at", time)?),
        None if after.text("completed_at").is_none() => after.set("completed_at", now),
        None => {}
    }
    after.unset("assignee");
    after.unset("claim_principal");
    warnings.extend(missing_texts(&after, governance.close_validation)?);
    warnings.extend(open_children(item.id(), governance.close_validation, world)?);
    Ok(Decision::new("close", Next::Document(after)).because(reason.as_deref()).warned(warnings))
}

fn duplicate_target(id: &str, input: &str, world: &World) -> Result<String, Refusal> {
    let Some(target) = world.find(input) else {
        return Err(Refusal::DependencyMissing { id: input.to_owned() });
    };
    let mut chain = vec![id.to_owned(), target.id().to_owned()];
    let mut step = target;
    loop {
        if step.id() == id {
            return Err(Refusal::Cycle { what: "duplicates", ring: chain });
        }
        let next = step.text("duplicate_of").and_then(|next| world.find(next));
        // A ring that does not lead through this item is not made by it.
        let Some(next) = next.filter(|next| next.id() == id || !chain.iter().any(|known| known == next.id()))
        else {
            break;
        };
        chain.push(next.id().to_owned());
        step = next;
    }
    match target.text("duplicate_of") {
        Some(of) => Err(Refusal::field(
            "duplicate_of",
            format!("`{}` is itself a duplicate of `{of}`; name that one", target.id()),
        )),
        None => Ok(target.id().to_owned()),
    }
}

fn missing_texts(after: &Document, rule: Enforcement) -> Result<Option<String>, Refusal> {
    let missing: Vec<&str> = CLOSING_TEXTS.into_iter().filter(|key| after.text(key).is_none()).collect();
    if missing.is_empty() {
        return Ok(None);
    }
    let words = format!("closing texts are missing: {}", missing.join(", "));
    match rule {
        Enforcement::Off => Ok(None),
        Enforcement::Warn => Ok(Some(format!("close_texts: {words}"))),
        Enforcement::Strict => {
            Err(Refusal::Workflow { detail: format!("{words}; this workspace wants all of them") })
        }
    }
}

fn open_children(id: &str, rule: Enforcement, world: &World) -> Result<Option<String>, Refusal> {
    let statuses = world.schema().statuses();
    let children = world.board().children(id);
    let open: Vec<&str> =
        children.into_iter().filter(|child| !statuses.is_terminal(child.status())).map(Item::id).collect();
    let named = open.iter().take(5).copied().collect::<Vec<_>>().join(", ");
    match (open.len(), rule) {
        (0, _) => Ok(None),
        (count, Enforcement::Strict) => Err(Refusal::Workflow {
            detail: format!("{count} children are not finished ({named}); finish them first"),
        }),
        (count, Enforcement::Off | Enforcement::Warn) => {
            Ok(Some(format!("open_children: {count} children are not finished: {named}")))
        }
    }
}

/// Sets a waiting item back to open, if nothing holds it up any more in this world.
pub(super) fn unblock(item: &Item, blocker: &str, world: &World) -> Decision {
    let waits =
        world.schema().statuses().find(item.status()).is_some_and(|known| known.has(StatusRole::Blocked));
    if !waits || !world.board().open_blockers(item.id()).is_empty() {
        return Decision::new("update", Next::Unchanged);
    }
    let mut after = Document::of(item);
    after.set("status", world.schema().workflow().open.as_str());
    if after.text("blocked_by").is_some_and(|by| world.find(by).is_some()) {
        after.unset("blocked_by");
        after.unset("blocked_reason");
    }
    let note = format!("Unblocked: the last open blocker {blocker} was finished");
    after.set("unblock_note", note.as_str());
    Decision::new("update", Next::Document(after)).because(Some(&note))
}
