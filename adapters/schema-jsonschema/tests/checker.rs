//! The checker behind its port: what compiles, what fits, what is said about what does not.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

use std::net::TcpListener;

use pm_mcp_domain::schema::{CheckedSchema, SchemaLimits};
use pm_mcp_ports::driven::{CompileError, CompiledSchema, SchemaChecker};
use pm_mcp_schema_jsonschema::{JsonSchemaChecker, LONGEST_MESSAGE};
use serde_json::{Map, Value, json};

fn compile(schema: &Value) -> Result<Box<dyn CompiledSchema>, CompileError> {
    let checked = CheckedSchema::new(schema, &SchemaLimits::default()).expect("the gate lets it through");
    JsonSchemaChecker::new().compile(&checked)
}

fn messages(schema: &Value, instance: &Value) -> Vec<(String, String)> {
    let compiled = compile(schema).unwrap();
    let found = compiled.violations(instance, 8);
    assert_eq!(found.is_empty(), compiled.is_valid(instance));
    found.into_iter().map(|violation| (violation.pointer, violation.message)).collect()
}

#[test]
fn instances_are_validated() {
    let schema = json!({
        "type": "object",
        "properties": {"title": {"type": "string", "minLength": 1}, "tags": {"type": "array", "items": {"type": "string"}}},
        "required": ["title"],
        "additionalProperties": false,
    });
    let compiled = compile(&schema).unwrap();
    assert!(compiled.is_valid(&json!({"title": "a", "tags": []})));
    assert!(compiled.violations(&json!({"title": "a"}), 8).is_empty());
    for bad in
        [json!({}), json!({"title": ""}), json!({"title": 1}), json!({"title": "a", "x": 1}), json!([])]
    {
        assert!(!compiled.is_valid(&bad), "{bad}");
        assert!(!compiled.violations(&bad, 8).is_empty(), "{bad}");
        assert!(compiled.violations(&bad, 0).is_empty(), "{bad}");
    }
    assert_eq!(
        messages(&schema, &json!({"tags": ["a", 1]})),
        [
            ("/tags/1".to_string(), "the value is not of type \"string\"".to_string()),
            (String::new(), "missing required property `title`".to_string()),
        ]
    );
}

#[test]
fn unknown_arguments_are_answered_with_the_nearest_name() {
    let schema = json!({
        "type": "object",
        "properties": {
            "title": {"type": "string"},
            "body": {"$ref": "#/$defs/body"},
            "list": {"type": "array", "items": {"properties": {"weight": {}}, "unevaluatedProperties": false}},
        },
        "additionalProperties": false,
        "$defs": {"body": {"properties": {"content": true}, "additionalProperties": false}},
    });
    for (instance, pointer, message) in [
        (json!({"titel": "a"}), "", "unknown argument `titel`; did you mean `title`?"),
        (json!({"body": {"contnet": 1}}), "/body", "unknown argument `contnet`; did you mean `content`?"),
        (
            json!({"list": [{}, {"weigth": 1}]}),
            "/list/1",
            "unknown argument `weigth`; did you mean `weight`?",
        ),
        (json!({"other": 1}), "", "unknown argument `other`; known are `body`, `list`, `title`"),
        (json!({"a\nb": 1}), "", "unknown argument `a\\nb`; known are `body`, `list`, `title`"),
    ] {
        let mut found = messages(&schema, &instance);
        if message.contains("known are") {
            // The order of members depends on how the JSON library was built.
            assert!(found[0].1.starts_with(&message[..message.find(';').unwrap()]));
            for name in ["`body`", "`list`", "`title`"] {
                assert!(found[0].1.contains(name));
            }
            found[0].1 = message.to_string();
        }
        assert_eq!(found, [(pointer.to_string(), message.to_string())], "{instance}");
    }
    let none = json!({"type": "object", "additionalProperties": false});
    assert!(messages(&none, &json!({"x": 1}))[0].1.contains("leave it out"));
    assert_eq!(messages(&schema, &json!({"titel": 1, "bodi": 1})).len(), 2);
}

#[test]
fn messages_are_bounded_and_repeat_no_values() {
    let long = "secret".repeat(100_000);
    let options = (0..10_000).map(|at| json!(format!("option{at}"))).collect::<Vec<_>>();
    for schema in [
        json!({"type": "integer"}),
        json!({"enum": options}),
        json!({"const": "y".repeat(100_000)}),
        json!({"pattern": "y".repeat(1_000)}),
        json!({"not": {"type": "string"}}),
        json!({"maxLength": 3}),
        json!({"anyOf": [{"type": "null"}, {"type": "integer"}]}),
        json!({"oneOf": [{"type": "string"}, {"minLength": 1}]}),
        json!(false),
    ] {
        let found = messages(&schema, &json!(long));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].1.len() <= LONGEST_MESSAGE, "{}", found[0].1.len());
        assert!(!found[0].1.contains("secret"), "{}", found[0].1);
    }
    let closed = json!({"additionalProperties": false, "properties": {"a": true}});
    let instance = json!({ long.as_str(): 1 });
    assert!(messages(&closed, &instance)[0].1.len() <= LONGEST_MESSAGE);
    let below = json!({"additionalProperties": {"type": "null"}});
    assert!(messages(&below, &instance)[0].0.len() <= LONGEST_MESSAGE);
    let many = json!({"items": {"type": "null"}});
    assert_eq!(messages(&many, &json!(vec![1; 100])).len(), 8);
}

#[test]
fn schemas_against_the_meta_schema_do_not_compile() {
    for (schema, place) in [
        (json!({"properties": {"a": {"type": "text"}}}), "/properties/a/type"),
        (json!({"minLength": -1}), "/minLength"),
        (json!({"required": "a"}), "/required"),
        (json!({"enum": 7}), "/enum"),
        (json!({"properties": {"a": {"pattern": "("}}}), ""),
    ] {
        let refused = compile(&schema).unwrap_err().message;
        assert!(refused.contains(place), "{schema}: {refused}");
        assert!(refused.contains("2020-12"), "{refused}");
    }
}

#[test]
fn patterns_are_linear_or_refused() {
    let hard = compile(&json!({"pattern": "^(a+)+$"})).unwrap();
    assert!(!hard.is_valid(&json!(format!("{}!", "a".repeat(50_000)))));
    assert!(hard.is_valid(&json!("aaa")));
    for pattern in ["^(?=a)b", "a(?!b)", "(?<=a)b", "(a)\\1", "(?<n>a)\\k<n>", "(", "(a{1000}){1000}"] {
        for schema in [json!({"pattern": pattern}), json!({"patternProperties": {pattern: false}})] {
            assert!(compile(&schema).is_err(), "{schema}");
        }
    }
}

#[test]
fn patterns_follow_the_documented_dialect() {
    for (pattern, text, is_match) in [
        ("^\\d+$", "42", true),
        ("^\\d+$", "٤٢", false),
        ("^\\w+$", "é", false),
        ("^\\p{L}+$", "éж日", true),
        ("^\\p{L}+$", "a1", false),
        ("b", "abc", true),
    ] {
        let compiled = compile(&json!({"pattern": pattern})).unwrap();
        assert_eq!(compiled.is_valid(&json!(text)), is_match, "{pattern} {text}");
    }
}

#[test]
fn local_references_of_every_accepted_form_resolve() {
    for schema in [
        json!({"$defs": {"s": {"type": "string"}}, "items": {"$ref": "#/$defs/s"}}),
        json!({"$defs": {"s": {"$anchor": "s", "type": "string"}}, "items": {"$ref": "#s"}}),
        json!({"$defs": {"a/b %": {"type": "string"}}, "items": {"$ref": "#/$defs/a~1b%20%25"}}),
        json!({"definitions": {"s": {"type": "string"}}, "items": {"$ref": "#/definitions/s"}}),
        json!({"$defs": {"s": {"$dynamicAnchor": "s", "type": "string"}}, "items": {"$dynamicRef": "#s"}}),
        json!({"$id": "https://example.com/t", "$defs": {"s": {"type": "string"}}, "items": {"$ref": "https://example.com/t#/$defs/s"}}),
        json!({"$id": "https://example.com/t", "$defs": {"s": {"type": "string"}}, "items": {"$ref": "#/$defs/s"}}),
        json!({"$id": "local", "$defs": {"s": {"type": "string"}}, "items": {"$ref": "#/$defs/s"}}),
    ] {
        let compiled = compile(&schema).unwrap_or_else(|error| panic!("{schema}: {error}"));
        assert!(compiled.is_valid(&json!(["a"])), "{schema}");
        assert!(!compiled.is_valid(&json!([1])), "{schema}");
    }
    for schema in [
        json!({"type": "array", "items": {"$ref": "#"}}),
        json!({"type": "array", "items": {"$dynamicRef": "#"}}),
        json!({"$id": "https://example.com/t", "type": "array", "items": {"$ref": "https://example.com/t"}}),
        json!({"$id": "urn:a:b#", "type": "array", "items": {"$ref": "urn:a:b#"}}),
    ] {
        let whole = compile(&schema).unwrap();
        assert!(whole.is_valid(&json!([[[]]])), "{schema}");
        assert!(!whole.is_valid(&json!([[1]])), "{schema}");
    }
}

#[test]
fn nothing_is_fetched() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = format!("http://{}/", listener.local_addr().unwrap());
    let schema = json!({"$id": address, "$schema": "https://json-schema.org/draft/2020-12/schema", "$comment": address,
        "const": {"$ref": address}, "default": {"$ref": address}, "x-other": {"$ref": address}});
    let compiled = compile(&schema).unwrap();
    assert!(compiled.is_valid(&json!({"$ref": address})));
    assert!(listener.accept().is_err(), "something connected");
}

#[test]
fn data_keywords_are_data() {
    let data = json!({"items": [], "$ref": "http://127.0.0.1:9/", "x-mcp-header": "A"});
    let compiled =
        compile(&json!({"properties": {"p": {"const": data, "default": data}, "q": {"enum": [data]}}}))
            .unwrap();
    assert!(compiled.is_valid(&json!({"p": data, "q": data})));
    assert!(!compiled.is_valid(&json!({"p": {"items": []}})));
}

#[test]
fn any_json_value_can_be_a_result() {
    let array = compile(&json!({"type": "array", "items": {"type": "integer"}})).unwrap();
    assert!(
        array.is_valid(&json!([1, 2])) && !array.is_valid(&json!(["a"])) && !array.is_valid(&json!(null))
    );
    let text = compile(&json!({"type": "string"})).unwrap();
    assert!(text.is_valid(&json!("a")) && !text.is_valid(&json!(1)));
    let nullable = compile(&json!({"type": ["object", "null"]})).unwrap();
    assert!(
        nullable.is_valid(&json!(null)) && nullable.is_valid(&json!({})) && !nullable.is_valid(&json!(1))
    );
    assert!(compile(&json!(true)).unwrap().is_valid(&json!(null)));
}

fn nested(depth: usize) -> Value {
    (1..depth).fold(json!({"kids": []}), |inner, _| json!({"kids": [inner]}))
}

#[test]
fn recursive_schemas_follow_trees_but_not_without_end() {
    let tree = json!({"$ref": "#/$defs/node", "$defs": {"node": {
        "type": "object",
        "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/node"}}},
        "required": ["kids"],
        "additionalProperties": false,
    }}});
    let compiled = compile(&tree).unwrap();
    assert!(compiled.is_valid(&nested(30)));
    let mut bad = nested(30);
    *bad.pointer_mut(&"/kids/0".repeat(29)).unwrap() = json!({});
    assert!(!compiled.is_valid(&bad));
    let deepest = CheckedSchema::new(&tree, &SchemaLimits::default()).unwrap().instance_depth().unwrap();
    let below = nested(deepest / 2);
    assert!(compiled.is_valid(&below));
    let above = nested(deepest / 2 + 1);
    assert!(!compiled.is_valid(&above));
    let found = compiled.violations(&above, 8);
    assert!(found[0].message.contains("nested deeper"), "{found:?}");
}

/// Ways that double at each level, through `step`.
fn doubling(levels: usize, step: &dyn Fn(Value, Value) -> Value) -> Value {
    let mut definitions = Map::new();
    definitions.insert("d0".into(), json!({"type": "object", "required": ["never"]}));
    for level in 1..=levels {
        let before = json!({"$ref": format!("#/$defs/d{}", level - 1)});
        definitions.insert(format!("d{level}"), step(before.clone(), before));
    }
    json!({"$ref": format!("#/$defs/d{levels}"), "$defs": definitions})
}

#[test]
fn the_worst_schemas_that_pass_the_gate_compile_and_validate() {
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let step = |a: Value, b: Value| json!({ keyword: [a, b] });
        assert!(!messages(&doubling(10, &step), &json!({})).is_empty());
        let mut closed = doubling(8, &step);
        closed["unevaluatedProperties"] = json!(false);
        assert!(!messages(&closed, &json!({"x": 1})).is_empty());
    }
    // Each level goes down into the value, so the ways are bounded by the instance alone.
    let down = doubling(60, &|a, b| json!({"properties": {"a": a, "b": b}, "unevaluatedProperties": false}));
    let compiled = compile(&down).unwrap();
    assert!(compiled.is_valid(&json!({"a": {"b": {}}})));
    assert!(!compiled.is_valid(&json!({"a": {"c": {}}})));
    let chain = doubling(120, &|a, _| json!({"allOf": [a]}));
    assert!(!messages(&chain, &json!({})).is_empty());
}

#[test]
fn deep_chains_run_on_the_stack_of_an_ordinary_thread() {
    let mut definitions = Map::new();
    definitions.insert("d0".into(), json!({"items": {"$ref": "#/$defs/d120"}}));
    for level in 1..=120 {
        definitions
            .insert(format!("d{level}"), json!({"allOf": [{"$ref": format!("#/$defs/d{}", level - 1)}]}));
    }
    let schema = json!({"$ref": "#/$defs/d120", "$defs": definitions});
    let compiled = compile(&schema).unwrap();
    let deep = (0..120).fold(json!([]), |inner, _| json!([inner]));
    // Too deep for what one level costs here, and said so instead of overflowing.
    assert!(!compiled.is_valid(&deep));
    assert!(compiled.is_valid(&json!([[[]]])));
}
