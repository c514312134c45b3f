//! The headers that a client sends with a request.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use serde_json::Value;

use super::{
    METHOD_HEADER, NAME_HEADER, PROTOCOL_VERSION_HEADER,
    annotation::HeaderAnnotations,
    encoding::{encode_header_value, is_plain},
    mirrored::{Mirrored, flag_text},
    standard::NameRule,
};

/// The member of `_meta` that holds the protocol version.
const VERSION_MEMBER: &str = "io.modelcontextprotocol/protocolVersion";

/// Why no headers can be built for a request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BuildHeadersError {
    /// A member of the body that a header must repeat is missing or not a string.
    #[error("the request needs a string at `{member}`, which the {header} header repeats")]
    MissingMember {
        /// The member, from the request's root.
        member: String,
        /// The header.
        header: &'static str,
    },
    /// Method or version hold characters that their headers cannot carry.
    #[error("the value for the {header} header is not plain ASCII")]
    NotPlain {
        /// The header.
        header: &'static str,
    },
    /// An annotated argument is an array, an object or a fraction, or an integer that does not
    /// survive as a double-precision number.
    #[error(
        "the argument at `{pointer}` cannot be sent as {header}; only text, booleans and integers up to 2^53-1 can"
    )]
    NotSendable {
        /// JSON Pointer of the argument within `arguments`.
        pointer: String,
        /// The header.
        header: String,
    },
}

/// The protocol's headers for a request, in the order version, method, name, arguments.
///
/// `params` is the request's `params` as it will be sent, `_meta` included; the values are taken
/// from there so that headers and body agree. `annotations` are those of the tool that a
/// `tools/call` names and count for no other method. An argument that is absent or null gets no
/// header, an empty string an empty one. Names and arguments are encoded where needed; the names
/// of the headers are fixed or begin with `Mcp-Param-`, so no tool definition can set any other
/// header.
///
/// # Errors
///
/// [`BuildHeadersError`] if the body lacks what a header must repeat, or has a value that no
/// header can carry.
///
/// ```
/// use pm_mcp_domain::header::{HeaderAnnotations, build_request_headers};
/// use serde_json::json;
///
/// let params = json!({
///     "name": "echo",
///     "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"},
/// });
/// let headers = build_request_headers("tools/call", &params, &HeaderAnnotations::default())?;
/// assert_eq!(headers[2], ("Mcp-Name".to_string(), "echo".to_string()));
/// # Ok::<(), pm_mcp_domain::header::BuildHeadersError>(())
/// ```
pub fn build_request_headers(
    method: &str,
    params: &Value,
    annotations: &HeaderAnnotations,
) -> Result<Vec<(String, String)>, BuildHeadersError> {
    let mut headers = Vec::with_capacity(3 + annotations.len());
    let version = params.get("_meta").and_then(|meta| meta.get(VERSION_MEMBER)).and_then(Value::as_str);
    let version = version.ok_or_else(|| missing("params._meta", VERSION_MEMBER, PROTOCOL_VERSION_HEADER))?;
    for (header, value) in [(PROTOCOL_VERSION_HEADER, version), (METHOD_HEADER, method)] {
        if !is_plain(value) {
            return Err(BuildHeadersError::NotPlain { header });
        }
        headers.push((header.to_string(), value.to_string()));
    }
    if let Some(member) = NameRule::of(method).member() {
        let name = params.get(member).and_then(Value::as_str);
        let name = name.ok_or_else(|| missing("params", member, NAME_HEADER))?;
        headers.push((NAME_HEADER.to_string(), encode_header_value(name).into_owned()));
    }
    if method == "tools/call" {
        let arguments = params.get("arguments").unwrap_or(&Value::Null);
        for annotation in annotations.iter() {
            let value = match Mirrored::of(annotation.value_in(arguments)) {
                Mirrored::Nothing => continue,
                Mirrored::Text(text) => encode_header_value(text).into_owned(),
                Mirrored::Flag(flag) => flag_text(flag).to_string(),
                Mirrored::Integer(integer) => integer.to_string(),
                Mirrored::UnsafeInteger | Mirrored::Unsendable => {
                    return Err(BuildHeadersError::NotSendable {
                        pointer: annotation.pointer(),
                        header: annotation.header().to_string(),
                    });
                }
            };
            headers.push((annotation.header().to_string(), value));
        }
    }
    Ok(headers)
}

fn missing(parent: &str, member: &str, header: &'static str) -> BuildHeadersError {
    BuildHeadersError::MissingMember { member: [parent, member].join("."), header }
}

#[cfg(test)]
mod tests {
    use proptest::{prelude::*, test_runner::RngSeed};
    use serde_json::json;

    use super::*;
    use crate::header::{
        MirroredBody, collect_header_annotations, validate_param_headers, validate_standard_headers,
    };

    fn annotations() -> HeaderAnnotations {
        collect_header_annotations(&json!({"properties": {
            "text": {"type": "string", "x-mcp-header": "Text"},
            "count": {"type": "integer", "x-mcp-header": "Count"},
            "flag": {"type": "boolean", "x-mcp-header": "Method"},
            "plain": {"type": "number"},
        }}))
        .unwrap()
    }

    fn params(name: &str, arguments: &Value) -> Value {
        json!({"name": name, "arguments": arguments, "_meta": {VERSION_MEMBER: "2026-07-28"}})
    }

    fn header<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
        headers.iter().find(|(held, _)| held == name).map(|(_, value)| value.as_str())
    }

    #[test]
    fn headers_repeat_the_body() {
        let arguments = json!({"text": "Hello, 世界", "count": 42.0, "flag": false, "plain": 1.5});
        let headers = build_request_headers("tools/call", &params("my tool", &arguments), &annotations());
        let headers = headers.unwrap();
        for (name, value) in [
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", "tools/call"),
            ("Mcp-Name", "my tool"),
            ("Mcp-Param-Text", "=?base64?SGVsbG8sIOS4lueVjA==?="),
            ("Mcp-Param-Count", "42"),
            ("Mcp-Param-Method", "false"),
        ] {
            assert_eq!(header(&headers, name), Some(value), "{name}");
        }
        assert_eq!(headers.len(), 6);
    }

    #[test]
    fn nothing_is_sent_for_nothing() {
        for arguments in [json!({"text": null}), json!({}), json!(null)] {
            let headers = build_request_headers("tools/call", &params("t", &arguments), &annotations());
            assert_eq!(headers.unwrap().len(), 3);
        }
        let empty = build_request_headers("tools/call", &params("t", &json!({"text": ""})), &annotations());
        assert_eq!(header(&empty.unwrap(), "Mcp-Param-Text"), Some(""));
        let list = build_request_headers("tools/list", &params("t", &json!({"text": "x"})), &annotations());
        assert_eq!(list.unwrap().len(), 2);
    }

    #[test]
    fn names_come_from_the_member_of_their_method() {
        let params = json!({"uri": "file:///a%20b", "taskId": "t1", "_meta": {VERSION_MEMBER: "v"}});
        let none = HeaderAnnotations::default();
        for (method, name) in
            [("resources/read", Some("file:///a%20b")), ("tasks/get", Some("t1")), ("resources/list", None)]
        {
            let headers = build_request_headers(method, &params, &none).unwrap();
            assert_eq!(header(&headers, "Mcp-Name"), name, "{method}");
        }
        let nameless = build_request_headers("tools/call", &params, &none).unwrap_err();
        assert!(nameless.to_string().contains("`params.name`"), "{nameless}");
        assert!(build_request_headers("tools/list", &json!({}), &none).is_err());
        assert!(build_request_headers("a\r\nb", &params, &none).is_err());
    }

    #[test]
    fn values_that_no_header_can_carry_are_refused() {
        for count in [json!(1.5), json!([1]), json!({}), json!(9_007_199_254_740_992_i64), json!(1e300)] {
            let built =
                build_request_headers("tools/call", &params("t", &json!({"count": count})), &annotations());
            assert!(matches!(built, Err(BuildHeadersError::NotSendable { .. })), "{count}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            rng_seed: RngSeed::Fixed(20_260_728),
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn what_a_client_builds_a_server_accepts(
            name in any::<String>(),
            text in proptest::option::of(any::<String>()),
            count in proptest::option::of(-9_007_199_254_740_991_i64..=9_007_199_254_740_991),
            flag in proptest::option::of(any::<bool>()),
        ) {
            let arguments = json!({"text": text, "count": count, "flag": flag});
            let headers = build_request_headers("tools/call", &params(&name, &arguments), &annotations()).unwrap();
            let body = MirroredBody { version: Some("2026-07-28"), method: "tools/call", name: Some(&name) };
            prop_assert_eq!(validate_standard_headers(&body, &headers), Ok(()));
            prop_assert_eq!(validate_param_headers(&annotations(), &arguments, &headers), Ok(()));
            for (name, value) in &headers {
                prop_assert!(name.to_ascii_lowercase().starts_with("mcp-"));
                prop_assert!(is_plain(value));
            }
        }
    }
}
