//! Completion results ([Completion](https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion)).

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;
use serde::ser::SerializeMap;

use super::result::ResultBody;

/// Values that an argument can be completed to.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Completion {
    values: Vec<String>,
    total: usize,
    has_more: bool,
}

impl Completion {
    /// How many values one answer may hold.
    pub const LIMIT: usize = 100;

    /// Takes the best values first; those beyond [`LIMIT`](Self::LIMIT) are counted, not sent.
    pub fn new(values: impl IntoIterator<Item = String>) -> Self {
        let mut values: Vec<String> = values.into_iter().collect();
        let total = values.len();
        values.truncate(Self::LIMIT);
        Self { values, total, has_more: total > Self::LIMIT }
    }

    /// The values, best first.
    pub fn values(&self) -> &[String] {
        &self.values
    }
}

/// The result of `completion/complete`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompleteResult(pub Completion);

impl ResultBody for CompleteResult {
    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("completion", &self.0)
    }
}
