use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde_json::{Map, json};

use super::*;
use crate::schema::SchemaBound;

fn check(schema: &Value) -> Result<(), SchemaFault> {
    check_schema(schema, &SchemaLimits::default())
}

/// Asserts that `schema` is refused for passing `bound`, with the bound's value in the fault.
fn assert_too_large(schema: &Value, bound: SchemaBound) -> String {
    match check(schema) {
        Err(SchemaFault::TooLarge { bound: found, value, pointer }) => {
            assert_eq!(found, bound);
            assert_eq!(value, bound.of(&SchemaLimits::default()));
            pointer
        }
        other => panic!("expected more than {bound}, got {other:?}"),
    }
}

/// `links` definitions, each a mere reference to the next; the root refers to the first.
fn chain(links: usize) -> Value {
    let mut definitions = Map::new();
    for link in 0..links {
        let next = json!({"$ref": format!("#/$defs/d{}", link + 1)});
        definitions.insert(format!("d{link}"), if link + 1 == links { json!(true) } else { next });
    }
    json!({"$ref": "#/$defs/d0", "$defs": definitions})
}

/// `levels` definitions, each of which refers twice to the one before under `keyword`.
fn doubling(levels: usize, keyword: &str) -> Value {
    let mut definitions = Map::new();
    definitions.insert("d0".into(), json!({"type": "object"}));
    for level in 1..=levels {
        let before = json!({"$ref": format!("#/$defs/d{}", level - 1)});
        definitions.insert(format!("d{level}"), json!({keyword: [before, before]}));
    }
    json!({"type": "object", "$ref": format!("#/$defs/d{levels}"), "$defs": definitions})
}

#[test]
fn ordinary_schemas_are_accepted() {
    let tree = json!({
        "type": "object",
        "properties": {"label": {"type": "string"}, "kids": {"type": "array", "items": {"$ref": "#"}}},
    });
    let conformance = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {"city": {"type": "string"}}}},
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "other": {"$ref": "#addressDef"},
            "contactMethod": {"enum": ["phone", "email"]},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false,
    });
    for schema in [
        json!(true),
        json!(false),
        json!({}),
        json!({"$schema": "https://json-schema.org/draft/2020-12/schema#"}),
        json!({"$id": "https://example.com/tool", "$defs": {"a": true}, "items": {"$ref": "https://example.com/tool#/$defs/a"}}),
        json!({"items": {"$ref": "#"}}),
        json!({"$defs": {"a/b %": true}, "$ref": "#/$defs/a~1b%20%25"}),
        json!({"definitions": {"old": {"type": "null"}}, "$ref": "#/definitions/old"}),
        json!({"$defs": {"n": {"$dynamicAnchor": "node", "properties": {"n": {"$dynamicRef": "#node"}}}}, "$ref": "#/$defs/n"}),
        json!({"prefixItems": [{"type": "null"}, {"$ref": "#/prefixItems/0"}]}),
        json!({"dependencies": {"a": ["b"], "c": {"required": ["d"]}}}),
        json!({"x-unknown": {"$ref": "https://example.com/"}, "description": "any"}),
        tree,
        conformance,
    ] {
        assert_eq!(check(&schema), Ok(()), "{schema}");
    }
}

#[test]
fn roots_that_are_no_schema_are_refused() {
    for schema in [json!(null), json!(1), json!("x"), json!([])] {
        assert!(matches!(check(&schema), Err(SchemaFault::Malformed { .. })), "{schema}");
    }
}

#[test]
fn other_dialects_are_refused_wherever_they_are_named() {
    for dialect in [
        "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/schema/other",
        "",
    ] {
        for (schema, place) in
            [(json!({"$schema": dialect}), ""), (json!({"items": {"$schema": dialect}}), "/items")]
        {
            let refused = SchemaFault::UnsupportedDialect { dialect: dialect.into(), pointer: place.into() };
            assert_eq!(check(&schema), Err(refused));
        }
    }
    assert!(matches!(check(&json!({"$schema": 7})), Err(SchemaFault::Malformed { .. })));
}

#[test]
fn local_references_must_lead_to_a_subschema() {
    for reference in ["#/$defs/b", "#nowhere", "#/items/0", "#/%zz", "#/$defs/a/type/x", "#/properties"] {
        let schema = json!({"$defs": {"a": {"type": "null"}}, "items": {"$ref": reference}});
        let expected =
            SchemaFault::DanglingReference { reference: reference.into(), pointer: "/items".into() };
        assert_eq!(check(&schema), Err(expected), "{reference}");
    }
    for reference in ["#/$defs", "#/const", "#/components/a", "#/$defs/a/type"] {
        let schema = json!({
            "$defs": {"a": {"type": "null"}},
            "const": {"type": "null"},
            "components": {"a": {}},
            "items": {"$ref": reference},
        });
        let expected = SchemaFault::NotASubschema { reference: reference.into(), pointer: "/items".into() };
        assert_eq!(check(&schema), Err(expected), "{reference}");
    }
}

#[test]
fn references_to_other_documents_are_refused_and_named() {
    for reference in [
        "http://127.0.0.1:9/schema.json",
        "https://json-schema.org/draft/2020-12/schema",
        "file:///etc/passwd",
        "other.json",
        "other.json#/$defs/a",
        "//host/x",
        "urn:example:thing",
    ] {
        let schema = json!({"type": "object", "properties": {"a/b": {"$ref": reference}}});
        let expected = SchemaFault::ExternalReference {
            reference: reference.into(),
            pointer: "/properties/a~1b".into(),
        };
        assert_eq!(check(&schema), Err(expected.clone()), "{reference}");
        assert!(expected.to_string().contains("never fetched"));
    }
}

#[test]
fn an_identifier_cannot_turn_a_local_reference_into_a_remote_one() {
    let rebased = json!({"$id": "http://127.0.0.1:9/a", "properties": {"x": {"$ref": "b#/$defs/c"}}});
    assert!(matches!(check(&rebased), Err(SchemaFault::ExternalReference { .. })));
    let embedded = json!({
        "$defs": {"a": true},
        "properties": {"x": {"$id": "http://127.0.0.1:9/a", "items": {"$ref": "#/$defs/a"}}},
    });
    let expected = SchemaFault::EmbeddedIdentifier { pointer: "/properties/x".into() };
    assert_eq!(check(&embedded), Err(expected));
    let fragment = json!({"$id": "http://127.0.0.1:9/a#b"});
    assert!(matches!(check(&fragment), Err(SchemaFault::Malformed { .. })));
}

#[test]
fn anchors_are_unique() {
    let schema = json!({"$defs": {"a": {"$anchor": "x"}, "b": {"$anchor": "x"}}});
    let expected = SchemaFault::DuplicateAnchor { anchor: "x".into(), pointer: "/$defs/b".into() };
    assert_eq!(check(&schema), Err(expected));
}

#[test]
fn references_that_never_go_down_are_refused() {
    for schema in [
        json!({"$ref": "#"}),
        json!({"$dynamicRef": "#"}),
        json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}),
        json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}),
        json!({"oneOf": [{"$ref": "#"}, {"type": "null"}]}),
        json!({"not": {"$ref": "#"}}),
        json!({"if": {"$ref": "#"}}),
        json!({"dependentSchemas": {"a": {"allOf": [{"$ref": "#"}]}}}),
        json!({"properties": {"a": {"$anchor": "me", "anyOf": [{"$ref": "#me"}]}}}),
    ] {
        assert!(matches!(check(&schema), Err(SchemaFault::ReferenceLoop { .. })), "{schema}");
    }
}

#[test]
fn data_keywords_are_data() {
    let data = json!({
        "items": [],
        "properties": 7,
        "$ref": "http://127.0.0.1:9/",
        "$id": "http://127.0.0.1:9/",
        "$schema": "http://json-schema.org/draft-04/schema#",
        "x-mcp-header": "",
    });
    let schema = json!({
        "const": data,
        "enum": [data],
        "default": data,
        "examples": [data],
        "properties": {"p": {"const": data, "default": data}},
    });
    assert_eq!(check(&schema), Ok(()));
    let named_like_keywords = json!({"properties": {"$ref": {}, "items": {}, "enum": {}, "$id": {}}});
    assert_eq!(check(&named_like_keywords), Ok(()));
}

#[test]
fn keywords_that_hold_subschemas_need_their_shape() {
    for (schema, place) in [
        (json!({"properties": []}), "/properties"),
        (json!({"items": [true]}), "/items"),
        (json!({"items": "x"}), "/items"),
        (json!({"allOf": {}}), "/allOf"),
        (json!({"allOf": [1]}), "/allOf/0"),
        (json!({"not": null}), "/not"),
        (json!({"$defs": {"a~b": 1}}), "/$defs/a~0b"),
        (json!({"$ref": 1}), "/$ref"),
        (json!({"$ref": ""}), "/$ref"),
        (json!({"items": {"$dynamicRef": ""}}), "/items/$dynamicRef"),
        (json!({"$id": {}}), "/$id"),
    ] {
        match check(&schema) {
            Err(SchemaFault::Malformed { pointer, .. }) => assert_eq!(pointer, place),
            other => panic!("{schema}: {other:?}"),
        }
    }
}

#[test]
fn bytes_are_bounded() {
    let empty = json!({"description": ""}).to_string().len();
    let of = |bytes: usize| json!({"description": "x".repeat(bytes - empty)});
    let limit = SchemaLimits::default().bytes;
    assert_eq!(check(&of(limit - 1)), Ok(()));
    assert_eq!(check(&of(limit)), Ok(()));
    assert_too_large(&of(limit + 1), SchemaBound::Bytes);
}

#[test]
fn subschemas_are_bounded() {
    let of = |count: usize| {
        let members = (1..count).map(|at| (format!("p{at}"), json!({}))).collect::<Map<_, _>>();
        json!({"properties": members})
    };
    let limit = SchemaLimits::default().subschemas;
    assert_eq!(check(&of(limit - 1)), Ok(()));
    assert_eq!(check(&of(limit)), Ok(()));
    assert_too_large(&of(limit + 1), SchemaBound::Subschemas);
}

#[test]
fn nesting_is_bounded_in_schemas_and_in_data() {
    let nested = |depth: usize| (1..depth).fold(json!({}), |inner, _| json!({"items": inner}));
    let data = |depth: usize| json!({"const": (2..depth).fold(json!([]), |inner, _| json!([inner]))});
    let limit = SchemaLimits::default().nesting;
    for of in [&nested as &dyn Fn(usize) -> Value, &data] {
        assert_eq!(check(&of(limit - 1)), Ok(()));
        assert_eq!(check(&of(limit)), Ok(()));
        assert_too_large(&of(limit + 1), SchemaBound::Nesting);
    }
    assert_too_large(&nested(700), SchemaBound::Nesting);
}

#[test]
fn paths_through_references_are_bounded() {
    let limit = SchemaLimits::default().reference_path;
    assert_eq!(check(&chain(limit - 2)), Ok(()));
    assert_eq!(check(&chain(limit - 1)), Ok(()));
    assert_too_large(&chain(limit), SchemaBound::ReferencePath);
    assert_too_large(&chain(4_000), SchemaBound::ReferencePath);
}

#[test]
fn references_through_properties_count_as_paths_too() {
    let of = |links: usize| {
        let mut definitions = Map::new();
        definitions.insert("d0".into(), json!(true));
        for link in 1..=links {
            let before = json!({"$ref": format!("#/$defs/d{}", link - 1)});
            definitions.insert(format!("d{link}"), json!({"properties": {"next": before}}));
        }
        json!({"$defs": definitions})
    };
    assert_eq!(check(&of(127)), Ok(()));
    assert_too_large(&of(128), SchemaBound::ReferencePath);
}

#[test]
fn recursive_groups_are_bounded_by_their_referenced_subschemas() {
    let of = |count: usize| {
        let all = (0..count).map(|at| json!({"$ref": format!("#/$defs/d{at}")})).collect::<Vec<_>>();
        let definitions = (0..count)
            .map(|at| (format!("d{at}"), json!({"items": {"$ref": "#/$defs/any"}})))
            .chain([(String::from("any"), json!({"anyOf": all}))])
            .collect::<Map<_, _>>();
        json!({"$defs": definitions})
    };
    assert_eq!(check(&of(255)), Ok(()));
    assert_too_large(&of(256), SchemaBound::ReferencePath);
}

#[test]
fn ways_are_bounded() {
    let of = |ways: usize| json!({"anyOf": (0..ways).map(|_| json!(true)).collect::<Vec<_>>()});
    let limit = SchemaLimits::default().expansion;
    assert_eq!(check(&of(limit - 1)), Ok(()));
    assert_eq!(check(&of(limit)), Ok(()));
    assert_too_large(&of(limit + 1), SchemaBound::Expansion);
    for keyword in ["allOf", "anyOf", "oneOf"] {
        assert_eq!(check(&doubling(10, keyword)), Ok(()));
        assert_too_large(&doubling(11, keyword), SchemaBound::Expansion);
        assert_too_large(&doubling(30, keyword), SchemaBound::Expansion);
        assert_too_large(&doubling(120, keyword), SchemaBound::Expansion);
    }
}

#[test]
fn ways_are_bounded_closer_beside_unevaluated_keywords() {
    let of = |levels: usize, keyword: &str| {
        let mut schema = doubling(levels, "anyOf");
        schema[keyword] = json!(false);
        schema
    };
    for keyword in ["unevaluatedProperties", "unevaluatedItems"] {
        assert_eq!(check(&of(7, keyword)), Ok(()));
        assert_eq!(check(&of(8, keyword)), Ok(()));
        assert_too_large(&of(9, keyword), SchemaBound::UnevaluatedExpansion);
    }
}

#[test]
fn enums_are_bounded() {
    let of = |count: usize| json!({"items": {"enum": (0..count).collect::<Vec<_>>()}});
    let limit = SchemaLimits::default().enum_values;
    assert_eq!(check(&of(limit - 1)), Ok(()));
    assert_eq!(check(&of(limit)), Ok(()));
    assert_eq!(assert_too_large(&of(limit + 1), SchemaBound::EnumValues), "/items");
}

#[test]
fn patterns_are_bounded() {
    let limit = SchemaLimits::default().pattern_bytes;
    for of in [
        &|bytes: usize| json!({"items": {"pattern": "a".repeat(bytes)}}) as Value,
        &|bytes: usize| json!({"patternProperties": {"a".repeat(bytes): true}}),
    ] as [&dyn Fn(usize) -> Value; 2]
    {
        assert_eq!(check(&of(limit - 1)), Ok(()));
        assert_eq!(check(&of(limit)), Ok(()));
        assert_too_large(&of(limit + 1), SchemaBound::PatternBytes);
    }
}

#[test]
fn limits_can_be_changed_one_by_one() {
    let limits = SchemaLimits { expansion: 3_000, ..SchemaLimits::default() };
    assert_eq!(check_schema(&doubling(11, "anyOf"), &limits), Ok(()));
    let strict = SchemaLimits { subschemas: 1, ..SchemaLimits::default() };
    let refused = check_schema(&json!({"items": true}), &strict).unwrap_err().to_string();
    assert!(refused.contains("more than 1 subschemas"), "{refused}");
}

#[test]
fn many_branches_are_refused_by_counting_them_only_once() {
    let branches = json!({"anyOf": (0..5_000).map(|_| json!({"$ref": "#/$defs/a"})).collect::<Vec<_>>(), "$defs": {"a": true}});
    assert_too_large(&branches, SchemaBound::Subschemas);
    // A million ways are one look at each of the subschemas, never a walk along the ways.
    let wide = doubling(20, "allOf");
    let outline = Outline::of(&wide, &SchemaLimits::default()).unwrap();
    assert_eq!(outline.subschemas().len(), 1 + 1 + 3 * 20);
}

#[test]
fn a_tool_takes_an_object() {
    let limits = SchemaLimits::default();
    for refused in [
        json!(true),
        json!({}),
        json!({"type": "string"}),
        json!({"type": ["object", "null"]}),
        json!({"$defs": {"a": {"type": "object"}}, "$ref": "#/$defs/a"}),
    ] {
        let found = CheckedSchema::of_tool_input(&refused, &limits);
        assert_eq!(found, Err(SchemaFault::RootNotObject), "{refused}");
    }
    let schema = json!({"type": "object", "additionalProperties": false});
    let mut original = schema.clone();
    let checked = CheckedSchema::of_tool_input(&original, &limits).unwrap();
    original["type"] = json!("string");
    assert_eq!(checked.as_value(), &schema, "a copy does not follow its original");
    assert_eq!(checked.into_value(), schema);
}

#[test]
fn recursive_schemas_say_how_deep_a_value_may_be() {
    let of = |schema: Value| CheckedSchema::new(&schema, &SchemaLimits::default()).unwrap().instance_depth();
    assert_eq!(of(json!({"type": "object", "properties": {"a": {"type": "string"}}})), None);
    assert_eq!(of(chain(200)), None);
    assert_eq!(of(json!({"items": {"$ref": "#"}})), Some(500));
    assert_eq!(of(json!({"anyOf": [{"type": "null"}, {"items": {"$ref": "#"}}]})), Some(333));
}

#[test]
fn messages_stay_short() {
    let long = "x".repeat(100_000);
    for schema in [
        json!({"$ref": format!("#/{long}")}),
        json!({"$ref": long}),
        json!({"$schema": long}),
        json!({"properties": {long.as_str(): 1}}),
        json!({"properties": {long.as_str(): {"$ref": "#"}}, "$ref": long}),
    ] {
        let message = check(&schema).unwrap_err().to_string();
        assert!(message.len() < 700, "{} bytes", message.len());
    }
}
