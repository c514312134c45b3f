//! Changing what somebody else holds.

use super::{Refusal, request::ChangeRequest, world::World};
use crate::{Enforcement, Item, history::AuthorSource};

/// Whether the asker may change an item; gives a warning where the workspace only warns.
pub(super) fn check(item: &Item, request: &ChangeRequest, world: &World) -> Result<Option<String>, Refusal> {
    let holder = item.assignee().map(str::trim).filter(|holder| !holder.is_empty());
    let Some(holder) = holder.filter(|holder| *holder != request.by.author) else { return Ok(None) };
    match world.settings().governance.ownership {
        Enforcement::Off => Ok(None),
        Enforcement::Strict if !request.force => {
            Err(Refusal::OwnershipConflict { id: item.id().to_owned(), holder: holder.to_owned() })
        }
        Enforcement::Warn | Enforcement::Strict => {
            Ok(Some(format!("ownership: the item is held by `{holder}`")))
        }
    }
}

/// Whether the change names an author where the workspace wants one.
pub(super) fn attributed(request: &ChangeRequest, world: &World) -> Result<(), Refusal> {
    let unknown = request.by.source == AuthorSource::Unknown;
    if unknown && world.settings().require_attributed_author { Err(Refusal::AuthorRequired) } else { Ok(()) }
}
