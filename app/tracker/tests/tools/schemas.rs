//! What `tools/list` says.

use serde_json::{Value, json};

use crate::client::Client;

async fn listed() -> Vec<Value> {
    let (client, _) = Client::sample().await;
    let answer = client.request("tools/list", json!({})).await;
    answer["result"]["tools"].as_array().unwrap().clone()
}

#[tokio::test]
async fn tools_are_listed_with_hints_and_closed_arguments() {
    let tools = listed().await;
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "pm_context",
            "pm_next",
            "pm_list",
            "pm_search",
            "pm_get",
            "pm_events",
            "pm_create",
            "pm_update",
            "pm_claim",
            "pm_release",
            "pm_close",
            "pm_comments",
            "pm_files",
            "pm_focus",
            "pm_mutate",
            "pm_validate",
            "pm_health",
            "pm_graph",
            "pm_import",
            "pm_reindex",
            "pm_test"
        ]
    );
    for tool in &tools {
        let name = tool["name"].as_str().unwrap();
        let hints = match name {
            "pm_mutate" => json!({"destructiveHint": true, "idempotentHint": true, "openWorldHint": false}),
            "pm_test" => json!({"destructiveHint": true, "idempotentHint": false, "openWorldHint": true}),
            "pm_reindex" => json!({"destructiveHint": false, "openWorldHint": false}),
            "pm_create" | "pm_comments" | "pm_import" => {
                json!({"destructiveHint": false, "idempotentHint": false, "openWorldHint": false})
            }
            "pm_update" | "pm_claim" | "pm_release" | "pm_close" | "pm_files" | "pm_focus" => {
                json!({"destructiveHint": false, "idempotentHint": true, "openWorldHint": false})
            }
            "pm_validate" => json!({"destructiveHint": false, "openWorldHint": false}),
            _ => json!({"readOnlyHint": true, "openWorldHint": false}),
        };
        assert_eq!(tool["annotations"], hints, "{name}");
        let input = &tool["inputSchema"];
        assert_eq!(input["additionalProperties"], false, "{tool}");
        let workspace = &input["properties"]["workspace"];
        assert_eq!(
            (&workspace["x-mcp-header"], &workspace["enum"]),
            (&json!("Pm-Workspace"), &json!(["default"]))
        );
    }
    let list = &tools[2]["inputSchema"]["properties"];
    for (argument, word) in
        [("status", "review"), ("status", "in-review"), ("type", "Story"), ("type", "user-story")]
    {
        let words = list[argument]["items"]["enum"].as_array().unwrap();
        assert!(words.contains(&json!(word)), "{argument} {word}");
    }
    let health = tools.iter().find(|tool| tool["name"] == "pm_health").unwrap();
    let health = &health["inputSchema"]["properties"]["skip"]["items"]["enum"];
    assert_eq!(health.as_array().unwrap().len(), 9);
}

/// Places where an answer shows what files hold, whatever that is.
const OPEN: [&str; 3] = [
    "pm_list/$defs/ListedItem/additionalProperties",
    "pm_get/additionalProperties",
    "pm_events/$defs/Event/properties/entry/additionalProperties",
];

#[tokio::test]
async fn answers_are_open_only_where_files_are() {
    let mut open = Vec::new();
    for tool in listed().await {
        let schema = &tool["outputSchema"];
        assert_eq!(schema["type"], "object", "{tool}");
        visit(tool["name"].as_str().unwrap(), schema, &mut open);
    }
    open.sort_unstable();
    let mut wanted = OPEN.map(str::to_owned);
    wanted.sort_unstable();
    assert_eq!(open, wanted);
}

/// Collects subschemas that let everything through, among them objects that do not say what else they hold.
fn visit(place: &str, schema: &Value, open: &mut Vec<String>) {
    let Some(object) = schema.as_object() else {
        if schema != &json!(false) {
            open.push(place.to_owned());
        }
        return;
    };
    let says = ["type", "$ref", "enum", "const", "oneOf", "anyOf", "allOf"];
    if !says.iter().any(|keyword| object.contains_key(*keyword)) {
        open.push(place.to_owned());
        return;
    }
    let chosen = ["anyOf", "oneOf", "allOf"].iter().any(|keyword| object.contains_key(*keyword));
    if schema["type"] == "object" && !chosen && !object.contains_key("additionalProperties") {
        open.push(format!("{place} (object)"));
    }
    if schema["type"] == "array" && !object.contains_key("items") {
        open.push(format!("{place} (array)"));
    }
    for keyword in ["properties", "$defs"] {
        for (name, inner) in object.get(keyword).and_then(Value::as_object).into_iter().flatten() {
            visit(&format!("{place}/{keyword}/{name}"), inner, open);
        }
    }
    for keyword in ["items", "additionalProperties"] {
        if let Some(inner) = object.get(keyword) {
            visit(&format!("{place}/{keyword}"), inner, open);
        }
    }
    for keyword in ["oneOf", "anyOf", "allOf"] {
        for (at, inner) in object.get(keyword).and_then(Value::as_array).into_iter().flatten().enumerate() {
            visit(&format!("{place}/{keyword}/{at}"), inner, open);
        }
    }
}
