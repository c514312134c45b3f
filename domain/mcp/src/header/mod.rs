//! Which headers a Streamable HTTP request carries and what they may say.
//!
//! The transport mirrors a few members of the JSON-RPC body into headers so that machines between
//! client and server can route without parsing. That is safe only while header and body agree, so
//! a server refuses every request in which they do not (specification: basic/transports/
//! streamable-http, "Request Metadata"). Both sides are here as pure functions: a client builds
//! the headers with [`build_request_headers`], a server checks them with
//! [`validate_standard_headers`] and [`validate_param_headers`]. Header values decide nothing
//! else; no header is ever copied into a tool's arguments.
//!
//! Which HTTP library holds the headers is left to [`HeaderSource`].

mod annotation;
mod build;
mod encoding;
mod fault;
mod mirrored;
mod noted;
mod param;
mod source;
mod standard;
mod usable;

pub use annotation::{AnnotationFault, HeaderAnnotation, HeaderAnnotations, collect_header_annotations};
pub use build::{BuildHeadersError, build_request_headers};
pub use encoding::{HeaderValueFault, decode_header_value, encode_header_value};
pub use fault::{HeaderFault, describe_header_faults};
pub use noted::{KnownHeader, NotedHeaders};
pub use param::validate_param_headers;
pub use source::{Found, HeaderSource};
pub use standard::{MirroredBody, NameRule, validate_standard_headers};
pub use usable::{UnusableTool, UsableTool, usable_tools};

/// The header that repeats the protocol version of `_meta`.
pub const PROTOCOL_VERSION_HEADER: &str = "MCP-Protocol-Version";
/// The header that repeats the method.
pub const METHOD_HEADER: &str = "Mcp-Method";
/// The header that repeats the name or URI that the request is about.
pub const NAME_HEADER: &str = "Mcp-Name";
/// What the name of every header that repeats a tool argument begins with.
pub const PARAM_HEADER_PREFIX: &str = "Mcp-Param-";
