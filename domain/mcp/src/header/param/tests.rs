use alloc::string::String;

use serde_json::json;

use super::*;
use crate::header::{HeaderValueFault, collect_header_annotations};

fn annotations() -> HeaderAnnotations {
    collect_header_annotations(&json!({"type": "object", "properties": {
        "value": {"type": "string", "x-mcp-header": "Value"},
        "count": {"type": "integer", "x-mcp-header": "Count"},
        "deep": {"type": "object", "properties": {"flag": {"type": "boolean", "x-mcp-header": "Flag"}}},
    }}))
    .unwrap()
}

fn check(arguments: Value, headers: &[(&str, &str)]) -> Result<(), Vec<HeaderFault>> {
    validate_param_headers(&annotations(), &arguments, &headers)
}

#[test]
fn values_are_decoded_before_they_are_compared() {
    for (body, header, is_accepted) in [
        ("Hello", "=?base64?SGVsbG8=?=", true),
        ("Hello", "=?base64?SGVsbG8?=", false),
        ("Hello", "=?base64?SGVs!!!bG8=?=", false),
        ("SGVsbG8=", "SGVsbG8=", true),
        ("=?base64?SGVsbG8=", "=?base64?SGVsbG8=", true),
        ("Hello", " Hello\t", true),
        ("Hello", "hello", false),
        ("", "", true),
        (" ", "=?base64?IA==?=", true),
        (" ", " ", false),
        ("日本", "=?base64?5pel5pys?=", true),
        ("日本", "日本", false),
        ("a\nb", "a\nb", false),
        ("=?base64?x?=", "=?base64?x?=", false),
    ] {
        let found = check(json!({"value": body}), &[("Mcp-Param-Value", header)]);
        assert_eq!(found.is_ok(), is_accepted, "{body:?} {header:?}: {found:?}");
    }
}

#[test]
fn a_value_without_its_header_is_refused() {
    let missing = Err(Vec::from([HeaderFault::Missing { header: "Mcp-Param-Value".into() }]));
    assert_eq!(check(json!({"value": "test-value"}), &[]), missing);
    assert_eq!(check(json!({"value": ""}), &[]), missing);
}

#[test]
fn no_value_means_no_header() {
    for arguments in [json!({}), json!({"value": null}), json!(null), json!({"deep": 1}), json!({"deep": {}})]
    {
        assert_eq!(check(arguments.clone(), &[]), Ok(()));
        for (name, header) in [("mcp-param-value", "Mcp-Param-Value"), ("MCP-PARAM-FLAG", "Mcp-Param-Flag")] {
            let surplus = Err(Vec::from([HeaderFault::Surplus { header: header.into() }]));
            assert_eq!(check(arguments.clone(), &[(name, "")]), surplus);
        }
    }
}

#[test]
fn integers_and_booleans_are_compared_by_value() {
    let arguments = json!({"count": 42, "deep": {"flag": true}});
    let with =
        |count, flag| check(arguments.clone(), &[("mcp-param-count", count), ("mcp-param-flag", flag)]);
    assert_eq!(with("42", "true"), Ok(()));
    assert_eq!(with("42.0", "true"), Ok(()));
    assert_eq!(
        with("41", "false").unwrap_err(),
        [
            HeaderFault::ArgumentMismatch { header: "Mcp-Param-Count".into(), pointer: "/count".into() },
            HeaderFault::ArgumentMismatch { header: "Mcp-Param-Flag".into(), pointer: "/deep/flag".into() },
        ]
    );
    let unsafe_count =
        check(json!({"count": 9_007_199_254_740_993_i64}), &[("mcp-param-count", "9007199254740993")]);
    assert!(matches!(unsafe_count.unwrap_err()[..], [HeaderFault::UnsafeInteger { .. }]));
    let wrong_type = check(json!({"count": [1]}), &[("mcp-param-count", "1")]);
    assert!(matches!(wrong_type.unwrap_err()[..], [HeaderFault::ArgumentMismatch { .. }]));
}

#[test]
fn all_faults_are_reported_together() {
    let found = check(
        json!({"value": "a", "count": 1, "deep": {"flag": false}}),
        &[
            ("Mcp-Param-Value", "a"),
            ("mcp-param-value", "a"),
            ("Mcp-Param-Count", "1\r\nSet-Cookie: x"),
            ("Mcp-Param-Other", "x"),
        ],
    );
    let mut found = found.unwrap_err();
    // The order of a schema's properties depends on what else is built along.
    found.sort_by_key(ToString::to_string);
    assert_eq!(
        found,
        [
            HeaderFault::Unreadable {
                header: "Mcp-Param-Count".into(),
                reason: HeaderValueFault::ControlCharacter
            },
            HeaderFault::Missing { header: "Mcp-Param-Flag".into() },
            HeaderFault::Undeclared { header: "Mcp-Param-Other".into() },
            HeaderFault::Repeated { header: "Mcp-Param-Value".into(), count: 2 },
        ]
    );
}

#[test]
fn undeclared_headers_are_refused_in_a_bounded_number() {
    let names = (0..100).map(|at| alloc::format!("Mcp-Param-{at}")).collect::<Vec<_>>();
    let headers = names.iter().map(|name| (name.as_str(), "x")).collect::<Vec<_>>();
    let found = validate_param_headers(&HeaderAnnotations::default(), &json!({}), &headers);
    assert_eq!(found.unwrap_err().len(), MOST_UNDECLARED);
    let long = "Mcp-Param-".chars().chain(core::iter::repeat_n('x', 8_192)).collect::<String>();
    let found = check(json!({}), &[(long.as_str(), "x")]).unwrap_err();
    assert!(found[0].to_string().len() < 300);
}

#[test]
fn other_headers_are_none_of_this_check() {
    let headers =
        [("Mcp-Session-Id", "é"), ("Mcp-Parameter", "x"), ("x-mcp-param-a", "b"), ("Mcp-Name", "n")];
    assert_eq!(check(json!({}), &headers), Ok(()));
}
