//! Paging lists of a host's own.

use pm_mcp_domain::cursor::{CursorPosition, CursorScope, ParamsDigest};
use pm_mcp_ports::feature::{Context, HandlerFault};
use serde_json::Value;

/// The pages of one list of a host's own, such as the hits of a search. Cursors are signed and bound to the list, to
/// what was asked, to the list's generation and to the caller.
///
/// ```
/// use pm_mcp::{Context, CursorPosition, HandlerFault, Pages, serde_json::Value};
///
/// fn page(context: &Context, arguments: &Value, hits: &[String]) -> Result<(Vec<String>, Option<String>), HandlerFault> {
///     let pages = Pages::of(context, "search", arguments, 0);
///     let cursor = arguments["cursor"].as_str();
///     let start = match pages.start(cursor)? {
///         Some(CursorPosition::Offset(start)) => usize::try_from(start).unwrap_or(usize::MAX),
///         Some(CursorPosition::After(_)) => return Err(HandlerFault::InvalidCursor),
///         None => 0,
///     };
///     let page: Vec<String> = hits.iter().skip(start).take(10).cloned().collect();
///     let next = start.saturating_add(page.len());
///     let more = next < hits.len();
///     Ok((page, more.then(|| pages.cursor(CursorPosition::Offset(next as u64)))))
/// }
/// ```
#[derive(Debug)]
pub struct Pages<'a> {
    context: &'a Context,
    list: &'a str,
    filter: ParamsDigest,
    generation: u64,
}

impl<'a> Pages<'a> {
    /// The pages of `list` as `arguments` filter it; its member `cursor` does not count.
    ///
    /// `generation` must change when positions of earlier pages no longer hold; 0 where they always do.
    pub fn of(context: &'a Context, list: &'a str, arguments: &Value, generation: u64) -> Self {
        Self { context, list, filter: ParamsDigest::of_list(arguments), generation }
    }

    /// Where the page of `cursor` begins; `None` for the first page.
    ///
    /// # Errors
    ///
    /// [`HandlerFault::InvalidCursor`] when the cursor was not made for these very pages.
    pub fn start(&self, cursor: Option<&str>) -> Result<Option<CursorPosition>, HandlerFault> {
        cursor
            .map(|cursor| self.context.cursors().position(cursor, &self.scope()))
            .transpose()
            .map_err(|_| HandlerFault::InvalidCursor)
    }

    /// The cursor of the page that begins at `position`.
    pub fn cursor(&self, position: CursorPosition) -> String {
        self.context.cursors().seal(&self.scope(), position)
    }

    fn scope(&self) -> CursorScope<'_> {
        let caller = Some(self.context.caller().principal.as_str());
        CursorScope { list: self.list, filter: &self.filter, generation: self.generation, caller }
    }
}
