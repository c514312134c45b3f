//! The list of tools of each profile, as hosts read it, against files that are reviewed as text.

use std::fs;
use std::path::Path;

use pm_tracker::tools::Profile;
use serde_json::Value;

use crate::client::Client;

/// One tool in a few lines: what a host shows and what a caller may send.
fn summary(tool: &Value) -> String {
    let hints = tool["annotations"].as_object().into_iter().flatten();
    let hints: Vec<String> = hints
        .filter(|(name, _)| name.ends_with("Hint"))
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let required: Vec<&str> =
        tool["inputSchema"]["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let arguments = tool["inputSchema"]["properties"].as_object().into_iter().flatten();
    let mut text = format!("{}  [{}]\n", tool["name"].as_str().unwrap(), hints.join(" "));
    for (name, schema) in arguments {
        let needed = if required.contains(&name.as_str()) { "!" } else { "" };
        let kind = match (&schema["type"], &schema["enum"]) {
            (Value::String(_), Value::Array(words)) => {
                words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("|")
            }
            (Value::String(kind), _) => kind.clone(),
            (other, _) => other.to_string(),
        };
        let bounds: Vec<String> = ["minimum", "maximum", "x-mcp-header"]
            .iter()
            .filter_map(|key| schema.get(*key).map(|value| format!(" {key}={value}")))
            .collect();
        text.push_str(&format!("    {name}{needed}: {kind}{}\n", bounds.concat()));
    }
    let schema = &tool["outputSchema"];
    let shapes: Vec<&Value> = match schema["anyOf"].as_array() {
        Some(shapes) => shapes.iter().collect(),
        None => vec![schema],
    };
    for shape in shapes {
        let shape = match shape["$ref"].as_str() {
            Some(path) => schema.pointer(path.trim_start_matches('#')).unwrap(),
            None => shape,
        };
        let members: Vec<&str> =
            shape["properties"].as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
        text.push_str(&format!("    -> {}\n", members.join(", ")));
    }
    text
}

#[tokio::test]
async fn each_profile_lists_what_its_file_says() {
    for (name, profile) in [("core", Profile::Core), ("standard", Profile::Standard), ("full", Profile::Full)]
    {
        let client = Client::with_tools(&profile.tools()).await;
        let answer = client.request("tools/list", serde_json::json!({})).await;
        assert!(answer["result"]["nextCursor"].is_null(), "the list is one page");
        let tools = answer["result"]["tools"].as_array().unwrap();
        let listed: String = tools.iter().map(summary).collect();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/tools/golden/{name}.txt"));
        if std::env::var_os("PM_GOLDEN").is_some_and(|mode| mode == "write") {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &listed).unwrap();
        }
        let wanted = fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(listed, wanted, "{path:?} differs; PM_GOLDEN=write writes it anew");
    }
}
