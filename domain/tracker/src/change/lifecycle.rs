//! Reopening, deleting, restoring, and moves between statuses.

use super::{Decision, Document, Next, Present, Refusal, World};
use crate::{Enforcement, Item};

/// What closing wrote and reopening takes out. History keeps it.
const CLOSING_FIELDS: [&str; 7] = [
    "close_reason",
    "closed_at",
    "completed_at",
    "duplicate_of",
    "resolution",
    "expected_result",
    "actual_result",
];

/// Whether the workspace allows a move between statuses; gives a warning where it only warns.
pub(super) fn check_move(
    type_name: &str,
    from: &str,
    to: &str,
    world: &World,
) -> Result<Option<String>, Refusal> {
    if world.schema().allows_move(type_name, from, to) {
        return Ok(None);
    }
    let words = format!("the workflow of type `{type_name}` has no move from `{from}` to `{to}`");
    match world.settings().governance.workflow {
        Enforcement::Off => Ok(None),
        Enforcement::Warn => Ok(Some(format!("workflow: {words}"))),
        Enforcement::Strict => Err(Refusal::Workflow { detail: words }),
    }
}

fn reasoned<'r>(reason: &'r str, what: &'static str) -> Result<&'r str, Refusal> {
    let reason = reason.trim();
    if reason.is_empty() { Err(Refusal::ReasonRequired { what }) } else { Ok(reason) }
}

pub(super) fn reopen(
    item: &Item,
    reason: &str,
    status: Option<&str>,
    world: &World,
) -> Result<Decision, Refusal> {
    let reason = reasoned(reason, "reopening")?;
    let statuses = world.schema().statuses();
    if !statuses.is_terminal(item.status()) {
        return Err(Refusal::NotTerminal { id: item.id().to_owned(), status: item.status().to_owned() });
    }
    let to = match status {
        None => world.schema().workflow().open.as_str(),
        Some(named) => statuses
            .canonical(named)
            .filter(|known| !statuses.is_terminal(known))
            .ok_or_else(|| Refusal::field("status", format!("`{named}` is no status of unfinished work")))?,
    };
    let warning = check_move(item.type_name(), item.status(), to, world)?;
    let mut after = Document::of(item);
    after.set("status", to);
    for key in CLOSING_FIELDS {
        after.unset(key);
    }
    Ok(Decision::new("reopen", Next::Document(after)).because(Some(reason)).warned(warning))
}

pub(super) fn delete(item: &Item, reason: &str, world: &World) -> Result<Decision, Refusal> {
    let reason = reasoned(reason, "deleting")?;
    let children = world.board().children(item.id());
    let names = children.iter().take(5).map(|child| child.id()).collect::<Vec<_>>().join(", ");
    let warning = (!children.is_empty())
        .then(|| format!("children_left: {} items name it as their parent: {names}", children.len()));
    Ok(Decision::new("delete", Next::Deleted).because(Some(reason)).warned(warning))
}

/// The version that is restored, of an item with so many: the one before the last unless one is named.
pub(super) fn restored_version(named: Option<usize>, known: usize) -> Option<usize> {
    let wanted = named.unwrap_or_else(|| known.saturating_sub(1));
    (1..=known).contains(&wanted).then_some(wanted)
}

pub(super) fn restore(
    version: Option<usize>,
    reason: &str,
    present: &Present<'_>,
) -> Result<Decision, Refusal> {
    let reason = reasoned(reason, "restoring")?;
    let known = present.version;
    let (Some(wanted), Some(earlier)) = (restored_version(version, known), present.earlier) else {
        if known == 0 {
            return Err(Refusal::NotFound { id: present.id.to_owned() });
        }
        return Err(Refusal::field("version", format!("the item has versions 1 to {known}")));
    };
    let replayed = earlier
        .clone()
        .map_err(|error| Refusal::field("version", format!("version {wanted} cannot be read: {error}")))?;
    if replayed.is_deleted() {
        return Err(Refusal::field(
            "version",
            format!("version {wanted} is the deletion; name an earlier one"),
        ));
    }
    let item = replayed
        .into_item()
        .map_err(|error| Refusal::field("version", format!("version {wanted} is no item: {error}")))?;
    let message = format!("version {wanted}: {reason}");
    Ok(Decision::new("restore", Next::Document(Document::of(&item))).because(Some(&message)))
}

/// Puts an item back to what it was before a change that is undone.
pub(super) fn put_back(document: Option<&Document>, reason: &str) -> Decision {
    match document {
        Some(document) => Decision::new("restore", Next::Document(document.clone())).because(Some(reason)),
        None => Decision::new("delete", Next::Deleted).because(Some(reason)),
    }
}
