//! What a server says of itself, to whom, and what it refuses to offer at all.

use pm_mcp::{BuildError, NoArguments, Output, tool};
use serde_json::{Value, json};

use crate::support::{Peer, stage};

fn discover(meta: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": meta}})
}

#[tokio::test]
async fn discovery_needs_sound_metadata_and_nothing_else() {
    let server = stage().0.instructions("Ask for help.").volatile_tasks().build().unwrap();
    let (version, capabilities) =
        ("io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities");
    for peer in Peer::both(&server) {
        let heard = peer.ask(1, "server/discover", json!({})).await;
        assert_eq!(heard.result()["supportedVersions"], json!(["2026-07-28"]));
        assert_eq!(heard.result()["instructions"], "Ask for help.");
        let offered = heard.result()["capabilities"].as_object().unwrap();
        assert_eq!(offered["extensions"], json!({"io.modelcontextprotocol/tasks": {}}));
        assert!(!offered.contains_key("tasks"), "an extension is no core capability: {offered:?}");

        for (meta, code) in [
            (json!({version: "2026-07-28"}), -32602),
            (json!({version: "2026-07-28", capabilities: []}), -32602),
            (json!({version: "2026-07-28", capabilities: "all"}), -32602),
            (json!({version: 20_260_728, capabilities: {}}), -32602),
            (
                json!({version: "2026-07-28", capabilities: {}, "io.modelcontextprotocol/clientInfo": {"name": 1}}),
                -32602,
            ),
        ] {
            let heard = peer.send(discover(meta.clone())).end().await;
            assert_eq!((heard.code(), heard.status()), (code, 400), "{meta}");
        }
    }
    // On HTTP the header, which these requests of the test always carry, is compared first.
    let peer = Peer::stdio(&server);
    for known in ["2025-11-25", "2025-06-18", "2024-11-05", "2031-01-01"] {
        let heard = peer.send(discover(json!({version: known, capabilities: {}}))).end().await;
        assert_eq!((heard.code(), heard.status()), (-32022, 400), "{known}");
        assert_eq!(heard.error()["data"], json!({"requested": known, "supported": ["2026-07-28"]}));
    }
}

#[test]
fn instructions_have_a_bound() {
    stage().0.instructions("x".repeat(4_000)).build().unwrap();
    let refused = stage().0.instructions("x".repeat(4_001)).build().unwrap_err();
    assert!(refused.to_string().contains("4000"), "{refused}");
}

#[test]
fn a_tool_with_a_bad_schema_stops_the_build() {
    let entry = || tool("bad", "Has a bad schema.");
    let text = |_, _: Value| async { Ok(Output::text("never")) };
    for schema in [
        json!({"type": "object", "$schema": "http://json-schema.org/draft-07/schema#"}),
        json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/missing"}}}),
        json!({"type": "object", "properties": {"a": {"$ref": "https://example.com/schema"}}}),
        json!({"type": "object", "properties": {"a": {"type": "no-type"}}}),
        json!({"type": "object", "properties": {"a": {"pattern": "(?=x)"}}}),
        json!({"type": "array"}),
        json!(7),
    ] {
        let refused = stage().0.tool(entry().input_schema(schema.clone()).handler(text)).build();
        assert!(refused.is_err(), "{schema}");
    }
    let refused = stage()
        .0
        .tool(
            entry()
                .output_schema(json!({"$ref": "#"}))
                .handler(|_, _: NoArguments| async { Ok(Output::text("never")) }),
        )
        .build()
        .unwrap_err();
    assert!(
        matches!(refused, BuildError::Schema { ref tool, which: "output", .. } if tool == "bad"),
        "{refused}"
    );
}

#[tokio::test]
async fn what_is_prepared_is_offered_and_refused_like_the_rest() {
    let named =
        |name: &str| tool(name, "Echoes.").handler(|_, _: NoArguments| async { Ok(Output::text("")) });
    let prepared = || stage().0.tool(named("first")).tool(named("second")).prepared().unwrap();
    let server = prepared().tool(named("third")).build().unwrap();
    let heard = Peer::stdio(&server).ask(1, "tools/list", json!({})).await;
    let tools = heard.result()["tools"].as_array().unwrap();
    let names: Vec<&Value> = tools.iter().map(|tool| &tool["name"]).collect();
    assert!(names.ends_with(&[&json!("first"), &json!("second"), &json!("third")]), "{names:?}");

    let refused = prepared().tool(named("second")).build().unwrap_err();
    assert!(refused.to_string().contains("tool \"second\" is registered twice"), "{refused}");
    let refused = stage().0.strict_tool_names().tool(named("a.b")).prepared().unwrap_err();
    assert!(matches!(refused, BuildError::StrictToolName(ref of) if of == "a.b"), "{refused}");
}
