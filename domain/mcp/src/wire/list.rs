//! One page of a list ([Pagination](https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination)).

use alloc::string::String;

use serde::Serialize;
use serde::ser::SerializeMap;

use super::result::{ResultBody, write_cache_policy};
use crate::cache::CachePolicy;

/// The result of one of the four list methods.
#[derive(Clone, PartialEq, Debug)]
pub struct ListResult<'a, T> {
    /// The member that holds the entries: `tools`, `resources`, `resourceTemplates` or `prompts`.
    pub member: &'static str,
    /// The entries of this page.
    pub entries: &'a [T],
    /// Where the next page starts; absent on the last one.
    pub next_cursor: Option<String>,
    /// How long the page may be kept; the same scope on all pages of a list.
    pub cache: CachePolicy,
}

impl<T: Serialize> ResultBody for ListResult<'_, T> {
    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry(self.member, self.entries)?;
        if let Some(cursor) = &self.next_cursor {
            map.serialize_entry("nextCursor", cursor)?;
        }
        write_cache_policy(map, self.cache)
    }
}
