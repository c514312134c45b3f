//! Pages of lists whose order is worked out anew for each call.

use std::ops::Range;

use pm_mcp::{CursorPosition, HandlerFault, Pages};
use serde_json::Value;

use super::call::Call;
use crate::view::View;

/// One page.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Page {
    /// The entries of the page, as positions in the whole list.
    pub(super) range: Range<usize>,
    /// The cursor of the next page; `None` on the last one.
    pub(super) next: Option<String>,
}

/// The arguments that say what a list holds, without those that say how much of it is shown.
pub(super) fn asked(call: &Call, view: &View, shown: &[&str]) -> Value {
    let mut asked = call.arguments.as_object().cloned().unwrap_or_default();
    asked.retain(|name, _| !shown.contains(&name.as_str()));
    // The default workspace is the same list, whether or not it is named.
    asked.insert("workspace".to_owned(), view.workspace().name().into());
    Value::Object(asked)
}

/// The page that a cursor stands for, of a list whose entries are `ids` in this order.
///
/// Positions are numbers, so a cursor holds for as long as the list has the very same ids in the same order, in
/// whichever process. Otherwise entries would be left out or come twice.
pub(super) fn page<'i>(
    call: &Call,
    list: &str,
    asked: &Value,
    ids: impl ExactSizeIterator<Item = &'i str>,
    cursor: Option<&str>,
    limit: usize,
) -> Result<Page, HandlerFault> {
    let length = ids.len();
    let pages = Pages::of(&call.context, list, asked, fingerprint(ids));
    let start = match pages.start(cursor)? {
        None => 0,
        Some(CursorPosition::Offset(offset)) => {
            usize::try_from(offset).map_err(|_| HandlerFault::InvalidCursor)?.min(length)
        }
        Some(CursorPosition::After(_)) => return Err(HandlerFault::InvalidCursor),
    };
    let end = start.saturating_add(limit).min(length);
    let next = (end < length).then(|| {
        let offset = u64::try_from(end).unwrap_or(u64::MAX);
        pages.cursor(CursorPosition::Offset(offset))
    });
    Ok(Page { range: start..end, next })
}

/// FNV-1a, 64 bits: enough to tell that a list changed, and the same in every process.
fn fingerprint<'i>(ids: impl Iterator<Item = &'i str>) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(PRIME);
    ids.fold(0xcbf2_9ce4_8422_2325, |hash, id| step(id.bytes().fold(hash, step), b'\n'))
}
