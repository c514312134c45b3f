//! A last look at results.

use pm_mcp::{
    ContentBlock, Context, HandlerFault, Interceptor, NoArguments, Operation, Output, PromptMessage, Read,
    ResultMut, prompt, resource,
};
use serde_json::json;

use crate::stage::{Log, Stage, logging, message, plain};

/// Takes everything out that could be a secret.
#[derive(Debug)]
pub(crate) struct Redact;

impl Interceptor for Redact {
    fn result(&self, _: &Operation, result: &mut ResultMut<'_>) -> Result<(), HandlerFault> {
        match result {
            ResultMut::Tool(result) => {
                result.content = vec![ContentBlock::text("[redacted]")];
                result.structured_content = None;
            }
            ResultMut::Resource(result) => result.contents.clear(),
            ResultMut::Prompt(result) => {
                result.messages = vec![PromptMessage::user("[redacted]")];
            }
            _ => return Err(HandlerFault::internal("a result of a new kind")),
        }
        Ok(())
    }
}

#[tokio::test]
async fn a_result_is_redacted_before_it_is_written() {
    let log = Log::default();
    let stage = Stage::new(|builder| {
        builder
            .interceptor(Redact)
            .tool(logging(plain("own"), &log))
            .resource(resource("file:///a", "a").reader(|_, _| async { Ok(Read::text("42")) }))
            .prompt(prompt("hello", "Greets.").handler(|_, _| async { Ok(vec![PromptMessage::user("42")]) }))
    });
    let called = stage.call("own").await;
    assert_eq!(called["result"]["content"], json!([{"type": "text", "text": "[redacted]"}]));
    let got = stage.request("prompts/get", json!({"name": "hello"})).await;
    assert_eq!(got["result"]["messages"][0]["content"]["text"], "[redacted]");
    let read = stage.request("resources/read", json!({"uri": "file:///a"})).await;
    let unknown = stage.request("resources/read", json!({"uri": "file:///b"})).await;
    assert_eq!(read["error"]["code"], unknown["error"]["code"], "nothing left reads as unknown: {read}");
}

#[tokio::test]
async fn a_redaction_cannot_break_what_the_tool_promises() {
    let stage = Stage::new(|builder| {
        let schema = json!({"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}});
        let draft = plain("own").output_schema(schema).interceptor(Redact);
        builder.tool(draft.handler(|_: Context, _: NoArguments| async { Ok(Output::json(json!({"n": 42}))) }))
    });
    let answer = stage.call("own").await;
    assert_eq!(answer["error"]["code"], -32603, "{answer}");
    assert!(message(&answer).starts_with("internal error"), "{answer}");
}
