//! The items of the sample, step by step.

use serde::Deserialize;
use serde_json::{Map, Value};

/// One item and how it came to be.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SampleItem {
    pub(super) id: String,
    pub(super) steps: Vec<Step>,
}

/// One change.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Step {
    /// The minute, without seconds and zone.
    pub(super) at: String,
    pub(super) author: String,
    pub(super) op: String,
    pub(super) message: Option<String>,
    /// Metadata that are set, and `body`.
    pub(super) set: Map<String, Value>,
}

impl Step {
    pub(super) fn timestamp(&self) -> String {
        format!("{}:00.000Z", self.at)
    }
}

/// Reads the embedded items.
pub(super) fn items() -> serde_json::Result<Vec<SampleItem>> {
    serde_json::from_str(include_str!("items.json"))
}
