//! Extensions of a host's own.

use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::extension::{Declaration, ExtensionId};
use pm_mcp_domain::schema::{CheckedSchema, SchemaLimits};
use pm_mcp_engine::{ExtensionSpec, MethodSpec};
use pm_mcp_ports::feature::{Context, ExtensionHandler, HandlerFault, SettingsCheck};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use thiserror::Error;

use crate::builder::BuildError;
use crate::schema::schema_of;

/// Starts an extension, for [`ServerBuilder::extension`](crate::ServerBuilder::extension).
///
/// ```
/// use pm_mcp::schemars::JsonSchema;
/// use pm_mcp::serde::{Deserialize, Serialize};
/// use pm_mcp::serde_json::json;
/// use pm_mcp::{Context, ExtensionId, HandlerFault, Server, extension};
///
/// const GREETINGS: ExtensionId = ExtensionId::new("com.example/greetings");
///
/// /// What a client says of itself when it declares the extension.
/// #[derive(Deserialize)]
/// #[serde(crate = "pm_mcp::serde")]
/// struct ClientSettings {
///     #[serde(rename = "language", default)]
///     _language: Option<String>,
/// }
///
/// #[derive(Deserialize, JsonSchema)]
/// #[serde(crate = "pm_mcp::serde")]
/// #[schemars(crate = "pm_mcp::schemars")]
/// struct Greet {
///     name: String,
/// }
///
/// #[derive(Serialize, JsonSchema)]
/// #[serde(crate = "pm_mcp::serde")]
/// #[schemars(crate = "pm_mcp::schemars")]
/// struct Greeting {
///     text: String,
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = Server::builder("greeter", "1.0.0")
///     .extension(
///         extension(GREETINGS)
///             .settings(json!({"languages": ["en"]}))
///             .client_settings::<ClientSettings>()
///             .method("greetings/greet", |_: Context, params: Greet| async move {
///                 Ok::<_, HandlerFault>(Greeting { text: format!("Hello, {}!", params.name) })
///             }),
///     )
///     .build()?;
/// # let _ = server;
/// # Ok(())
/// # }
/// ```
pub fn extension(id: ExtensionId) -> ExtensionEntry {
    ExtensionEntry {
        id,
        settings: Value::Object(Map::new()),
        declaration: Declaration::Required,
        check: None,
        methods: Vec::new(),
    }
}

/// An extension of a host's own.
#[derive(Debug)]
pub struct ExtensionEntry {
    id: ExtensionId,
    settings: Value,
    declaration: Declaration,
    check: Option<Arc<dyn SettingsCheck>>,
    methods: Vec<Method>,
}

#[derive(Debug)]
struct Method {
    name: &'static str,
    params: Value,
    result: Value,
    handler: Arc<dyn ExtensionHandler>,
}

impl ExtensionEntry {
    /// What discovery says of the extension, a JSON object; empty unless told.
    #[must_use]
    pub fn settings(mut self, settings: Value) -> Self {
        self.settings = settings;
        self
    }

    /// Wants what a client declares to read as this type. Handlers find it, as it was sent, with
    /// [`Context::extension`].
    #[must_use]
    pub fn client_settings<T: DeserializeOwned + 'static>(self) -> Self {
        self.check_settings(|settings| {
            T::deserialize(Value::Object(settings.clone())).map(drop).map_err(|fault| fault.to_string())
        })
    }

    /// Looks at what a client declares; the words of a refusal say what would fit.
    #[must_use]
    pub fn check_settings<F>(mut self, check: F) -> Self
    where
        F: Fn(&Map<String, Value>) -> Result<(), String> + Send + Sync + 'static,
    {
        self.check = Some(Arc::new(CheckWith(check)));
        self
    }

    /// Opens the methods to requests that do not declare the extension; for extensions that give clients nothing to
    /// declare.
    #[must_use]
    pub fn without_declaration(mut self) -> Self {
        self.declaration = Declaration::Optional;
        self
    }

    /// Adds a method. Its parameters are checked against the schema of `P` before it runs, its result, which must be an
    /// object, against that of `R`. `P` knows nothing of `_meta`; take [`NoArguments`](crate::NoArguments) for none.
    #[must_use]
    pub fn method<P, R, F, Fut>(self, name: &'static str, serve: F) -> Self
    where
        P: DeserializeOwned + JsonSchema + Send + 'static,
        R: Serialize + JsonSchema + 'static,
        F: Fn(Context, P) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R, HandlerFault>> + Send + 'static,
    {
        self.raw_method(
            name,
            schema_of::<P>(),
            schema_of::<R>(),
            Arc::new(Typed { name, serve, types: PhantomData }),
        )
    }

    /// Adds a method with schemas and a handler of your own.
    #[must_use]
    pub fn raw_method(
        mut self,
        name: &'static str,
        params: Value,
        result: Value,
        handler: Arc<dyn ExtensionHandler>,
    ) -> Self {
        self.methods.push(Method { name, params, result, handler });
        self
    }

    pub(crate) fn into_spec(self) -> Result<ExtensionSpec, BuildError> {
        let Self { id, settings, declaration, check, methods } = self;
        let Value::Object(settings) = settings else { return Err(BuildError::ExtensionSettings(id)) };
        let limits = SchemaLimits::default();
        let methods = methods.into_iter().map(|Method { name, params, result, handler }| {
            let checked = |which, schema| {
                let fault = |source| BuildError::MethodSchema { method: name, which, source };
                CheckedSchema::from_value(schema, &limits).map_err(fault)
            };
            let (params, result) = (checked("params", params)?, checked("result", result)?);
            Ok(MethodSpec { name, params, result, handler })
        });
        let methods = methods.collect::<Result<_, BuildError>>()?;
        Ok(ExtensionSpec { id, settings, declaration, check, methods })
    }
}

/// A check from a closure.
struct CheckWith<F>(F);

impl<F> fmt::Debug for CheckWith<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CheckWith(..)")
    }
}

impl<F> SettingsCheck for CheckWith<F>
where
    F: Fn(&Map<String, Value>) -> Result<(), String> + Send + Sync + 'static,
{
    fn check(&self, settings: &Map<String, Value>) -> Result<(), String> {
        (self.0)(settings)
    }
}

/// A handler that reads its parameters into a type and writes its result from one.
struct Typed<P, R, F> {
    name: &'static str,
    serve: F,
    types: PhantomData<fn(P) -> R>,
}

impl<P, R, F> fmt::Debug for Typed<P, R, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Typed").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The result of an extension's method is no JSON object.
#[derive(Debug, Error)]
#[error("the result of method {0:?} is no object; give it a type with named members")]
struct NoObject(&'static str);

#[async_trait]
impl<P, R, F, Fut> ExtensionHandler for Typed<P, R, F>
where
    P: DeserializeOwned + Send + 'static,
    R: Serialize + 'static,
    F: Fn(Context, P) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<R, HandlerFault>> + Send + 'static,
{
    async fn call(
        &self,
        context: Context,
        params: Map<String, Value>,
    ) -> Result<Map<String, Value>, HandlerFault> {
        // The schema let the parameters pass; a type can still be narrower than its schema.
        let params = P::deserialize(Value::Object(params))
            .map_err(|fault| HandlerFault::InvalidArgument(format!("params: {fault}")))?;
        let result = (self.serve)(context, params);
        let written = { serde_json::to_value(result.await?) };
        match written.map_err(HandlerFault::internal)? {
            Value::Object(result) => Ok(result),
            _ => Err(HandlerFault::internal(NoObject(self.name))),
        }
    }
}
