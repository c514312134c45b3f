use alloc::{
    format,
    string::{String, ToString},
};

use super::*;
use crate::header::{HeaderValueFault, describe_header_faults, encode_header_value};

const VERSION: (&str, &str) = ("MCP-Protocol-Version", "2026-07-28");

fn body<'a>(method: &'a str, name: Option<&'a str>) -> MirroredBody<'a> {
    MirroredBody { version: Some("2026-07-28"), method, name }
}

fn check(body: MirroredBody<'_>, headers: &[(&str, &str)]) -> Result<(), Vec<HeaderFault>> {
    validate_standard_headers(&body, &headers)
}

#[test]
fn methods_are_compared_with_case_and_headers_found_without() {
    for (headers, is_accepted) in [
        (&[VERSION, ("Mcp-Method", "tools/list")][..], true),
        (&[VERSION, ("mcp-method", "tools/list")], true),
        (&[VERSION, ("MCP-METHOD", " tools/list ")], true),
        (&[VERSION, ("Mcp-Method", "TOOLS/LIST")], false),
        (&[VERSION, ("Mcp-Method", "prompts/list")], false),
        (&[VERSION, ("Mcp-Method", "=?base64?dG9vbHMvbGlzdA==?=")], false),
        (&[VERSION], false),
    ] {
        assert_eq!(check(body("tools/list", None), headers).is_ok(), is_accepted, "{headers:?}");
    }
}

#[test]
fn names_are_compared_after_decoding() {
    let uri = "file:///tmp/日本.txt";
    let encoded = encode_header_value(uri).into_owned();
    let other = encode_header_value("file:///tmp/日.txt").into_owned();
    let looks_encoded = "=?base64?eA==?=";
    let sent = encode_header_value(looks_encoded).into_owned();
    for (method, name, header, is_accepted) in [
        ("resources/read", uri, encoded.as_str(), true),
        ("resources/read", uri, &other, false),
        ("resources/read", uri, "=?base64?###?=", false),
        ("resources/read", uri, &encoded.replace("base64", "BASE64"), false),
        ("resources/read", uri, uri, false),
        ("resources/read", "file:///a%20b", "file:///a%20b", true),
        ("resources/read", "file:///a%20b", "file:///a b", false),
        ("tools/call", looks_encoded, &sent, true),
        ("tools/call", looks_encoded, looks_encoded, false),
        ("tools/call", "echo", "  echo  ", true),
        ("tools/call", "echo", "wrong_tool_name", false),
        ("tools/call", "echo", "Echo", false),
        ("prompts/get", "p", "p", true),
    ] {
        let headers = [VERSION, ("Mcp-Method", method), ("Mcp-Name", header)];
        let found = check(body(method, Some(name)), &headers);
        assert_eq!(found.is_ok(), is_accepted, "{method} {name} {header}: {found:?}");
    }
}

#[test]
fn names_are_needed_by_three_methods_and_optional_on_tasks() {
    for method in ["tools/call", "prompts/get", "resources/read"] {
        let found = check(body(method, Some("n")), &[VERSION, ("Mcp-Method", method)]);
        assert_eq!(found.unwrap_err(), [HeaderFault::Missing { header: "Mcp-Name".into() }]);
    }
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        let with =
            |name| check(body(method, Some("t1")), &[VERSION, ("Mcp-Method", method), ("Mcp-Name", name)]);
        assert_eq!(check(body(method, Some("t1")), &[VERSION, ("Mcp-Method", method)]), Ok(()));
        assert_eq!(with("t1"), Ok(()));
        assert_eq!(with("t2").unwrap_err(), [HeaderFault::mismatch("Mcp-Name", "t2", "t1")]);
        let nameless = [VERSION, ("Mcp-Method", method), ("Mcp-Name", "t1")];
        assert_eq!(
            check(body(method, None), &nameless).unwrap_err(),
            [HeaderFault::Surplus { header: "Mcp-Name".into() }]
        );
    }
    for method in ["tools/list", "server/discover", "subscriptions/listen", "completion/complete"] {
        let headers = [VERSION, ("Mcp-Method", method), ("Mcp-Name", "n")];
        let found = check(body(method, None), &headers);
        assert_eq!(found.unwrap_err(), [HeaderFault::Surplus { header: "Mcp-Name".into() }]);
    }
}

#[test]
fn versions_in_header_and_meta_agree() {
    let method = ("Mcp-Method", "tools/list");
    let missing = check(body("tools/list", None), &[method]).unwrap_err();
    assert_eq!(missing, [HeaderFault::Missing { header: "MCP-Protocol-Version".into() }]);
    let differs = check(body("tools/list", None), &[method, ("mcp-protocol-version", "2025-11-25")]);
    assert_eq!(
        differs.unwrap_err(),
        [HeaderFault::mismatch("MCP-Protocol-Version", "2025-11-25", "2026-07-28")]
    );
    let unknown = MirroredBody { version: Some("9999-01-01"), method: "tools/list", name: None };
    assert!(check(unknown, &[VERSION, method]).is_err());
    assert_eq!(check(unknown, &[("mcp-protocol-version", "9999-01-01"), method]), Ok(()));
    let no_meta = MirroredBody { version: None, method: "tools/list", name: None };
    assert_eq!(check(no_meta, &[VERSION, method]), Ok(()));
    assert!(check(no_meta, &[method]).is_err());
}

#[test]
fn repeated_headers_are_refused_even_if_they_agree() {
    for second in ["tools/call", "tools/list"] {
        let headers = [VERSION, ("Mcp-Method", "tools/call"), ("mcp-method", second), ("Mcp-Name", "a")];
        let found = check(body("tools/call", Some("a")), &headers).unwrap_err();
        assert_eq!(found, [HeaderFault::Repeated { header: "Mcp-Method".into(), count: 2 }]);
    }
    let all = [VERSION, VERSION, VERSION, ("Mcp-Method", "tools/call"), ("Mcp-Name", "a"), ("Mcp-Name", "a")];
    let found = check(body("tools/call", Some("a")), &all).unwrap_err();
    assert_eq!(
        found,
        [
            HeaderFault::Repeated { header: "MCP-Protocol-Version".into(), count: 3 },
            HeaderFault::Repeated { header: "Mcp-Name".into(), count: 2 },
        ]
    );
    // What a machine on the way folds into one line is no value of the protocol.
    let folded = [VERSION, ("Mcp-Method", "tools/list, tools/list")];
    assert!(check(body("tools/list", None), &folded).is_err());
}

#[test]
fn unreadable_values_are_refused_with_short_messages() {
    for (value, reason) in [
        (&b"tools/\xFFlist"[..], HeaderValueFault::NotAscii),
        (b"tools/list\0", HeaderValueFault::ControlCharacter),
        (b"tools/list\r\n x", HeaderValueFault::ControlCharacter),
    ] {
        let headers: [(&str, &[u8]); 2] = [("mcp-protocol-version", b"2026-07-28"), ("mcp-method", value)];
        let found = validate_standard_headers(&body("tools/list", None), &headers).unwrap_err();
        assert_eq!(found, [HeaderFault::Unreadable { header: "Mcp-Method".into(), reason }]);
    }
    let long = "x".repeat(8_192);
    let headers = [VERSION, ("Mcp-Method", long.as_str()), ("Mcp-Name", long.as_str())];
    let found = check(body("tools/call", Some("a")), &headers).unwrap_err();
    assert!(describe_header_faults(&found).len() < 1_000);
}

#[test]
fn all_faults_are_reported_together() {
    let found = check(body("tools/call", Some("a")), &[]).unwrap_err();
    assert_eq!(
        describe_header_faults(&found),
        "Header mismatch: MCP-Protocol-Version header is missing; Mcp-Method header is missing; \
         Mcp-Name header is missing"
    );
    let names = ["tools/call", "ping"].map(|method| format!("{:?}", NameRule::of(method).member()));
    assert_eq!(names, ["Some(\"name\")".to_string(), String::from("None")]);
}
