//! Which tools of a server a client over HTTP may call.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

use super::annotation::{AnnotationFault, HeaderAnnotations, collect_header_annotations};

/// A tool that a client may call.
#[derive(Debug, Clone, PartialEq)]
pub struct UsableTool {
    /// Its name.
    pub name: String,
    /// Its definition as the server gave it.
    pub definition: Value,
    /// Which arguments its calls repeat in headers.
    pub annotations: HeaderAnnotations,
}

/// A tool that a client leaves out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnusableTool {
    /// Its name, as far as it has one.
    pub name: String,
    /// What is wrong with the annotations of its input schema.
    pub fault: AnnotationFault,
}

/// Sorts out the tools that a server lists: those whose annotations break the rules are left out, because a client could
/// build no headers for them that the server must accept; the others stay
/// (specification: basic/transports/streamable-http, "Custom Headers from Tool Parameters"). Whoever leaves tools out says
/// so, with a warning for each.
#[must_use]
pub fn usable_tools(listed: &[Value]) -> (Vec<UsableTool>, Vec<UnusableTool>) {
    let (mut usable, mut unusable) = (Vec::new(), Vec::new());
    for definition in listed {
        let name = definition.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        let schema = definition.get("inputSchema");
        match schema.map_or_else(|| Ok(HeaderAnnotations::default()), collect_header_annotations) {
            Ok(annotations) => usable.push(UsableTool { name, definition: definition.clone(), annotations }),
            Err(fault) => unusable.push(UnusableTool { name, fault }),
        }
    }
    (usable, unusable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn tool(name: &str, property: Value) -> Value {
        json!({"name": name, "inputSchema": {"type": "object", "properties": {"a": property}}})
    }

    #[test]
    fn tools_that_break_the_rules_are_left_out_and_the_others_stay() {
        let listed = [
            tool("good", json!({"type": "string", "x-mcp-header": "Region"})),
            tool("plain", json!({"type": "string"})),
            tool("empty", json!({"type": "string", "x-mcp-header": ""})),
            tool("blank", json!({"type": "string", "x-mcp-header": "My Region"})),
            tool("array", json!({"type": "array", "x-mcp-header": "Region"})),
            json!({"name": "bare"}),
        ];
        let (usable, unusable) = usable_tools(&listed);
        assert_eq!(
            usable.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(),
            ["good", "plain", "bare"]
        );
        assert_eq!(usable[0].annotations.iter().next().unwrap().header(), "Mcp-Param-Region");
        assert_eq!(usable[1].definition, listed[1]);
        assert_eq!(
            unusable.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(),
            ["empty", "blank", "array"]
        );
    }
}
