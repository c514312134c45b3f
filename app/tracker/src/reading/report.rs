//! Reports of checks.

use std::borrow::Cow;

use pm_tracker_domain::check::{Repair, Report};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

/// The outcome of several checks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
#[expect(clippy::exhaustive_structs, reason = "the shape that callers see")]
pub struct CheckReport(pub Report);

/// Most findings that a report shows of one check; its counts tell how many there are.
const FINDINGS_MAX: usize = 200;

impl CheckReport {
    /// The report with at most so many findings of each check as a caller can bear.
    #[must_use]
    pub(crate) fn shortened(mut self) -> Self {
        for row in &mut self.0.checks {
            row.shorten(FINDINGS_MAX);
        }
        self
    }
}

impl JsonSchema for CheckReport {
    fn schema_name() -> Cow<'static, str> {
        "Report".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let repair = serde_json::json!({"type": "string", "enum": Repair::ALL.map(Repair::name)});
        let text = serde_json::json!({"type": "string"});
        let finding = serde_json::json!({
            "type": "object",
            "properties": {"code": text, "item": text, "path": text, "detail": text, "fix": repair},
            "required": ["code", "detail"],
            "additionalProperties": false
        });
        let check = serde_json::json!({
            "type": "object",
            "properties": {
                "name": text,
                "status": {"type": "string", "enum": ["ok", "warn", "error"], "description": "The worst finding."},
                "counts": {
                    "type": "object",
                    "additionalProperties": {"type": "integer", "minimum": 0},
                    "description": "Numbers by name; `findings` counts those that were cut, too."
                },
                "findings": {"type": "array", "items": finding}
            },
            "required": ["name", "status", "counts", "findings"],
            "additionalProperties": false
        });
        let fix = serde_json::json!({
            "type": "object",
            "properties": {"fix": repair, "item": text, "path": text, "detail": text},
            "required": ["fix", "detail"],
            "additionalProperties": false
        });
        json_schema!({
            "type": "object",
            "properties": {
                "ok": {"type": "boolean", "description": "Whether nothing is wrong."},
                "checks": {"type": "array", "items": check},
                "fixes": {"type": "array", "items": fix},
                "generated_at": text
            },
            "required": ["ok", "checks", "generated_at"],
            "additionalProperties": false
        })
    }
}
