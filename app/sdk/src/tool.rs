//! Tools.

use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::extension::ExtensionId;
use pm_mcp_domain::schema::{CheckedSchema, SchemaLimits};
use pm_mcp_domain::wire::{CallToolResult, Tool, ToolAnnotations};
use pm_mcp_engine::{Execution, ToolSpec};
use pm_mcp_ports::feature::{Context, HandlerFault, Interceptor, ToolHandler};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::access::{ConditionalScopes, EntryScopes};
use crate::builder::BuildError;
use crate::output::{Output, ToolError};
use crate::schema::{schema_of, with_single_types};

/// Starts a tool; [`ToolDraft::handler`] finishes it.
///
/// `name` has 1 to 128 characters of `A-Z a-z 0-9 _ . -`; `description` tells a model when to use the tool.
///
/// ```
/// use pm_mcp::{Output, Server, ToolError, schemars::JsonSchema, serde::Deserialize, tool};
///
/// #[derive(Deserialize, JsonSchema)]
/// #[serde(crate = "pm_mcp::serde")]
/// #[schemars(crate = "pm_mcp::schemars")]
/// struct Divide {
///     dividend: i64,
///     /// Not 0.
///     divisor: i64,
/// }
///
/// let divide = tool("divide", "Divides whole numbers.").read_only().handler(|_, args: Divide| async move {
///     // What a tool could not do is for the model to read.
///     let quotient = args.dividend.checked_div(args.divisor);
///     let quotient = quotient.ok_or_else(|| ToolError::failed("give a divisor other than 0"))?;
///     Ok(Output::json(quotient))
/// });
/// let server = Server::builder("demo", "1").tool(divide).build()?;
/// # let _ = server;
/// # Ok::<(), pm_mcp::BuildError>(())
/// ```
pub fn tool(name: impl Into<String>, description: impl Into<String>) -> ToolDraft {
    ToolDraft {
        name: name.into(),
        title: None,
        description: description.into(),
        input: None,
        output: None,
        annotations: ToolAnnotations::default(),
        limits: SchemaLimits::default(),
        execution: Execution::default(),
        asks_before_task: false,
        interceptors: Vec::new(),
        needs: None,
        scopes: EntryScopes::default(),
        conditional_scopes: ConditionalScopes::default(),
    }
}

/// A tool without its handler.
#[derive(Debug)]
pub struct ToolDraft {
    name: String,
    title: Option<String>,
    description: String,
    input: Option<Value>,
    output: Option<Value>,
    annotations: ToolAnnotations,
    limits: SchemaLimits,
    execution: Execution,
    asks_before_task: bool,
    interceptors: Vec<Arc<dyn Interceptor>>,
    needs: Option<ExtensionId>,
    scopes: EntryScopes,
    conditional_scopes: ConditionalScopes,
}

impl ToolDraft {
    /// The tool's name for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Hints on the tool's effects.
    #[must_use]
    pub fn annotations(mut self, annotations: ToolAnnotations) -> Self {
        self.annotations = annotations;
        self
    }

    /// Hints that the tool changes nothing.
    #[must_use]
    pub fn read_only(mut self) -> Self {
        self.annotations.read_only_hint = Some(true);
        self
    }

    /// Advertises this schema for the arguments instead of the one of the handler's type.
    #[must_use]
    pub fn input_schema(mut self, schema: Value) -> Self {
        self.input = Some(schema);
        self
    }

    /// Promises structured content of this type; a result that breaks the promise is an internal error.
    #[must_use]
    pub fn output<T: JsonSchema>(self) -> Self {
        self.output_schema(schema_of::<T>())
    }

    /// Promises structured content that fits this schema.
    #[must_use]
    pub fn output_schema(mut self, schema: Value) -> Self {
        self.output = Some(schema);
        self
    }

    /// Bounds for the tool's own schemas, where the default ones do not fit.
    #[must_use]
    pub fn schema_limits(mut self, limits: SchemaLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Where the tool runs: with its request unless told.
    #[must_use]
    pub fn execution(mut self, execution: Execution) -> Self {
        self.execution = execution;
        self
    }

    /// Lets a tool that runs as a task work on the request first, so that it can ask before there is a task. The handler
    /// says with [`Context::start_task`] when the task begins.
    #[must_use]
    pub fn asks_before_task(mut self) -> Self {
        self.asks_before_task = true;
        self
    }

    /// Puts something around every call of this tool, within what stands around every operation of the server. The first
    /// that is added is the outermost.
    #[must_use]
    pub fn interceptor(mut self, interceptor: impl Interceptor) -> Self {
        self.interceptors.push(Arc::new(interceptor));
        self
    }

    /// Lets only requests call the tool that declare this extension; others are refused with `-32021` before the tool runs.
    /// The tool is listed for everyone, so that a client can learn what to declare.
    #[must_use]
    pub fn needs_extension(mut self, id: ExtensionId) -> Self {
        self.needs = Some(id);
        self
    }

    /// Asks for these scopes, with spaces between, in every call. A caller without them is told all that its call needs.
    #[must_use]
    pub fn scope(mut self, scopes: &str) -> Self {
        self.scopes.add(scopes);
        self
    }

    /// Asks for these scopes, too, in calls whose arguments fit `when`. The arguments are as they were sent: nothing of
    /// them has been checked but that they are JSON.
    #[must_use]
    pub fn scope_when(mut self, scopes: &str, when: impl Fn(&Value) -> bool + Send + Sync + 'static) -> Self {
        self.conditional_scopes.add(scopes, when);
        self
    }

    /// Finishes the tool with what runs. `T` is the type of the arguments; take [`NoArguments`] for none and
    /// [`serde_json::Value`] with [`input_schema`](Self::input_schema) for raw ones.
    pub fn handler<T, F, Fut>(mut self, run: F) -> ToolEntry
    where
        T: DeserializeOwned + JsonSchema + Send + 'static,
        F: Fn(Context, T) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Output, ToolError>> + Send + 'static,
    {
        ToolEntry {
            input: self.input.take().unwrap_or_else(schema_of::<T>),
            handler: Arc::new(Typed { name: self.name.clone(), run, arguments: PhantomData }),
            draft: self,
        }
    }
}

/// The characters of a tool name that every client takes.
const LONGEST_STRICT_NAME: usize = 64;

/// What a server asks of its tools for the sake of clients that can do less than the revision allows.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct ToolProfile {
    /// Lists show their arguments with one type a member.
    pub(crate) single_types: bool,
    /// Their names are short and have no dots.
    pub(crate) strict_names: bool,
}

/// A tool, ready for [`ServerBuilder::tool`](crate::ServerBuilder::tool).
#[derive(Debug)]
pub struct ToolEntry {
    draft: ToolDraft,
    input: Value,
    handler: Arc<dyn ToolHandler>,
}

impl ToolEntry {
    /// The tool's name.
    pub fn name(&self) -> &str {
        &self.draft.name
    }

    pub(crate) fn into_spec(self, profile: ToolProfile) -> Result<ToolSpec, BuildError> {
        let Self { draft, input, handler } = self;
        let ToolDraft {
            name,
            title,
            description,
            output,
            annotations,
            limits,
            execution,
            asks_before_task,
            interceptors,
            needs,
            scopes,
            conditional_scopes,
            ..
        } = draft;
        if profile.strict_names && (name.len() > LONGEST_STRICT_NAME || name.contains('.')) {
            return Err(BuildError::StrictToolName(name));
        }
        let fault = |which| {
            let tool = name.clone();
            move |source| BuildError::Schema { tool, which, source }
        };
        let shown = profile.single_types.then(|| with_single_types(&input));
        let checked = |schema| CheckedSchema::tool_input_from_value(schema, &limits);
        let input_schema = checked(input).map_err(fault("input"))?;
        let shown_input = shown.map(checked).transpose().map_err(fault("input"))?;
        let output_schema = output.map(|schema| CheckedSchema::from_value(schema, &limits));
        let output_schema = output_schema.transpose().map_err(fault("output"))?;
        let tool =
            Tool { name, title, description: Some(description), input_schema, output_schema, annotations };
        let (scopes, argument_scopes) = (scopes.finish()?, conditional_scopes.finish()?);
        Ok(ToolSpec {
            tool,
            shown_input,
            handler,
            execution,
            asks_before_task,
            interceptors,
            needs,
            scopes,
            argument_scopes,
        })
    }
}

/// The arguments of a tool that takes none.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoArguments {}

/// A handler that reads its arguments into a type.
struct Typed<T, F> {
    name: String,
    run: F,
    arguments: PhantomData<fn(T)>,
}

impl<T, F> fmt::Debug for Typed<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Typed").field("name", &self.name).finish_non_exhaustive()
    }
}

#[async_trait]
impl<T, F, Fut> ToolHandler for Typed<T, F>
where
    T: DeserializeOwned + Send + 'static,
    F: Fn(Context, T) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Output, ToolError>> + Send + 'static,
{
    async fn call(&self, context: Context, arguments: Value) -> Result<CallToolResult, HandlerFault> {
        // The schema let the arguments pass; a type can still be narrower than its schema.
        let arguments =
            T::deserialize(arguments).map_err(|fault| HandlerFault::InvalidArgument(fault.to_string()))?;
        match (self.run)(context, arguments).await {
            Ok(output) => output.into_result(),
            Err(error) => error.into_result(),
        }
    }
}
