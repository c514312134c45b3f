//! A request of the earlier era, and the request of the current revision that it stands for.

use pm_mcp_domain::ident::RequestId;
use pm_mcp_domain::version::PROTOCOL_VERSION;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::members::Members;

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// Members of `_meta` that mean the same in both eras.
const KEPT_META: [&str; 4] = ["progressToken", "traceparent", "tracestate", "baggage"];

/// Members of `params` that would mean something now and did not then: the answers to questions, which were never asked.
const DROPPED: [&str; 3] = ["_meta", "inputResponses", "requestState"];

/// A request that claims no protocol version.
#[derive(Debug)]
pub(super) struct LegacyRequest<'a> {
    pub(super) id: RequestId<'a>,
    pub(super) method: String,
    /// `None` when `params` or the `_meta` in it is no object.
    pub(super) params: Option<LegacyParams<'a>>,
}

/// The parameters of such a request.
#[derive(Default, Debug)]
pub(super) struct LegacyParams<'a> {
    pub(super) members: Members<'a>,
    meta: Members<'a>,
}

impl<'a> LegacyRequest<'a> {
    /// Reads a message that the ladder took for a request; `None` when it claims a protocol version, of whatever form.
    pub(super) fn read(bytes: &'a [u8]) -> Option<Self> {
        #[derive(Deserialize)]
        struct Whole<'a> {
            #[serde(borrow)]
            id: &'a RawValue,
            method: String,
            #[serde(borrow, default)]
            params: Option<&'a RawValue>,
        }
        let text = std::str::from_utf8(bytes).ok()?;
        let whole: Whole<'a> = serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()?;
        let id = RequestId::parse(whole.id)?;
        let members = match whole.params {
            None => Some(Members::default()),
            Some(raw) => Members::of(raw),
        };
        let Some(members) = members else { return Some(Self { id, method: whole.method, params: None }) };
        let metas = members.0.iter().filter(|(name, _)| name == "_meta").map(|(_, value)| Members::of(value));
        let mut meta = Some(Members::default());
        for found in metas {
            if found.as_ref().is_some_and(|found| found.find(VERSION).is_some()) {
                return None;
            }
            meta = found;
        }
        let params = meta.map(|meta| LegacyParams { members: members.without(&DROPPED), meta });
        Some(Self { id, method: whole.method, params })
    }
}

impl<'a> LegacyParams<'a> {
    /// Parameters with one member of its own.
    pub(super) fn of(name: &str, value: &'a RawValue) -> Self {
        Self { members: Members(vec![(name.to_owned(), value)]), meta: Members::default() }
    }

    /// The request of the current revision with these parameters. It declares no capability: whatever the client said in
    /// its handshake, nothing can be asked of it in the middle of a request. `id` and `client`, its name and version, are
    /// JSON texts.
    pub(super) fn to_current(&self, id: &str, method: &str, client: Option<&str>) -> Vec<u8> {
        let mut out = format!(
            r#"{{"jsonrpc":"2.0","id":{},"method":"{method}","params":{{"_meta":{{"{VERSION}":"{PROTOCOL_VERSION}","io.modelcontextprotocol/clientCapabilities":{{}}"#,
            id
        );
        if let Some(client) = client {
            push(&mut out, "io.modelcontextprotocol/clientInfo", client);
        }
        for (name, value) in self.meta.0.iter().filter(|(name, _)| KEPT_META.contains(&name.as_str())) {
            push(&mut out, name, value.get());
        }
        out.push('}');
        for (name, value) in &self.members.0 {
            push(&mut out, name, value.get());
        }
        out.push_str("}}");
        out.into_bytes()
    }
}

/// Appends a member to an object that is not empty.
fn push(out: &mut String, name: &str, value: &str) {
    out.push(',');
    // A string can always be written.
    out.push_str(&serde_json::to_string(name).unwrap_or_default());
    out.push(':');
    out.push_str(value);
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn current(request: &str, client: Option<&str>) -> Value {
        let read = LegacyRequest::read(request.as_bytes()).unwrap();
        let bytes = read.params.unwrap().to_current(read.id.as_json(), &read.method, client);
        serde_json::from_slice(&bytes).unwrap()
    }

    #[test]
    fn a_claimed_version_of_any_form_is_no_business_of_the_earlier_era() {
        for version in [r#""2026-07-28""#, r#""2025-06-18""#, "7", "null", "{}"] {
            let request = format!(
                r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"_meta":{{"{VERSION}":{version}}}}}}}"#
            );
            assert!(LegacyRequest::read(request.as_bytes()).is_none(), "{version}");
        }
        let escaped = r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol\/protocolVersion":"x"}}}"#;
        assert!(LegacyRequest::read(escaped.as_bytes()).is_none());
    }

    #[test]
    fn the_current_form_keeps_the_id_the_arguments_and_what_means_the_same() {
        let request = r#"{"jsonrpc":"2.0","id":18446744073709551615,"method":"tools/call","params":{"name":"t","arguments":{"big":123456789012345678901234567890},"requestState":"s","inputResponses":{},"_meta":{"progressToken":7,"traceparent":"x","other/thing":true}}}"#;
        let read = LegacyRequest::read(request.as_bytes()).unwrap();
        let bytes = read.params.unwrap().to_current(read.id.as_json(), &read.method, None);
        let text = String::from_utf8(bytes).unwrap();
        assert!(
            text.contains("18446744073709551615") && text.contains("123456789012345678901234567890"),
            "{text}"
        );
        assert_eq!(
            current(request, Some(r#"{"name":"n","version":"v"}"#))["params"]["_meta"],
            json!({
                VERSION: PROTOCOL_VERSION,
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": {"name": "n", "version": "v"},
                "progressToken": 7,
                "traceparent": "x",
            })
        );
        assert!(!text.contains("requestState") && !text.contains("inputResponses"), "{text}");
    }

    #[test]
    fn parameters_may_be_left_out_but_must_be_an_object() {
        for (params, readable) in [
            ("", true),
            (r#","params":{}"#, true),
            (r#","params":null"#, true),
            (r#","params":{"_meta":{}}"#, true),
            (r#","params":[]"#, false),
            (r#","params":7"#, false),
            (r#","params":{"_meta":[]}"#, false),
        ] {
            let request = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping"{params}}}"#);
            let read = LegacyRequest::read(request.as_bytes()).unwrap();
            assert_eq!(read.params.is_some(), readable, "{params}");
        }
    }
}
