//! Content of every kind, progress, changes, resources and prompts.

use pm_mcp::schemars::JsonSchema;
use pm_mcp::serde::Deserialize;
use pm_mcp::{
    CachePolicy, Change, ClientCapability, ContentBlock, Context, NoArguments, Output, PromptMessage, Read,
    ResourceContents, Role, ServerBuilder, ToolError, prompt, resource, template, tool,
};
use serde_json::json;

/// A red dot.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/// No sound at all.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

#[derive(Deserialize, JsonSchema)]
struct CustomHeader {
    #[schemars(extend("x-mcp-header" = "Value"))]
    value: String,
}

fn embedded() -> ContentBlock {
    ContentBlock::resource(ResourceContents::text("test://embedded", "text/plain", "embedded text"))
}

pub(crate) fn register(server: ServerBuilder) -> ServerBuilder {
    let address = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {"$anchor": "address", "type": "object", "properties": {"street": {"type": "string"}}}},
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false,
    });
    server
        .tool(tool("test_simple_text", "Answers with a text.").handler(|_, _: NoArguments| async {
            Ok(Output::text("This is a simple text response for testing."))
        }))
        .tool(tool("test_image_content", "Answers with a picture.").handler(|_, _: NoArguments| async {
            Ok(Output::default().with(ContentBlock::image(PNG, "image/png")))
        }))
        .tool(tool("test_audio_content", "Answers with a sound.").handler(|_, _: NoArguments| async {
            Ok(Output::default().with(ContentBlock::audio(WAV, "audio/wav")))
        }))
        .tool(
            tool("test_embedded_resource", "Answers with a resource.")
                .handler(|_, _: NoArguments| async { Ok(Output::default().with(embedded())) }),
        )
        .tool(tool("test_multiple_content_types", "Answers with several blocks.").handler(
            |_, _: NoArguments| async {
                Ok(Output::text("several").with(ContentBlock::image(PNG, "image/png")).with(embedded()))
            },
        ))
        .tool(tool("test_error_handling", "Runs and fails.").handler(|_, _: NoArguments| async {
            Err(ToolError::failed("This tool always fails, for testing."))
        }))
        .tool(tool("test_tool_with_progress", "Reports how far it is.").handler(
            |ctx: Context, _: NoArguments| async move {
                for step in [0, 50, 100] {
                    ctx.progress(step, Some(100.0), format!("{step} of 100"));
                }
                Ok(Output::text("done"))
            },
        ))
        .tool(tool("test_trigger_tool_change", "Says that tools changed.").handler(
            |ctx: Context, _: NoArguments| async move {
                ctx.publish(Change::ToolsListChanged);
                Ok(Output::text("ok"))
            },
        ))
        .tool(tool("test_trigger_prompt_change", "Says that prompts changed.").handler(
            |ctx: Context, _: NoArguments| async move {
                ctx.publish(Change::PromptsListChanged);
                Ok(Output::text("ok"))
            },
        ))
        .tool(tool("test_missing_capability", "Needs a client that can sample.").handler(
            |ctx: Context, _: NoArguments| async move {
                ctx.require(ClientCapability::Sampling)?;
                Ok(Output::text("the client can sample"))
            },
        ))
        .tool(
            tool("test_logging_tool", "Works without telling the log.")
                .handler(|_, _: NoArguments| async { Ok(Output::text("done")) }),
        )
        .tool(
            tool("test_custom_header", "Takes an argument that is mirrored into a header.")
                .handler(|_, args: CustomHeader| async move { Ok(Output::text(args.value)) }),
        )
        .tool(
            tool("json_schema_2020_12_tool", "Has a schema with many keywords.")
                .input_schema(address)
                .handler(|_, _: serde_json::Value| async { Ok(Output::text("valid")) }),
        )
        .resource(
            resource("test://static-text", "static-text")
                .mime_type("text/plain")
                .cache(CachePolicy::public(60_000))
                .reader(|_, _| async { Ok(Read::text("This is the content of the static text resource.")) }),
        )
        .resource(
            resource("test://static-binary", "static-binary")
                .mime_type("image/png")
                .reader(|_, _| async { Ok(Read::base64(PNG)) }),
        )
        .template(
            template("test://template/{id}/data", "template-data").mime_type("application/json").reader(
                |_, request| async move { Ok(Read::text(json!({"id": request.value("id")}).to_string())) },
            ),
        )
        .prompt(
            prompt("test_simple_prompt", "A prompt without arguments.")
                .handler(|_, _| async { Ok(vec![PromptMessage::user("This is a simple prompt.")]) }),
        )
        .prompt(
            prompt("test_prompt_with_arguments", "A prompt with two arguments.")
                .required_argument("arg1", "The first argument.")
                .required_argument("arg2", "The second argument.")
                .complete("arg1", |_, value, _| async move { Ok(vec![format!("{value}Value1")]) })
                .handler(
                    |_, args| async move { Ok(vec![PromptMessage::user(format!("Arguments: {args:?}"))]) },
                ),
        )
        .prompt(
            prompt("test_prompt_with_embedded_resource", "A prompt with a resource.")
                .required_argument("resourceUri", "The resource to embed.")
                .handler(|_, args| async move {
                    let uri = args.get("resourceUri").cloned().unwrap_or_default();
                    let content =
                        ContentBlock::resource(ResourceContents::text(uri, "text/plain", "embedded text"));
                    Ok(vec![PromptMessage { role: Role::User, content }])
                }),
        )
        .prompt(prompt("test_prompt_with_image", "A prompt with a picture.").handler(|_, _| async {
            Ok(vec![PromptMessage { role: Role::User, content: ContentBlock::image(PNG, "image/png") }])
        }))
}
