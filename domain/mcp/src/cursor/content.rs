//! The cursor itself.

use alloc::{
    borrow::ToOwned,
    string::{String, ToString},
    vec::Vec,
};

use super::{
    digest::{ParamsDigest, of_caller},
    position::CursorPosition,
};

/// What a peer is told about a refused cursor, with `-32602`: always the same, so that it learns
/// neither what a cursor holds nor whether it was forged, foreign or old.
pub const CURSOR_REFUSED: &str = "this cursor is not valid; start the list again without a cursor";

/// First byte of the encoded form. A change of the form takes another number: old cursors are
/// then refused and the peer starts again.
const FORM: u8 = 1;

/// Ends the name of the list. UTF-8 never holds this byte.
const END: u8 = 0xFF;

/// Bytes kept of each SHA-256; enough that no two filters or callers meet by accident or effort.
const KEPT: usize = 16;

/// What a cursor is good for: computed anew for each request and compared with the cursor's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CursorScope<'a> {
    /// The list, usually the method that reads it, such as `tools/list`.
    pub list: &'a str,
    /// What the request asks of the list besides the page.
    pub filter: &'a ParamsDigest,
    /// The state of the list that its order and positions belong to. Processes that share a
    /// signing key must agree on it.
    pub generation: u64,
    /// Who asks; `None` where callers are not told apart.
    pub caller: Option<&'a str>,
}

/// Why a cursor is refused: for the log. The peer gets [`CURSOR_REFUSED`] in every case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CursorRefusal {
    /// The bytes are no cursor of this form.
    #[error("the cursor cannot be read")]
    Unreadable,
    /// It belongs to another list.
    #[error("the cursor belongs to another list")]
    OtherList,
    /// It belongs to the same list with another filter.
    #[error("the cursor belongs to another filter of the list")]
    OtherFilter,
    /// It was made for another caller.
    #[error("the cursor was made for another caller")]
    OtherCaller,
    /// The list has changed since.
    #[error("the list has changed since the cursor was made")]
    Stale,
}

/// A position in one list and what it is bound to.
///
/// ```
/// use pm_mcp_domain::cursor::{Cursor, CursorPosition, CursorRefusal, CursorScope, ParamsDigest};
/// use serde_json::json;
///
/// let filter = ParamsDigest::of_list(&json!({}));
/// let scope = CursorScope { list: "tools/list", filter: &filter, generation: 7, caller: Some("ann") };
/// let bytes = Cursor::new(&scope, CursorPosition::Offset(50)).encode();
///
/// let cursor = Cursor::decode(&bytes)?;
/// assert_eq!(cursor.fits(&scope)?, &CursorPosition::Offset(50));
/// let of_bob = CursorScope { caller: Some("bob"), ..scope };
/// assert_eq!(cursor.fits(&of_bob), Err(CursorRefusal::OtherCaller));
/// # Ok::<(), CursorRefusal>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    list: String,
    filter: [u8; KEPT],
    caller: [u8; KEPT],
    generation: u64,
    position: CursorPosition,
}

impl Cursor {
    /// A cursor for the page that begins at `position`.
    #[must_use]
    pub fn new(scope: &CursorScope<'_>, position: CursorPosition) -> Self {
        Self {
            list: scope.list.to_owned(),
            filter: scope.filter.first_bytes(),
            caller: of_caller(scope.caller).first_bytes(),
            generation: scope.generation,
            position,
        }
    }

    /// Where the page begins, if the cursor was made for this very scope.
    ///
    /// # Errors
    ///
    /// The first [`CursorRefusal`] that applies; the caller is compared before the generation, so
    /// that nobody learns about changes from another's cursor.
    pub fn fits(&self, scope: &CursorScope<'_>) -> Result<&CursorPosition, CursorRefusal> {
        let Self { list, filter, caller, generation, position } = self;
        if list != scope.list {
            Err(CursorRefusal::OtherList)
        } else if *caller != of_caller(scope.caller).first_bytes() {
            Err(CursorRefusal::OtherCaller)
        } else if *filter != scope.filter.first_bytes() {
            Err(CursorRefusal::OtherFilter)
        } else if *generation != scope.generation {
            Err(CursorRefusal::Stale)
        } else {
            Ok(position)
        }
    }

    /// The bytes to sign.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let Self { list, filter, caller, generation, position } = self;
        let mut bytes = Vec::with_capacity(64 + list.len());
        bytes.push(FORM);
        bytes.extend_from_slice(list.as_bytes());
        bytes.push(END);
        bytes.extend_from_slice(filter);
        bytes.extend_from_slice(caller);
        bytes.extend_from_slice(&generation.to_be_bytes());
        position.encode_into(&mut bytes);
        bytes
    }

    /// Reads what [`encode`](Self::encode) wrote.
    ///
    /// # Errors
    ///
    /// [`CursorRefusal::Unreadable`] for anything else.
    pub fn decode(bytes: &[u8]) -> Result<Self, CursorRefusal> {
        Self::read(bytes).ok_or(CursorRefusal::Unreadable)
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(&[FORM])?;
        let end = rest.iter().position(|byte| *byte == END)?;
        let list = core::str::from_utf8(rest.get(..end)?).ok()?.to_string();
        let (filter, rest) = rest.get(end + 1..)?.split_first_chunk::<KEPT>()?;
        let (caller, rest) = rest.split_first_chunk::<KEPT>()?;
        let (generation, rest) = rest.split_first_chunk::<8>()?;
        Some(Self {
            list,
            filter: *filter,
            caller: *caller,
            generation: u64::from_be_bytes(*generation),
            position: CursorPosition::decode(rest)?,
        })
    }
}
