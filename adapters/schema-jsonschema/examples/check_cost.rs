//! What it costs to check the arguments of a tool, by the plain form of a schema and by the jsonschema crate.
//!
//! ```text
//! cargo run --release -p pm-mcp-schema-jsonschema --example check_cost
//! ```
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a measurement prints what a clock says, and stops at the first surprise"
)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use pm_mcp_domain::schema::{CheckedSchema, SchemaLimits};
use pm_mcp_ports::driven::SchemaChecker as _;
use pm_mcp_schema_jsonschema::JsonSchemaChecker;
use serde_json::{Value, json};

const TIMES: u32 = 50_000;
const ROUNDS: usize = 11;

fn median(times: u32, mut run: impl FnMut()) -> Duration {
    let mut rounds: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let began = Instant::now();
            (0..times).for_each(|_| run());
            began.elapsed() / times
        })
        .collect();
    rounds.sort();
    rounds.into_iter().nth(ROUNDS / 2).unwrap()
}

fn main() {
    let small = json!({
        "type": "object",
        "properties": {"text": {"type": "string"}},
        "required": ["text"],
    });
    let large = json!({
        "type": "object",
        "properties": {
            "title": {"type": "string", "minLength": 1, "maxLength": 200},
            "state": {"type": "string", "enum": ["open", "claimed", "closed"]},
            "priority": {"type": "integer", "minimum": 0, "maximum": 4},
            "tags": {"type": "array", "items": {"type": "string", "maxLength": 40}, "maxItems": 20},
            "parent": {"anyOf": [{"$ref": "#/$defs/id"}, {"type": "null"}]},
        },
        "required": ["title", "state"],
        "additionalProperties": false,
        "$defs": {"id": {"type": "string", "minLength": 4, "maxLength": 12}},
    });
    let values = [
        json!({"text": "hello \"world\""}),
        json!({"title": "A title", "state": "open", "priority": 2, "tags": ["a", "b"], "parent": "demo-1a2b"}),
    ];
    for (name, schema, value) in [("one text", small, &values[0]), ("five members", large, &values[1])] {
        // A keyword that is not plain and that these values do not notice.
        let mut whole = schema.clone();
        whole["patternProperties"] = json!({"^$": true});
        for (form, schema) in [("plain", &schema), ("crate", &whole)] {
            measure(name, form, schema, value);
        }
    }
}

fn measure(name: &str, form: &str, schema: &Value, value: &Value) {
    let checked = CheckedSchema::new(schema, &SchemaLimits::default()).unwrap();
    let compiled = JsonSchemaChecker::new().compile(&checked).unwrap();
    assert!(compiled.is_valid(value));
    let check = median(TIMES, || assert!(compiled.is_valid(black_box(value))));
    let compile = median(20, || drop(black_box(JsonSchemaChecker::new().compile(&checked))));
    println!("{name}, {form}: check {check:?}, compile {compile:?}");
}
