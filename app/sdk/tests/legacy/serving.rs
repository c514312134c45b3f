//! A small server with something of every kind.

use pm_mcp::schemars::JsonSchema;
use pm_mcp::serde::Deserialize;
use pm_mcp::{
    Context, Execution, Form, HandlerFault, NoArguments, Output, PromptMessage, Read, Server, ServerBuilder,
    ToolError, prompt, resource, template, tool,
};
use serde_json::json;

#[derive(Deserialize, JsonSchema, Form)]
#[serde(crate = "pm_mcp::serde")]
#[schemars(crate = "pm_mcp::schemars")]
pub(crate) struct Text {
    pub(crate) text: String,
}

pub(crate) fn builder() -> ServerBuilder {
    Server::builder("legacy-test", "1.2.3")
        .instructions("Call echo.")
        .legacy_stdio()
        .volatile_tasks()
        .tool(
            tool("echo", "Says the same.").output::<Text>().handler(|_: Context, args: Text| async move {
                Ok(Output::json(json!({"text": args.text})))
            }),
        )
        .tool(
            tool("count", "Gives a number.")
                .output_schema(json!({"type": "integer"}))
                .handler(|_: Context, _: NoArguments| async { Ok(Output::default().structured(json!(7))) }),
        )
        .tool(
            tool("fail", "Fails.").handler(|_: Context, _: NoArguments| async {
                Err::<Output, _>(ToolError::failed("no luck"))
            }),
        )
        .tool(tool("whoami", "Says who calls.").handler(|ctx: Context, _: NoArguments| async move {
            let client = ctx.caller().client.as_ref();
            Ok(Output::text(
                client.map_or("nobody".to_owned(), |client| format!("{} {}", client.name, client.version)),
            ))
        }))
        .tool(tool("ask", "Asks for a text.").handler(|ctx: Context, _: NoArguments| async move {
            let answer = ctx.ask("text", Form::<Text>::new("Which?")).await?;
            Ok(Output::text(answer.text))
        }))
        .tool(tool("ask-or-not", "Asks for a text where it can.").handler(
            |ctx: Context, _: NoArguments| async move {
                match ctx.ask("text", Form::<Text>::new("Which?")).await {
                    Ok(answer) => Ok(Output::text(answer.text)),
                    Err(HandlerFault::CannotAsk) => Err(ToolError::failed("consent_unavailable")),
                    Err(fault) => Err(fault.into()),
                }
            },
        ))
        .tool(
            tool("slow", "Runs as a task only.")
                .execution(Execution::TaskOnly)
                .handler(|_: Context, _: NoArguments| async { Ok(Output::text("done")) }),
        )
        .tool(
            tool("maybe-task", "Runs as a task where it can.")
                .execution(Execution::Task)
                .handler(|_: Context, _: NoArguments| async { Ok(Output::text("done")) }),
        )
        .tool(tool("steps", "Reports progress.").handler(|ctx: Context, _: NoArguments| async move {
            ctx.progress(1.0, Some(2.0), "half");
            Ok(Output::text("done"))
        }))
        .resource(
            resource("test://one", "one")
                .mime_type("text/plain")
                .reader(|_, _| async { Ok(Read::text("first")) }),
        )
        .template(template("test://many/{id}", "many").reader(|_, request| async move {
            match request.value("id") {
                "gone" => Err(HandlerFault::NotFound),
                id => Ok(Read::text(format!("number {id}"))),
            }
        }))
        .prompt(
            prompt("greet", "Greets.")
                .required_argument("name", "Whom.")
                .complete("name", |_, value, _| async move { Ok(vec![format!("{value}da")]) })
                .handler(|_, args| async move {
                    Ok(vec![PromptMessage::user(format!("Hello, {}!", args["name"]))])
                }),
        )
}

pub(crate) fn server() -> Server {
    builder().build().unwrap()
}
