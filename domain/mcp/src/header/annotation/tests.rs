use serde_json::json;

use super::*;

fn annotated(annotation: Value) -> Value {
    json!({"type": "object", "properties": {"p": {"type": "string", "x-mcp-header": annotation}}})
}

#[test]
fn legal_annotations_are_collected() {
    let schema = json!({
        "type": "object",
        "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "count": {"type": "integer", "x-mcp-header": "count"},
            "dry": {"type": ["boolean", "null"], "x-mcp-header": "Method"},
            "plain": {"type": "number"},
            "a/b": {"type": "object", "properties": {"c": {"type": "string", "x-mcp-header": "!#$%&'*+-.^_`|~9"}}},
            "x-mcp-header": {"type": "object"},
        },
    });
    let found = collect_header_annotations(&schema).unwrap();
    let mut headers = found.iter().map(|one| (one.header(), one.path().join(" "))).collect::<Vec<_>>();
    headers.sort();
    assert_eq!(
        headers,
        [
            ("Mcp-Param-!#$%&'*+-.^_`|~9", "a/b c".to_string()),
            ("Mcp-Param-Method", "dry".to_string()),
            ("Mcp-Param-Region", "region".to_string()),
            ("Mcp-Param-count", "count".to_string()),
        ]
    );
    assert!(found.declares("MCP-PARAM-REGION"));
    assert!(!found.declares("Mcp-Param-Plain"));
    assert_eq!(found.len(), 4);
    let nested = found.iter().find(|one| one.path().len() == 2).unwrap();
    assert_eq!(nested.pointer(), "/a~1b/c");
    assert_eq!(nested.value_in(&json!({"a/b": {"c": 1}})), Some(&json!(1)));
    assert_eq!(nested.value_in(&json!({"a/b": [1]})), None);
}

#[test]
fn names_must_be_header_tokens() {
    for name in ["", "a b", "a:b", "ä", "a\r\nb", "a\tb", "a\0", "a/b", "\u{7f}", "(x)"] {
        let found = collect_header_annotations(&annotated(json!(name)));
        assert!(matches!(found, Err(AnnotationFault::InvalidName { .. })), "{name:?}: {found:?}");
        let message = found.unwrap_err().to_string();
        assert!(!message.contains(['\r', '\n', '\0']), "{message:?}");
    }
    for other in [json!(1), json!(true), json!(null), json!(["a"]), json!({})] {
        let found = collect_header_annotations(&annotated(other));
        assert!(matches!(found, Err(AnnotationFault::InvalidName { .. })));
    }
}

#[test]
fn names_of_the_protocol_are_reserved() {
    for name in ["Mcp-Method", "mcp-name", "MCP-Protocol-Version", "Mcp-Session-Id", "Mcp-Param-X"] {
        let found = collect_header_annotations(&annotated(json!(name)));
        assert!(matches!(found, Err(AnnotationFault::ReservedName { .. })), "{name}");
    }
    // Behind the prefix these collide with nothing.
    for name in ["Method", "Name", "Authorization", "Host", "Connection"] {
        let found = collect_header_annotations(&annotated(json!(name))).unwrap();
        let header = found.iter().next().unwrap().header().to_string();
        assert_eq!(header, format!("Mcp-Param-{name}"));
    }
}

#[test]
fn names_are_unique_without_regard_to_case() {
    let schema = json!({"type": "object", "properties": {
        "a": {"type": "string", "x-mcp-header": "Region"},
        "b": {"type": "object", "properties": {"c": {"type": "string", "x-mcp-header": "REGION"}}},
    }});
    assert_eq!(
        collect_header_annotations(&schema),
        Err(AnnotationFault::RepeatedName {
            name: "REGION".into(),
            pointer: "/properties/b/properties/c".into()
        })
    );
}

#[test]
fn only_primitive_types_are_mirrored() {
    for kind in [
        json!("number"),
        json!("object"),
        json!("array"),
        json!("null"),
        json!(["null"]),
        json!(["string", "number"]),
        json!(["string", "array"]),
        json!([]),
        json!(7),
        json!("text"),
    ] {
        let schema = json!({"properties": {"p": {"type": kind, "x-mcp-header": "P"}}});
        let expected = AnnotationFault::NotPrimitive { pointer: "/properties/p".into() };
        assert_eq!(collect_header_annotations(&schema), Err(expected), "{kind}");
    }
    let behind = json!({
        "properties": {"p": {"$ref": "#/$defs/s", "x-mcp-header": "P"}},
        "$defs": {"s": {"type": "string"}},
    });
    assert!(matches!(collect_header_annotations(&behind), Err(AnnotationFault::NotPrimitive { .. })));
}

#[test]
fn annotations_off_the_path_of_properties_are_refused() {
    let one = json!({"type": "string", "x-mcp-header": "P"});
    let under = json!({"properties": {"p": one}});
    for schema in [
        one.clone(),
        json!({"properties": {"list": {"type": "array", "items": one}}}),
        json!({"properties": {"list": {"items": under}}}),
        json!({"properties": {"list": {"prefixItems": [one]}}}),
        json!({"allOf": [under]}),
        json!({"anyOf": [under]}),
        json!({"oneOf": [under]}),
        json!({"not": under}),
        json!({"if": under}),
        json!({"then": under}),
        json!({"else": under}),
        json!({"$defs": {"d": under}, "$ref": "#/$defs/d"}),
        json!({"$defs": {"d": one}, "properties": {"p": {"$ref": "#/$defs/d"}}}),
        json!({"additionalProperties": one}),
        json!({"patternProperties": {"a": one}}),
        json!({"dependentSchemas": {"a": under}}),
    ] {
        let found = collect_header_annotations(&schema);
        assert!(matches!(found, Err(AnnotationFault::Unreachable { .. })), "{schema}: {found:?}");
    }
}

#[test]
fn words_in_data_are_no_annotations() {
    let data = json!({"type": "number", "x-mcp-header": ""});
    let schema = json!({"properties": {"p": {
        "const": data, "enum": [data], "default": data, "examples": [data],
    }}});
    assert_eq!(collect_header_annotations(&schema), Ok(HeaderAnnotations::default()));
}

#[test]
fn schemas_that_are_never_compiled_can_be_searched() {
    let schema = json!({"properties": {
        "far": {"$ref": "http://127.0.0.1:9/x"},
        "p": {"type": "string", "x-mcp-header": "P"},
    }});
    assert_eq!(collect_header_annotations(&schema).unwrap().len(), 1);
    let huge = json!({"description": "x".repeat(300_000)});
    assert!(matches!(collect_header_annotations(&huge), Err(AnnotationFault::Schema(_))));
    assert!(collect_header_annotations(&json!(true)).unwrap().is_empty());
}
