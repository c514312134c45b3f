//! Work that becomes a task.

use std::time::Duration;

use pm_mcp::schemars::JsonSchema;
use pm_mcp::serde::Deserialize;
use pm_mcp::{
    Context, ErrorCode, Execution, Form, HandlerFault, NoArguments, Output, ServerBuilder, ToolError, tool,
};

#[derive(Deserialize, JsonSchema)]
struct Greet {
    name: String,
}

#[derive(Deserialize, JsonSchema)]
struct Slow {
    seconds: f64,
    #[serde(default)]
    label: String,
}

#[derive(Deserialize, JsonSchema)]
struct Deletion {
    filename: String,
}

#[derive(Deserialize, JsonSchema, Form)]
struct Confirmation {
    confirm: bool,
}

#[derive(Deserialize, JsonSchema, Form)]
struct Name {
    name: String,
}

pub(crate) fn register(server: ServerBuilder) -> ServerBuilder {
    server
        .tool(
            tool("greet", "Greets somebody, at once.")
                .handler(|_, args: Greet| async move { Ok(Output::text(format!("Hello, {}!", args.name))) }),
        )
        .tool(tool("slow_compute", "Takes its time.").execution(Execution::Task).handler(
            |ctx: Context, args: Slow| async move {
                let time = Duration::from_secs_f64(args.seconds.clamp(0.0, 3_600.0));
                tokio::select! {
                    () = tokio::time::sleep(time) => Ok(Output::text(format!("{} is done", args.label))),
                    () = ctx.cancelled() => Err(ToolError::failed("cancelled")),
                }
            },
        ))
        .tool(tool("failing_job", "Runs as a task and fails.").execution(Execution::TaskOnly).handler(
            |_, _: NoArguments| async {
                tokio::time::sleep(Duration::from_secs(1)).await;
                Err(ToolError::failed("the job failed"))
            },
        ))
        .tool(
            tool("protocol_error_job", "Ends with an error of the protocol.")
                .execution(Execution::Task)
                .handler(|_, _: NoArguments| async {
                    let message = "the job broke".to_owned();
                    Err(ToolError::Fault(HandlerFault::Protocol {
                        code: ErrorCode::INTERNAL,
                        message,
                        data: None,
                    }))
                }),
        )
        .tool(tool("confirm_delete", "Asks, then deletes nothing.").execution(Execution::Task).handler(
            |ctx: Context, args: Deletion| async move {
                let form = Form::new(format!("Delete {}?", args.filename));
                let Confirmation { confirm } = ctx.ask("confirm", form).await?;
                Ok(Output::text(format!("{}: {confirm}", args.filename)))
            },
        ))
        .tool(tool("multi_input", "Asks two things at once.").execution(Execution::Task).handler(
            |ctx: Context, _: NoArguments| async move {
                let (first, second) = tokio::join!(
                    ctx.ask("first", Form::<Name>::new("Who is first?")),
                    ctx.ask("second", Form::<Name>::new("Who is second?")),
                );
                Ok(Output::text(format!("{}, {}", first?.name, second?.name)))
            },
        ))
        .tool(
            tool("test_tool_with_task", "Asks, then works as a task.")
                .execution(Execution::TaskOnly)
                .asks_before_task()
                .handler(|ctx: Context, _: NoArguments| async move {
                    let Name { name } = ctx.ask("user_name", Form::new("Who are you?")).await?;
                    ctx.start_task("working").await?;
                    Ok(Output::text(format!("Hello, {name}!")))
                }),
        )
}
