//! `tools/call`.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use pm_mcp_domain::cursor::ParamsDigest;
use pm_mcp_domain::fault::{ArgumentFault, Refusal, Rejection};
use pm_mcp_domain::header::validate_param_headers;
use pm_mcp_domain::request::{Binding, ClientCapability, Retry};
use pm_mcp_domain::task::JsonObject;
use pm_mcp_domain::wire::{CallToolResult, CreatedTask, Rendered, ResultResponse};
use pm_mcp_ports::driving::{Outbox, Served};
use pm_mcp_ports::feature::{self, HandlerFault, Offer, ResultMut};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use thiserror::Error;

use crate::answer::answer;
use crate::catalogue::{Execution, ToolEntry};
use crate::core::Core;
use crate::exchange::{Driven, Exchange, HandlerFuture, Left, Request, TaskWish};
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
    /// Serves a call. What is ready at once, as most calls are, is done within one poll and leaves nothing to be kept.
    pub(crate) async fn call_tool(
        &self,
        asked: Asked<'_>,
        retry: &Retry<'_>,
        binding: Binding<'_>,
        outbox: &mut dyn Outbox,
    ) -> Result<Served, Failure> {
        if !retry.is_none() {
            return Box::pin(self.call_again(asked, retry, binding, outbox)).await;
        }
        // What begins here ends with the statement, so that it is not kept beside the rest.
        let rest: Pin<Box<dyn Future<Output = Result<Served, Failure>> + Send + '_>> =
            match poll_fn(|task| Poll::Ready(self.begin(asked, binding, task))).await? {
                Begun::Ended(served) => return Ok(served),
                Begun::Working(working) => Box::pin(self.go_on_working(*working, outbox)),
                Begun::Checked(call) => Box::pin(self.work(*call, outbox)),
            };
        rest.await
    }

    /// Checks a first call and, where it stays with its request, polls its handler once.
    fn begin<'c>(
        &'c self,
        asked: Asked<'c>,
        binding: Binding<'_>,
        task: &mut Context<'_>,
    ) -> Result<Begun<'c>, Failure> {
        let Checked { entry, place, values } = self.check(asked, binding)?;
        let exchange = self.first_exchange();
        match place {
            Place::Request => {
                let context = feature::Context::new(Arc::clone(&exchange) as Arc<_>);
                let mut work = Guarded::begin("the handler", || entry.handler.call(context, values))?;
                match Pin::new(&mut work).poll(task) {
                    Poll::Ready(done) if !exchange.wants_progress() => {
                        self.settle_call(asked, entry, &exchange, Driven::Done(done)).map(Begun::Ended)
                    }
                    first => Ok(Begun::Working(Box::new(Working { asked, entry, exchange, work, first }))),
                }
            }
            Place::Task { .. } => {
                Ok(Begun::Checked(Box::new(Call { asked, entry, place, exchange, values })))
            }
        }
    }

    /// Serves a call that goes on from an earlier round.
    async fn call_again(
        &self,
        asked: Asked<'_>,
        retry: &Retry<'_>,
        binding: Binding<'_>,
        outbox: &mut dyn Outbox,
    ) -> Result<Served, Failure> {
        let Checked { entry, place, values } = self.check(asked, binding)?;
        let exchange = self.exchange(retry, || ParamsDigest::of_named(asked.name, &values)).await?;
        self.work(Call { asked, entry, place, exchange, values }, outbox).await
    }

    async fn work(&self, call: Call<'_>, outbox: &mut dyn Outbox) -> Result<Served, Failure> {
        let Call { asked, entry, place, exchange, values } = call;
        match place {
            Place::Request => {
                let context = feature::Context::new(Arc::clone(&exchange) as Arc<_>);
                let work = Guarded::begin("the handler", || entry.handler.call(context, values))?;
                let driven = self.drive(&exchange, pin!(work), outbox).await;
                self.settle_call(asked, entry, &exchange, driven)
            }
            Place::Task { at_once, budget } => {
                let call = Call { asked, entry, place, exchange, values };
                self.call_towards_task(call, at_once, budget, outbox).await
            }
        }
    }

    async fn go_on_working(&self, working: Working<'_>, outbox: &mut dyn Outbox) -> Result<Served, Failure> {
        let Working { asked, entry, exchange, work, first } = working;
        let work = pin!(work);
        let driven = self.stay(&exchange, work, first, outbox).await;
        self.settle_call(asked, entry, &exchange, driven)
    }

    /// What a call asks for, if it may be made as it is.
    fn check<'c>(&'c self, asked: Asked<'_>, binding: Binding<'_>) -> Result<Checked<'c>, Failure> {
        let name = asked.name;
        let entry = self
            .surface
            .catalogue
            .tool(name)
            .filter(|_| self.shows(Offer::Tool(name)))
            .ok_or_else(|| Refusal::UnknownTool { name: name.to_owned() })?;
        if let Some(extension) = entry.needs {
            self.caller.capabilities.need_extension(extension)?;
        }
        let place = self.placement(entry)?;
        let values = asked.values()?;
        if let Binding::Http(headers) = binding {
            validate_param_headers(&entry.headers, &values, headers).map_err(Rejection::HeaderMismatch)?;
        }
        if !entry.input.is_valid(&values) {
            return Err(Refusal::InvalidArguments(faults(entry, &values)).into());
        }
        Ok(Checked { entry, place, values })
    }

    fn settle_call(
        &self,
        asked: Asked<'_>,
        entry: &ToolEntry,
        exchange: &Exchange,
        driven: Driven<CallToolResult>,
    ) -> Result<Served, Failure> {
        let check = |result: &mut CallToolResult| self.finish(asked.name, entry, result);
        self.settle(exchange, driven, || asked.digest(), check)
    }

    /// Lets a handler work that becomes a task, at once or when it is time.
    async fn call_towards_task(
        &self,
        call: Call<'_>,
        at_once: bool,
        budget: Option<Duration>,
        outbox: &mut dyn Outbox,
    ) -> Result<Served, Failure> {
        let Call { asked, entry, exchange, values, .. } = call;
        let name = asked.name;
        let handler = Arc::clone(&entry.handler);
        let context = feature::Context::new(Arc::clone(&exchange) as Arc<_>);
        let mut work: HandlerFuture<CallToolResult> =
            Box::pin(guard("the handler", async move { handler.call(context, values).await }));
        if at_once {
            return self.become_task(name, entry, None, &exchange, work).await;
        }
        exchange.allow_task();
        match self.drive_or_leave(&exchange, work.as_mut(), budget, outbox).await {
            Ok(driven) => self.settle_call(asked, entry, &exchange, driven),
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

/// What a call names, as it was sent.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) name: &'a str,
    pub(crate) arguments: Option<&'a RawValue>,
}

impl Asked<'_> {
    fn values(self) -> Result<Value, Refusal> {
        match self.arguments {
            None => Ok(Value::Object(Map::new())),
            Some(raw) => serde_json::from_str(raw.get()).map_err(unreadable),
        }
    }

    /// Of what later rounds of the operation must ask for, too.
    pub(crate) fn digest(self) -> ParamsDigest {
        ParamsDigest::of_named(self.name, &self.values().unwrap_or_default())
    }
}

/// A tool that may be called, with the arguments of the call.
struct Checked<'a> {
    entry: &'a ToolEntry,
    place: Place,
    values: Value,
}

/// A call that passed its checks.
struct Call<'a> {
    asked: Asked<'a>,
    entry: &'a ToolEntry,
    place: Place,
    exchange: Arc<Exchange>,
    values: Value,
}

/// A call whose handler was polled once.
struct Working<'a> {
    asked: Asked<'a>,
    entry: &'a ToolEntry,
    exchange: Arc<Exchange>,
    work: Guarded<'a, CallToolResult>,
    first: Poll<Result<CallToolResult, HandlerFault>>,
}

/// How far a call came within its first poll.
enum Begun<'a> {
    /// To its end.
    Ended(Served),
    /// To its handler, which waits for something or may have reported progress.
    Working(Box<Working<'a>>),
    /// To the point where its handler begins.
    Checked(Box<Call<'a>>),
}

/// Where a call works.
#[derive(Clone, Copy)]
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
