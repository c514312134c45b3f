//! Handlers that ask in the middle of their work.

use pm_mcp::schemars::JsonSchema;
use pm_mcp::serde::Deserialize;
use pm_mcp::{
    ClientCapability, Context, Form, NoArguments, Output, PromptMessage, Roots, Sampling, ServerBuilder,
    prompt, tool,
};
use serde_json::{Map, Value, json};

#[derive(Deserialize, JsonSchema, Form)]
struct Name {
    name: String,
}

#[derive(Deserialize, JsonSchema, Form)]
struct Colour {
    color: String,
}

#[derive(Deserialize, JsonSchema, Form)]
struct Consent {
    ok: bool,
}

#[derive(Deserialize, JsonSchema, Form)]
struct Background {
    context: String,
}

fn question(text: &str) -> Sampling {
    let message = json!({"role": "user", "content": {"type": "text", "text": text}});
    Sampling(Map::from_iter([("messages".into(), json!([message])), ("maxTokens".into(), json!(100))]))
}

fn text_of(sampled: &Map<String, Value>) -> String {
    sampled.get("content").and_then(|content| content.get("text")).map_or_else(String::new, Value::to_string)
}

pub(crate) fn register(server: ServerBuilder) -> ServerBuilder {
    server
        .tool(tool("test_streaming_elicitation", "Asks the user.").handler(ask_name))
        .tool(tool("test_input_required_result_elicitation", "Asks for a name.").handler(ask_name))
        .tool(tool("test_input_required_result_sampling", "Asks the client's model.").handler(
            |ctx: Context, _: NoArguments| async move {
                let answer = ctx.ask("capital_question", question("What is the capital of France?")).await?;
                Ok(Output::text(text_of(&answer)))
            },
        ))
        .tool(tool("test_input_required_result_list_roots", "Asks for the client's roots.").handler(
            |ctx: Context, _: NoArguments| async move {
                let roots = ctx.ask("client_roots", Roots).await?;
                Ok(Output::text(format!("{} roots", roots.len())))
            },
        ))
        .tool(tool("test_input_required_result_request_state", "Asks for consent.").handler(consent))
        .tool(tool("test_input_required_result_tampered_state", "Asks for consent.").handler(consent))
        .tool(tool("test_input_required_result_multiple_inputs", "Asks three things at once.").handler(
            |ctx: Context, _: NoArguments| async move {
                let (name, greeting, roots) = tokio::join!(
                    ctx.ask("user_name", Form::<Name>::new("Who are you?")),
                    ctx.ask("greeting", question("Write a greeting.")),
                    ctx.ask("client_roots", Roots),
                );
                Ok(Output::text(format!("{} {} {}", text_of(&greeting?), name?.name, roots?.len())))
            },
        ))
        .tool(tool("test_input_required_result_multi_round", "Asks twice.").handler(
            |ctx: Context, _: NoArguments| async move {
                let Name { name } = ctx.ask("step1", Form::new("Who are you?")).await?;
                let Colour { color } = ctx.ask("step2", Form::new("Which colour do you like?")).await?;
                Ok(Output::text(format!("{name} likes {color}")))
            },
        ))
        .tool(tool("test_input_required_result_capabilities", "Asks what the client can answer.").handler(
            |ctx: Context, _: NoArguments| async move {
                if ctx.caller().capabilities.declares(ClientCapability::ElicitationForm) {
                    let Name { name } = ctx.ask("user_name", Form::new("Who are you?")).await?;
                    return Ok(Output::text(name));
                }
                let answer = ctx.ask("question", question("Who is it?")).await?;
                Ok(Output::text(text_of(&answer)))
            },
        ))
        .prompt(prompt("test_input_required_result_prompt", "Asks before it is written.").handler(
            |ctx: Context, _| async move {
                let Background { context } = ctx.ask("user_context", Form::new("What is it about?")).await?;
                Ok(vec![PromptMessage::user(context)])
            },
        ))
}

async fn ask_name(ctx: Context, _: NoArguments) -> Result<Output, pm_mcp::ToolError> {
    let Name { name } = ctx.ask("user_name", Form::new("Who are you?")).await?;
    Ok(Output::text(format!("Hello, {name}!")))
}

async fn consent(ctx: Context, _: NoArguments) -> Result<Output, pm_mcp::ToolError> {
    let Consent { ok } = ctx.ask("confirm", Form::new("Go on?")).await?;
    Ok(Output::text(format!("consent: {ok}")))
}
