//! `tools/call`.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use pm_mcp_domain::fault::{ArgumentFault, Refusal, Rejection};
use pm_mcp_domain::header::validate_param_headers;
use pm_mcp_domain::request::{Binding, ClientCapability, Retry};
use pm_mcp_domain::task::JsonObject;
use pm_mcp_domain::wire::{CallToolResult, CreatedTask, Rendered, ResultResponse};
use pm_mcp_ports::driving::{Outbox, Served};
use pm_mcp_ports::feature::{Context, HandlerFault, Offer, ResultMut};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use thiserror::Error;

use crate::answer::answer;
use crate::catalogue::{Execution, ToolEntry};
use crate::core::Core;
use crate::exchange::{Exchange, HandlerFuture, Left, Request, TaskWish};
use crate::failure::Failure;
use crate::tasks::{Tasks, Work};
use crate::unwind::{Guarded, guard};

/// How many violations one refusal tells.
const VIOLATIONS: usize = 8;

/// A tool's result breaks the tool's own output schema.
#[derive(Debug, Error)]
#[error("the result of tool {tool:?} does not match its output schema: {violation}")]
struct OutputMismatch {
    tool: String,
    violation: String,
}

impl Request<'_> {
    pub(crate) async fn call_tool(
        &self,
        name: &str,
        arguments: Option<&RawValue>,
        retry: &Retry<'_>,
        binding: Binding<'_>,
        outbox: &mut dyn Outbox,
    ) -> Result<Served, Failure> {
        let entry = self
            .surface
            .catalogue
            .tool(name)
            .filter(|_| self.shows(Offer::Tool(name)))
            .ok_or_else(|| Refusal::UnknownTool { name: name.to_owned() })?;
        if let Some(extension) = entry.needs {
            self.caller.capabilities.need_extension(extension)?;
        }
        let placement = self.placement(entry)?;
        let read = move || match arguments {
            None => Ok(Value::Object(Map::new())),
            Some(raw) => serde_json::from_str(raw.get()).map_err(unreadable),
        };
        let values = read()?;
        if let Binding::Http(headers) = binding {
            validate_param_headers(&entry.headers, &values, headers).map_err(Rejection::HeaderMismatch)?;
        }
        if !entry.input.is_valid(&values) {
            return Err(Refusal::InvalidArguments(faults(entry, &values)).into());
        }
        let parameters = move || json!({"name": name, "arguments": read().unwrap_or_default()});
        let exchange = self.exchange(retry, parameters).await?;
        match placement {
            Place::Request => {
                let context = Context::new(Arc::clone(&exchange) as Arc<_>);
                let work = pin!(Guarded::begin("the handler", || entry.handler.call(context, values))?);
                let driven = self.drive(&exchange, work, outbox).await;
                self.settle(&exchange, driven, parameters, |result| self.finish(name, entry, result))
            }
            // Boxed, because a future is as large as its largest branch and most calls stay with their request.
            Place::Task { at_once, budget } => {
                let call = Call { name, entry, exchange, values };
                Box::pin(self.call_towards_task(call, at_once, budget, parameters, outbox)).await
            }
        }
    }

    /// Lets a handler work that becomes a task, at once or when it is time.
    async fn call_towards_task(
        &self,
        call: Call<'_>,
        at_once: bool,
        budget: Option<Duration>,
        parameters: impl Fn() -> Value + Copy,
        outbox: &mut dyn Outbox,
    ) -> Result<Served, Failure> {
        let Call { name, entry, exchange, values } = call;
        let handler = Arc::clone(&entry.handler);
        let context = Context::new(Arc::clone(&exchange) as Arc<_>);
        let mut work: HandlerFuture<CallToolResult> =
            Box::pin(guard("the handler", async move { handler.call(context, values).await }));
        if at_once {
            return self.become_task(name, entry, None, &exchange, work).await;
        }
        exchange.allow_task();
        match self.drive_or_leave(&exchange, work.as_mut(), budget, outbox).await {
            Ok(driven) => {
                self.settle(&exchange, driven, parameters, |result| self.finish(name, entry, result))
            }
            Err(left) => {
                let wish = match left {
                    Left::Wish(wish) => Some(wish),
                    Left::Budget => None,
                };
                self.become_task(name, entry, wish, &exchange, work).await
            }
        }
    }

    /// Shows a result to the interceptors, then holds it against the tool's promise.
    fn finish(&self, name: &str, entry: &ToolEntry, result: &mut CallToolResult) -> Result<(), HandlerFault> {
        self.alter(ResultMut::Tool(result))?;
        check_against(name, entry.output.as_deref(), result)
    }

    /// Where a call works, from the tool's declaration and what the client can do.
    fn placement(&self, entry: &ToolEntry) -> Result<Place, Rejection> {
        let settings = self.core.tasks.as_deref().map(Tasks::settings);
        let declared = self.caller.capabilities.declares(ClientCapability::TASKS);
        match (entry.execution, settings) {
            (Execution::Inline, _) => Ok(Place::Request),
            (Execution::TaskOnly, Some(_)) if !declared => {
                Err(Rejection::MissingCapability(ClientCapability::TASKS))
            }
            (_, None) => Ok(Place::Request),
            (_, Some(_)) if !declared => Ok(Place::Request),
            (Execution::Adaptive, Some(settings)) => {
                Ok(Place::Task { at_once: false, budget: Some(settings.inline_budget) })
            }
            (Execution::Task | Execution::TaskOnly, Some(_)) => {
                Ok(Place::Task { at_once: !entry.asks_before_task, budget: None })
            }
        }
    }

    /// Stores a task, hands the work over to it and answers with its handle. The record is durable before the handle
    /// leaves; the handler hears whether it is.
    async fn become_task(
        &self,
        name: &str,
        entry: &ToolEntry,
        wish: Option<TaskWish>,
        exchange: &Arc<Exchange>,
        work: HandlerFuture<CallToolResult>,
    ) -> Result<Served, Failure> {
        let Some(tasks) = &self.core.tasks else {
            return Err(HandlerFault::internal("there is no task store").into());
        };
        let (message, granted) = wish.map_or((None, None), |wish| (wish.message, Some(wish.granted)));
        let task = tasks.create(&self.caller.principal, name, &self.needs, message).await?;
        let core = Arc::clone(&self.core);
        let tool = name.to_owned();
        let output = entry.output.clone();
        let (watch, work) = match &self.watch {
            None => (None, work),
            Some(watch) => (Some(Arc::clone(watch)), watch.becomes_task(task.id().as_str(), work)),
        };
        let around = watch.clone();
        let finish = move |mut result: CallToolResult| {
            if let Some(watch) = around {
                watch.alter(ResultMut::Tool(&mut result))?;
            }
            check_against(&tool, output.as_deref(), &mut result)?;
            render(&core, &result)
        };
        let exchange = Arc::clone(exchange);
        tasks.run(&task, Work { exchange, future: work, finish: Box::new(finish), watch });
        if let Some(granted) = granted {
            granted.send(Ok(())).unwrap_or_default();
        }
        let body = CreatedTask(&task);
        answer(&ResultResponse::of(self.id, &self.core.identity, &body)).map(Served::Answered)
    }
}

/// A call that passed its checks.
struct Call<'a> {
    name: &'a str,
    entry: &'a ToolEntry,
    exchange: Arc<Exchange>,
    values: Value,
}

/// Where a call works.
enum Place {
    /// With its request, to the end.
    Request,
    /// In a task: at once, when the handler wishes, or when the budget is used up.
    Task { at_once: bool, budget: Option<Duration> },
}

/// The result as a task keeps it: what the request would have been answered with.
fn render(core: &Core, result: &CallToolResult) -> Result<JsonObject, HandlerFault> {
    let rendered = Rendered::new(&core.identity, result).map_err(HandlerFault::internal)?;
    JsonObject::parse(rendered.as_json()).map_err(HandlerFault::internal)
}

/// The text is JSON, but it holds what no value can: a number out of range or half a surrogate pair.
pub(crate) fn unreadable(fault: serde_json::Error) -> Refusal {
    Refusal::Unusable(format!("params.arguments cannot be read: {fault}"))
}

fn faults(entry: &ToolEntry, arguments: &Value) -> Vec<ArgumentFault> {
    entry
        .input
        .violations(arguments, VIOLATIONS)
        .into_iter()
        .map(|violation| ArgumentFault { pointer: violation.pointer, message: violation.message })
        .collect()
}

/// A result that breaks the tool's promise never leaves as a success.
fn check_against(
    name: &str,
    schema: Option<&dyn pm_mcp_ports::driven::CompiledSchema>,
    result: &mut CallToolResult,
) -> Result<(), HandlerFault> {
    let Some(schema) = schema else { return Ok(()) };
    if result.is_error {
        return Ok(());
    }
    let violation = match &result.structured_content {
        None => "there is no structured content".to_owned(),
        Some(content) if schema.is_valid(content) => return Ok(()),
        Some(content) => schema
            .violations(content, 1)
            .pop()
            .map_or_else(String::new, |violation| format!("{} {}", violation.pointer, violation.message)),
    };
    Err(HandlerFault::internal(OutputMismatch { tool: name.to_owned(), violation }))
}
