//! The plain form against the crate: same schemas, same values, same answers and words.

use jsonschema::Draft;
use pm_mcp_domain::schema::{CheckedSchema, SchemaLimits};
use pm_mcp_ports::driven::{CompiledSchema, SchemaViolation};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Map, Value, json};

use super::PlainSchema;
use super::rules::Range;
use crate::compiled::JsonSchema;
use crate::message::nothing_allowed;

const SCHEMAS: usize = 1_500;
const VALUES: usize = 40;

pub(super) fn by_the_crate(schema: &CheckedSchema) -> JsonSchema {
    let options = jsonschema::options().with_draft(Draft::Draft202012).offline();
    JsonSchema::new(options.build(schema.as_value()).expect("a plain schema is a good one"), schema)
}

pub(super) fn checked(schema: &Value) -> CheckedSchema {
    CheckedSchema::new(schema, &SchemaLimits::default()).expect("the gate lets it through")
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3..5_i64).prop_map(Value::from),
        prop::sample::select(vec![0.0, 1.0, 1.5, -2.5, 3.0, 1e300, -1e300, 9_007_199_254_740_992.0])
            .prop_map(Value::from),
        prop::sample::select(vec![u64::MAX, u64::MAX - 1, 9_007_199_254_740_993]).prop_map(Value::from),
        prop::sample::select(vec!["", "a", "ab", "é", "日本語", "abcd", "red", "green", "a/b~c"])
            .prop_map(Value::from),
    ]
}

fn name() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "b", "c", "ab", "a/b", "a~b", "red"]).prop_map(str::to_owned)
}

fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(name(), inner, 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn type_name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["array", "boolean", "integer", "null", "number", "object", "string"])
}

/// One keyword with a value, around subschemas of `inner`.
fn keyword(inner: impl Strategy<Value = Value> + Clone + 'static) -> impl Strategy<Value = (String, Value)> {
    let schemas = || prop::collection::vec(inner.clone(), 1..3).prop_map(Value::from);
    let types = prop::collection::hash_set(type_name(), 1..4)
        .prop_map(|names| json!(names.into_iter().collect::<Vec<_>>()));
    let names = prop::collection::btree_set(name(), 0..3).prop_map(|names| json!(names));
    let properties = prop::collection::btree_map(name(), inner.clone(), 0..4)
        .prop_map(|members| Value::Object(members.into_iter().collect()));
    let bound = || {
        prop_oneof![
            (-3..4_i64).prop_map(Value::from),
            prop::sample::select(vec![-1.5, 0.0, 2.5, 1e300]).prop_map(Value::from),
            Just(Value::from(u64::MAX)),
        ]
    };
    let size = || (0..4_u64).prop_map(Value::from);
    let pattern = prop::sample::select(vec!["^[a-z]+$", "^a[b-d]{0,2}$", "^$"]);
    prop_oneof![
        4 => type_name().prop_map(|name| ("type", json!(name))),
        1 => types.prop_map(|types| ("type", types)),
        1 => scalar().prop_map(|value| ("const", value)),
        1 => prop::collection::vec(scalar(), 1..4).prop_map(|choices| ("enum", Value::from(choices))),
        1 => bound().prop_map(|limit| ("minimum", limit)),
        1 => bound().prop_map(|limit| ("maximum", limit)),
        1 => bound().prop_map(|limit| ("exclusiveMinimum", limit)),
        1 => bound().prop_map(|limit| ("exclusiveMaximum", limit)),
        1 => size().prop_map(|limit| ("minLength", limit)),
        1 => size().prop_map(|limit| ("maxLength", limit)),
        1 => pattern.prop_map(|pattern| ("pattern", json!(pattern))),
        1 => size().prop_map(|limit| ("minItems", limit)),
        1 => size().prop_map(|limit| ("maxItems", limit)),
        1 => size().prop_map(|limit| ("minProperties", limit)),
        1 => size().prop_map(|limit| ("maxProperties", limit)),
        2 => inner.clone().prop_map(|schema| ("items", schema)),
        4 => properties.prop_map(|properties| ("properties", properties)),
        2 => names.prop_map(|names| ("required", names)),
        2 => any::<bool>().prop_map(|open| ("additionalProperties", json!(open))),
        1 => inner.clone().prop_map(|schema| ("additionalProperties", schema)),
        1 => schemas().prop_map(|schemas| ("allOf", schemas)),
        1 => schemas().prop_map(|schemas| ("anyOf", schemas)),
        1 => schemas().prop_map(|schemas| ("oneOf", schemas)),
        1 => Just(("$ref", json!("#/$defs/D"))),
        1 => Just(("description", json!("words"))),
        1 => Just(("x-of-the-host", json!({"any": "thing"}))),
    ]
    .prop_map(|(keyword, value)| (keyword.to_owned(), value))
}

fn schema() -> impl Strategy<Value = Value> {
    let object = |keywords: Vec<(String, Value)>| Value::Object(keywords.into_iter().collect::<Map<_, _>>());
    let leaf = prop_oneof![
        1 => any::<bool>().prop_map(Value::from),
        6 => type_name().prop_map(|name| json!({ "type": name })),
        1 => Just(json!({})),
    ];
    let nested = leaf.prop_recursive(3, 32, 4, move |inner| {
        prop::collection::vec(keyword(inner.boxed()), 1..5).prop_map(object)
    });
    (prop::collection::vec(keyword(nested.clone().boxed()), 1..6), type_name()).prop_map(
        move |(keywords, definition)| {
            let mut root = object(keywords);
            root["$defs"] = json!({"D": {"type": definition}});
            root
        },
    )
}

/// In one order: the crate reports keywords that it checks together in an order of its own. Where an object may hold
/// nothing at all, the crate says so at times instead of naming each member that there is, and at times misses a member
/// there that is not missing.
fn comparable(found: Vec<SchemaViolation>, value: &Value) -> Vec<(String, String)> {
    let is_missing = |SchemaViolation { pointer, message }: &SchemaViolation| {
        let name =
            message.strip_prefix("missing required property `").and_then(|rest| rest.strip_suffix('`'));
        name.is_none_or(|name| value.pointer(pointer).is_some_and(|object| object.get(name).is_none()))
    };
    let mut found: Vec<_> = found
        .into_iter()
        .filter(is_missing)
        .map(|SchemaViolation { pointer, message }| {
            match message.ends_with("there are none here, leave it out") {
                true => (pointer, nothing_allowed()),
                false => (pointer, message),
            }
        })
        .collect();
    found.sort();
    found.dedup();
    found
}

#[test]
fn the_plain_form_answers_as_the_crate_does() {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let (mut fitting, mut not_fitting) = (0_usize, 0_usize);
    for _ in 0..SCHEMAS {
        let schema = schema().new_tree(&mut runner).unwrap().current();
        let schema = checked(&schema);
        let plain = PlainSchema::of(&schema).unwrap_or_else(|_| panic!("{} is plain", schema.as_value()));
        let reference = by_the_crate(&schema);
        for _ in 0..VALUES {
            let value = value().new_tree(&mut runner).unwrap().current();
            let shown = || format!("schema {}\nvalue {value}", schema.as_value());
            let fits = reference.is_valid(&value);
            assert_eq!(plain.is_valid(&value), fits, "{}", shown());
            let (told, wanted) = (plain.violations(&value, 100), reference.violations(&value, 100));
            for limit in [0, 1, 2] {
                assert_eq!(plain.violations(&value, limit), told[..limit.min(told.len())], "{}", shown());
            }
            assert_eq!(comparable(told, &value), comparable(wanted, &value), "{}", shown());
            if fits { fitting += 1 } else { not_fitting += 1 }
        }
    }
    assert!(fitting > SCHEMAS && not_fitting > SCHEMAS, "{fitting} fit, {not_fitting} do not");
}

#[test]
fn what_the_meta_schema_may_refuse_is_left_to_the_crate() {
    for schema in [
        json!({"type": "text"}),
        json!({"type": []}),
        json!({"type": ["string", "string"]}),
        json!({"type": 1}),
        json!({"required": ["a", "a"]}),
        json!({"required": [1]}),
        json!({"required": "a"}),
        json!({"minLength": -1}),
        json!({"minLength": 1.5}),
        json!({"minimum": "1"}),
        json!({"enum": "a"}),
        json!({"title": 1}),
        json!({"deprecated": "yes"}),
        json!({"examples": {}}),
        json!({"$defs": {"unused": {"type": "text"}}}),
    ] {
        assert!(PlainSchema::of(&checked(&schema)).is_err(), "{schema}");
    }
}

#[test]
fn every_keyword_that_is_not_plain_is_left_to_the_crate() {
    for schema in [
        json!({"pattern": "a"}),
        json!({"patternProperties": {"a": true}}),
        json!({"not": {}}),
        json!({"if": {}, "then": {}}),
        json!({"multipleOf": 2}),
        json!({"uniqueItems": true}),
        json!({"prefixItems": [true]}),
        json!({"contains": {}}),
        json!({"propertyNames": {}}),
        json!({"dependentRequired": {"a": ["b"]}}),
        json!({"dependentSchemas": {"a": {}}}),
        json!({"unevaluatedProperties": false}),
        json!({"unevaluatedItems": false}),
        json!({"$id": "https://example.com/a"}),
        json!({"$anchor": "a"}),
        json!({"enum": [[1]]}),
        json!({"const": {}}),
        json!({"$ref": "#"}),
        json!({"$ref": "#/properties/a", "properties": {"a": true}}),
        json!({"unknown": 1}),
        json!({"properties": {"a": {"$defs": {"b": true}}}}),
        json!({"properties": {"a": {"$schema": "https://json-schema.org/draft/2020-12/schema"}}}),
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"properties": {"a": {"$ref": "#/$defs/a"}}}}}),
    ] {
        if let Ok(checked) = CheckedSchema::new(&schema, &SchemaLimits::default()) {
            assert!(PlainSchema::of(&checked).is_err(), "{schema}");
        }
    }
}

#[test]
fn characters_are_counted_and_not_bytes() {
    let texts = ["", "a", "ab", "é", "aé", "€", "€€", "😀", "😀a", "😀😀", "aé€😀", "abcdefgh", "😀😀😀😀"];
    let bounds = || (0..=9).map(Some).chain([None]);
    for (text, least, most) in
        texts.into_iter().flat_map(|text| bounds().flat_map(move |l| bounds().map(move |m| (text, l, m))))
    {
        let count = text.chars().count() as u64;
        let fits = least.is_none_or(|least| count >= least) && most.is_none_or(|most| count <= most);
        assert_eq!(Range { least, most }.holds_length(text), fits, "{text}, {least:?} to {most:?}");
    }
}
