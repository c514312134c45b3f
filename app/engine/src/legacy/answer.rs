//! Answers in the earlier shape.

use pm_mcp_domain::fault::{ErrorCode, ErrorResponse};
use pm_mcp_domain::ident::RequestId;
use pm_mcp_domain::request::Method;
use pm_mcp_ports::driving::Answer;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::lists;
use super::members::Members;

/// There is no such resource
/// ([Error Handling](https://modelcontextprotocol.io/specification/2025-11-25/server/resources#error-handling)).
const RESOURCE_NOT_FOUND: ErrorCode = ErrorCode(-32002);

/// What only the current revision says in a result: its kind, who answers, and how long it may be kept.
const CURRENT_ONLY: [&str; 4] = ["resultType", "_meta", "ttlMs", "cacheScope"];

const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// The answer with this result.
pub(super) fn result(id: RequestId<'_>, result: &Value) -> Answer {
    let (id, result) = (id.as_json(), result);
    Answer::new(200, format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#))
}

/// The answer with this error.
pub(super) fn error(id: RequestId<'_>, code: ErrorCode, message: &str, data: Option<Value>) -> Answer {
    let response = ErrorResponse { id: Some(id), code, message, data };
    // Texts and JSON values can always be written.
    Answer::error(200, code, serde_json::to_vec(&response).unwrap_or_default())
}

/// The answer to a request of the current revision, in the shape that the earlier ones have for `method`.
pub(super) fn translated(id: RequestId<'_>, method: Method, answer: &Answer) -> Answer {
    #[derive(Deserialize)]
    struct Response<'a> {
        #[serde(borrow, default)]
        result: Option<Members<'a>>,
        #[serde(default)]
        error: Option<Fault>,
    }
    match serde_json::from_slice(&answer.body) {
        Ok(Response { result: Some(members), .. }) => result_of(id, method, members),
        Ok(Response { error: Some(fault), .. }) => fault.answer(id, method),
        Ok(Response { result: None, error: None }) | Err(_) => {
            error(id, ErrorCode::INTERNAL, "internal error", None)
        }
    }
}

#[derive(Deserialize)]
struct Fault {
    code: i64,
    message: String,
    #[serde(default)]
    data: Option<Value>,
}

impl Fault {
    /// A code that the current revision gave a meaning had none then, and what is not there had its own.
    fn answer(self, id: RequestId<'_>, method: Method) -> Answer {
        let code = match ErrorCode(self.code) {
            ErrorCode::INVALID_PARAMS if method == Method::ReadResource && self.names_resource() => {
                RESOURCE_NOT_FOUND
            }
            code if code.is_reserved_for_400() => ErrorCode::INVALID_PARAMS,
            code => code,
        };
        error(id, code, &self.message, self.data)
    }

    fn names_resource(&self) -> bool {
        self.data.as_ref().is_some_and(|data| data.get("uri").is_some())
    }
}

fn result_of(id: RequestId<'_>, method: Method, members: Members<'_>) -> Answer {
    // Only a handler that could ask gives another kind, and none can: its client declared nothing.
    if members.text("resultType").is_some_and(|kind| kind != "complete") {
        let message =
            "this client cannot be asked in the middle of a request; use one of revision 2026-07-28";
        return error(id, ErrorCode::INVALID_PARAMS, message, None);
    }
    let meta = members.find("_meta").and_then(Members::of).unwrap_or_default().without(&[SERVER_INFO]);
    let foreign = lists::foreign_content(&members).filter(|_| method == Method::CallTool);
    let tools = members.find("tools").filter(|_| method == Method::ListTools).map(shown_tools);
    let content = foreign.map(|foreign| with_text(members.find("content"), foreign));
    let mut rest = members.without(&CURRENT_ONLY);
    if foreign.is_some() {
        rest = rest.without(&["structuredContent"]);
    }
    let replaced: Vec<(&str, String)> = [("tools", tools), ("content", content)]
        .into_iter()
        .filter_map(|(name, text)| Some((name, text?)))
        .chain((!meta.0.is_empty()).then(|| ("_meta", json_text(&meta))))
        .collect();
    let mut out = format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{"#, id.as_json());
    let kept = rest.0.iter().filter(|(name, _)| !replaced.iter().any(|(other, _)| other == name));
    let kept = kept.map(|(name, value)| (name.as_str(), value.get()));
    let all = kept.chain(replaced.iter().map(|(name, text)| (*name, text.as_str())));
    for (place, (name, value)) in all.enumerate() {
        if place > 0 {
            out.push(',');
        }
        out.push_str(&json_text(name));
        out.push(':');
        out.push_str(value);
    }
    out.push_str("}}");
    Answer::new(200, out.into_bytes())
}

fn shown_tools(tools: &RawValue) -> String {
    let mut tools: Vec<Value> = serde_json::from_str(tools.get()).unwrap_or_default();
    tools.iter_mut().for_each(lists::tool);
    json_text(&tools)
}

/// The content with the data that has no other place as a text block, unless there is some content already.
fn with_text(content: Option<&RawValue>, data: &RawValue) -> String {
    match content {
        Some(content)
            if serde_json::from_str::<Vec<&RawValue>>(content.get()).is_ok_and(|all| !all.is_empty()) =>
        {
            content.get().to_owned()
        }
        Some(_) | None => json!([{"type": "text", "text": data.get()}]).to_string(),
    }
}

/// Texts and JSON values can always be written.
fn json_text(value: &(impl serde::Serialize + ?Sized)) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(method: Method, response: &str) -> Value {
        let raw = serde_json::from_str("5").unwrap();
        let answer = Answer::new(400, response.as_bytes().to_vec());
        let shown = translated(RequestId::parse(raw).unwrap(), method, &answer);
        assert_eq!(shown.status, 200);
        serde_json::from_slice(&shown.body).unwrap()
    }

    #[test]
    fn what_only_the_current_revision_says_is_left_out() {
        let response = r#"{"jsonrpc":"2.0","id":5,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s"},"own/label":1},"ttlMs":5,"cacheScope":"public","contents":[],"nextCursor":"c"}}"#;
        assert_eq!(
            shown(Method::ReadResource, response),
            json!({"jsonrpc": "2.0", "id": 5, "result": {"contents": [], "nextCursor": "c", "_meta": {"own/label": 1}}})
        );
    }

    #[test]
    fn errors_get_the_codes_of_their_era() {
        for (method, code, data, wanted) in [
            (Method::ReadResource, -32602, json!({"uri": "a:b"}), -32002),
            (Method::ReadResource, -32602, Value::Null, -32602),
            (Method::CallTool, -32602, json!({"uri": "a:b"}), -32602),
            (Method::CallTool, -32021, json!({"requiredCapabilities": {}}), -32602),
            (Method::CallTool, -32601, Value::Null, -32601),
            (Method::CallTool, -32000, Value::Null, -32000),
        ] {
            let response = json!({"jsonrpc": "2.0", "error": {"code": code, "message": "m", "data": data}});
            let shown = shown(method, &response.to_string());
            assert_eq!((&shown["error"]["code"], &shown["id"]), (&json!(wanted), &json!(5)), "{response}");
        }
    }

    #[test]
    fn structured_content_that_is_no_object_travels_as_text() {
        for (result, wanted) in [
            (
                json!({"content": [], "structuredContent": [1, 2]}),
                json!({"content": [{"type": "text", "text": "[1,2]"}]}),
            ),
            (
                json!({"content": [{"type": "text", "text": "two"}], "structuredContent": 2}),
                json!({"content": [{"type": "text", "text": "two"}]}),
            ),
            (
                json!({"content": [], "structuredContent": {"n": 2}, "isError": true}),
                json!({"content": [], "structuredContent": {"n": 2}, "isError": true}),
            ),
        ] {
            let response = json!({"jsonrpc": "2.0", "id": 5, "result": result}).to_string();
            assert_eq!(shown(Method::CallTool, &response)["result"], wanted);
        }
    }

    #[test]
    fn a_question_in_the_middle_of_a_request_is_refused() {
        let response =
            r#"{"jsonrpc":"2.0","id":5,"result":{"resultType":"input_required","inputRequests":{}}}"#;
        let shown = shown(Method::CallTool, response);
        assert_eq!(shown["error"]["code"], -32602);
        assert!(shown["error"]["message"].as_str().unwrap().contains("cannot be asked"), "{shown}");
    }
}
