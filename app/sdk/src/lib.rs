//! A framework for servers of the Model Context Protocol, revision `2026-07-28`.
//!
//! ```no_run
//! use pm_mcp::{Http, Output, Server, schemars::JsonSchema, serde::Deserialize, tool};
//!
//! #[derive(Deserialize, JsonSchema)]
//! #[serde(crate = "pm_mcp::serde")]
//! #[schemars(crate = "pm_mcp::schemars")]
//! struct Greet {
//!     /// Whom to greet.
//!     name: String,
//! }
//!
//! #[tokio::main]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let greet = tool("greet", "Greets somebody.")
//!         .handler(|_, args: Greet| async move { Ok(Output::text(format!("Hello, {}!", args.name))) });
//!     let server = Server::builder("greeter", "1.0.0").tool(greet).build()?;
//!     server.serve(Http::bind("127.0.0.1:3000")).await?;
//!     Ok(())
//! }
//! ```
//!
//! A manifest needs this crate and a runtime, `tokio`. `serde` and `schemars` may come from here, as above, or be
//! dependencies of your own; the two lines with `crate = "…"` go away then.
//!
//! Two features, both on by default, choose what is linked. `jsonschema` checks schemas with any keyword; without it plain
//! ones (types, properties, choices, bounds, references to definitions) are checked as before, and
//! [`ServerBuilder::build`] refuses others by the keyword's name. `http2` serves HTTP/2 with prior knowledge beside
//! HTTP/1.1.
//!
//! | To | Use |
//! |---|---|
//! | offer a tool | [`tool`], with typed arguments and an [`Output`] |
//! | offer a resource, a family of them, or ones that come and go | [`resource`], [`template`], [`ResourceSource`] |
//! | offer a prompt | [`prompt`] |
//! | know the caller, tell the time, page a list of your own | [`Context`] |
//! | ask the user or the model in the middle of the work | [`Context::ask`] with a [`Form`](struct@Form), [`Sampling`], [`Roots`] or [`OpenUrl`] |
//! | do long work, and say how far it is | [`ToolDraft::execution`], [`ServerBuilder::task_store`], [`Context::progress`] |
//! | tell who listens what has changed | [`Context::publish`], [`Server::publish`], [`Server::edit`] |
//! | limit, record or redact what is done | [`ServerBuilder::interceptor`], [`ToolDraft::interceptor`] with a [`TimeLimit`], a [`ConcurrencyLimit`], an [`AuditRecord`] or an [`Interceptor`] of your own |
//! | publish guides for models | [`ServerBuilder::skills`] with a [`SkillSource`] |
//! | add to the protocol | [`extension`], [`Context::extension`], [`ToolDraft::needs_extension`] |
//! | ask callers for tokens | [`ServerBuilder::token_verifier`] with a [`TokenVerifier`], [`ToolDraft::scope`] |
//! | show each caller what it may know of | [`ServerBuilder::visibility`] with a [`Visibility`] |
//! | say no | [`ToolError`] for a tool that ran and failed, [`HandlerFault`] for what is wrong with the request |
//! | serve | [`Stdio`], [`Http`], [`HttpEndpoint`] in a server that you have, or [`Server::service`] under a transport of your own |

mod access;
mod builder;
mod cursor;
mod edit;
mod extension;
mod form;
mod intercept;
mod output;
#[cfg(doctest)]
mod pages;
mod prompt;
mod resource;
mod schema;
mod server;
mod skills;
mod template;
mod tool;
mod transport;

pub use access::AccessFault;
pub use builder::{BuildError, ServerBuilder};
pub use cursor::Pages;
pub use edit::Edit;
pub use extension::{ExtensionEntry, extension};
pub use form::{Elicited, Form, FormChoice, FormContent, FormMember, FormOrDeclined};
pub use intercept::{AuditRecord, ConcurrencyLimit, TimeLimit};
pub use output::{Output, ToolError};
pub use prompt::{PromptDraft, PromptEntry, prompt};
pub use resource::{Read, ResourceDraft, ResourceEntry, ResourceRequest, resource};
pub use server::Server;
pub use template::{TemplateDraft, TemplateEntry, template};
pub use tool::{NoArguments, ToolDraft, ToolEntry, tool};
pub use transport::{LocalStdio, Shutdown, Transport};

/// For the code that the derive writes.
#[doc(hidden)]
pub mod __private {
    pub use crate::form::Derived;
}

pub use async_trait::async_trait;
pub use pm_mcp_derive::Form;
pub use pm_mcp_domain::access::{
    Authorized, Credential, Grant, Issuer, PresentedToken, Resource as ResourceUri, Scope, ScopeFault, Scopes,
};
pub use pm_mcp_domain::authorization::HttpUrl;
pub use pm_mcp_domain::cache::{CachePolicy, CacheScope};
pub use pm_mcp_domain::continuation::{
    Answer as InputAnswer, AnswerFault, ElicitAction, FormFault, FormSchema, Nonce, Question, QuestionFault,
};
pub use pm_mcp_domain::cursor::CursorPosition;
pub use pm_mcp_domain::extension::{ExtensionFault, ExtensionId, ExtensionMethod, ExtensionUse};
pub use pm_mcp_domain::fault::ErrorCode;
pub use pm_mcp_domain::header::{Found, HeaderSource};
pub use pm_mcp_domain::http::HttpPolicy;
pub use pm_mcp_domain::ident::Principal;
pub use pm_mcp_domain::limit::Limit;
pub use pm_mcp_domain::request::{
    Binding, ClientCapabilities, ClientCapability, ClientInfo, Embedding, Episode, Method, Provenance,
};
pub use pm_mcp_domain::schema::{SchemaFault, SchemaLimits, check_schema, nearest_name};
pub use pm_mcp_domain::skill::{
    Compatibility, ContentDigest, PathFault, Skill, SkillFault, SkillFile, SkillFilePath, SkillFiles,
    SkillLimits, SkillPath,
};
pub use pm_mcp_domain::subscription::{Change, TaskState, TaskStateError};
pub use pm_mcp_domain::task::{LifetimeError, LifetimeLimits, TaskLimits, TaskQuota};
pub use pm_mcp_domain::time::{TimeToLive, Timestamp};
pub use pm_mcp_domain::trace::{
    Baggage, BaggageKeyFault, BaggageKeys, TraceContext, TraceParent, TraceState,
};
pub use pm_mcp_domain::version::{PROTOCOL_VERSION, SUPPORTED_VERSIONS};
pub use pm_mcp_domain::wire::{
    Annotations, CallToolResult, Completion, ContentBlock, GetPromptResult, PeerRevision, PromptMessage,
    ReadResourceResult, Resource, ResourceContents, ResultKind, ResultKindFault, Role, ServerCapabilities,
    ToolAnnotations,
};
pub use pm_mcp_engine::trace;
pub use pm_mcp_engine::{
    BuildError as CatalogueError, Execution, HubLimits, Limits, ListCaches, RequestLimits, TaskSettings,
};
pub use pm_mcp_ports::driven::{
    Announcement, Applied, BackendError, ChangeBus, ChangeFeed, Clock, ConsumeError, CursorSigner, Entropy,
    EntropyUnavailable, Heard, ObservedRequest, PublishError, ReplayGuard, RequestEnd, RequestObserver,
    RequestOutcome, Retry, SealError, StateSealer, TaskStore, TokenVerifier, VerifyError, WorkerLiveness,
};
pub use pm_mcp_ports::driving::{
    Admission, Answer, Channel, Figure, FigureKind, Inbound, LimitCounts, McpDoor, McpService, MessageStream,
    Outbox, PeerGone, Served, StreamStep,
};
pub use pm_mcp_ports::feature::{
    Ask, Caller, Context, ExtensionHandler, HandlerFault, Interceptor, Offer, OpenUrl, Operation, Outcome,
    Pass, ProgressAmount, ProgressTotal, ResourcePage, ResourceSource, ResultMut, Roots, Sampling,
    SettingsCheck, SkillSource, StatusMessage, TimeBound, Visibility,
};
pub use pm_mcp_seal_ring::{EntropyError, HmacCursorSigner, KeyTooShort, RingSealer, SystemEntropy};
pub use pm_mcp_transport_stdio::{Stdio, StdioError, StdioLimits};
pub use pm_mcp_transport_warp::{BoundHttp, Http, HttpEndpoint, HttpError, HttpLimits};
pub use schemars;
pub use serde;
pub use serde_json;
