//! Asking the client ([Multi Round-Trip
//! Requests](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr)).

use serde::ser::SerializeMap;

use super::result::ResultBody;
use crate::continuation::Questions;

/// The members of an `InputRequiredResult`: what is asked, and the state that the client brings back. It has no cache
/// hints, since nobody may keep it.
#[derive(Clone, Copy, Debug)]
pub struct InputRequired<'a> {
    /// What is asked, by key.
    pub questions: &'a Questions,
    /// The sealed state.
    pub state: &'a str,
}

impl ResultBody for InputRequired<'_> {
    const RESULT_TYPE: &'static str = "input_required";

    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        if !self.questions.is_empty() {
            map.serialize_entry("inputRequests", self.questions)?;
        }
        map.serialize_entry("requestState", self.state)
    }
}
