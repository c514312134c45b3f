//! Refusals before dispatch, and the table that gives each its code, HTTP status, words and data.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;

use super::code::ErrorCode;
use crate::extension::ExtensionId;
use crate::header::HeaderFault;
use crate::limit::Limit;
use crate::request::{ClientCapability, JsonKind, MetaFault};
use crate::version::SUPPORTED_VERSIONS;

/// A parameter that a method cannot work with, found before anything is looked up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamFault {
    /// A required member is missing.
    Missing(&'static str),
    /// A member has the wrong JSON type; `wanted` says which it needs.
    WrongType {
        /// The member's path below `params`.
        member: &'static str,
        /// What it must be, in words.
        wanted: &'static str,
    },
    /// A member is given twice.
    Twice(&'static str),
}

impl fmt::Display for ParamFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(member) => write!(f, "params.{member} is missing"),
            Self::WrongType { member, wanted } => write!(f, "params.{member} must be {wanted}"),
            Self::Twice(member) => write!(f, "params.{member} is given twice"),
        }
    }
}

/// Why a message is refused. Closed on purpose: a new reason does not compile until the table places it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rejection {
    /// The text is not JSON.
    Parse {
        /// Line of the fault, from 1.
        line: usize,
        /// Column of the fault, from 1.
        column: usize,
    },
    /// The bytes are not UTF-8.
    NotUtf8,
    /// Arrays and objects stand too deep within one another.
    TooDeep {
        /// How deep they may stand.
        limit: usize,
    },
    /// The message is longer than the server reads.
    TooLarge {
        /// How many bytes it may have.
        limit: usize,
    },
    /// The message is an array; batches are no longer part of the protocol.
    Batch,
    /// The message is some other JSON value than an object.
    NotAnObject(JsonKind),
    /// `jsonrpc` is not the string `2.0`.
    JsonRpcVersion,
    /// The id is neither a string nor a whole number.
    InvalidId,
    /// Another request with this id is being served on the same channel.
    IdInUse,
    /// `method` is missing or not a string.
    NoMethod,
    /// The message is a response; this server asks nothing by request.
    Response,
    /// A member of the message is given twice.
    Twice(&'static str),
    /// The method is unknown, or one that an earlier revision had.
    MethodNotFound {
        /// The method as it was sent.
        method: String,
    },
    /// `params._meta` does not say what it must.
    InvalidMeta(Vec<MetaFault>),
    /// Headers are missing or disagree with the body.
    HeaderMismatch(Vec<HeaderFault>),
    /// The claimed revision is not supported.
    UnsupportedVersion {
        /// The revision that was asked for.
        requested: String,
    },
    /// The operation needs a capability that this request does not declare.
    MissingCapability(ClientCapability),
    /// The request uses an extension that it declares with settings that are of no use.
    ExtensionSettings {
        /// The extension.
        id: ExtensionId,
        /// What is wrong with the settings and what would fit.
        reason: String,
    },
    /// The parameters have the wrong shape.
    InvalidParams(ParamFault),
    /// As many requests are being served as may be.
    Busy {
        /// [`Limit::Requests`], or the one of the principal.
        limit: Limit,
        /// How many there may be.
        most: usize,
    },
}

impl Rejection {
    /// The error code on the wire.
    pub const fn code(&self) -> ErrorCode {
        match self {
            Self::Parse { .. } | Self::NotUtf8 => ErrorCode::PARSE,
            Self::TooDeep { .. }
            | Self::TooLarge { .. }
            | Self::Batch
            | Self::NotAnObject(_)
            | Self::JsonRpcVersion
            | Self::InvalidId
            | Self::IdInUse
            | Self::NoMethod
            | Self::Response
            | Self::Twice(_) => ErrorCode::INVALID_REQUEST,
            Self::MethodNotFound { .. } => ErrorCode::METHOD_NOT_FOUND,
            Self::InvalidMeta(_) | Self::ExtensionSettings { .. } | Self::InvalidParams(_) => {
                ErrorCode::INVALID_PARAMS
            }
            Self::HeaderMismatch(_) => ErrorCode::HEADER_MISMATCH,
            Self::Busy { .. } => ErrorCode::INTERNAL,
            Self::UnsupportedVersion { .. } => ErrorCode::UNSUPPORTED_VERSION,
            Self::MissingCapability(_) => ErrorCode::MISSING_CAPABILITY,
        }
    }

    /// The HTTP status on the Streamable HTTP binding.
    pub const fn http_status(&self) -> u16 {
        match self {
            Self::MethodNotFound { .. } => 404,
            Self::TooLarge { .. } => 413,
            Self::Busy { limit: Limit::RequestsPerPrincipal, .. } => 429,
            Self::Busy { .. } => 503,
            Self::Parse { .. }
            | Self::NotUtf8
            | Self::TooDeep { .. }
            | Self::Batch
            | Self::NotAnObject(_)
            | Self::JsonRpcVersion
            | Self::InvalidId
            | Self::IdInUse
            | Self::NoMethod
            | Self::Response
            | Self::Twice(_)
            | Self::InvalidMeta(_)
            | Self::InvalidParams(_)
            | Self::HeaderMismatch(_)
            | Self::UnsupportedVersion { .. }
            | Self::MissingCapability(_)
            | Self::ExtensionSettings { .. } => 400,
        }
    }

    /// The limit that was reached, if it is one.
    pub const fn limit(&self) -> Option<Limit> {
        match self {
            Self::TooDeep { .. } => Some(Limit::JsonDepth),
            Self::TooLarge { .. } => Some(Limit::FrameBytes),
            Self::Busy { limit, .. } => Some(*limit),
            Self::Parse { .. }
            | Self::NotUtf8
            | Self::Batch
            | Self::NotAnObject(_)
            | Self::JsonRpcVersion
            | Self::InvalidId
            | Self::IdInUse
            | Self::NoMethod
            | Self::Response
            | Self::Twice(_)
            | Self::MethodNotFound { .. }
            | Self::InvalidMeta(_)
            | Self::HeaderMismatch(_)
            | Self::UnsupportedVersion { .. }
            | Self::MissingCapability(_)
            | Self::ExtensionSettings { .. }
            | Self::InvalidParams(_) => None,
        }
    }

    /// The structured data that the revision ties to some errors.
    pub(super) fn data(&self) -> Option<RejectionData<'_>> {
        match self {
            Self::UnsupportedVersion { requested } => Some(RejectionData::Versions { requested }),
            Self::MissingCapability(capability) => Some(RejectionData::Capability(*capability)),
            Self::Parse { .. }
            | Self::NotUtf8
            | Self::TooDeep { .. }
            | Self::TooLarge { .. }
            | Self::Batch
            | Self::NotAnObject(_)
            | Self::JsonRpcVersion
            | Self::InvalidId
            | Self::IdInUse
            | Self::NoMethod
            | Self::Response
            | Self::Twice(_)
            | Self::MethodNotFound { .. }
            | Self::InvalidMeta(_)
            | Self::HeaderMismatch(_)
            | Self::ExtensionSettings { .. }
            | Self::InvalidParams(_)
            | Self::Busy { .. } => None,
        }
    }
}

impl fmt::Display for Rejection {
    /// What is wrong and what to change; several faults of one request together.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parse { line, column } => write!(f, "not JSON: line {line}, column {column}"),
            Self::NotUtf8 => f.write_str("not JSON: the message is not UTF-8"),
            Self::TooDeep { limit } => {
                write!(f, "the message is nested deeper than {limit} levels (limit {})", Limit::JsonDepth)
            }
            Self::TooLarge { limit } => {
                write!(f, "the message is larger than {limit} bytes (limit {})", Limit::FrameBytes)
            }
            Self::Batch => f.write_str("batches are not supported: send each message by itself"),
            Self::NotAnObject(kind) => write!(f, "a message must be a JSON object, not {kind}"),
            Self::JsonRpcVersion => f.write_str("jsonrpc must be \"2.0\""),
            Self::InvalidId => f.write_str("id must be a string or a whole number"),
            Self::IdInUse => f.write_str("another request with this id is being served; give each its own"),
            Self::NoMethod => f.write_str("method must be a string"),
            Self::Response => f.write_str("this server sends no requests, so it takes no responses"),
            Self::Twice(member) => write!(f, "{member} is given twice"),
            Self::MethodNotFound { method } => {
                write!(f, "method not found: {}", Excerpt(method))?;
                if method == "initialize" {
                    write!(
                        f,
                        "; this server has no handshake: send each request with its own _meta, \
                         supported versions: {}",
                        SUPPORTED_VERSIONS.join(", ")
                    )?;
                }
                Ok(())
            }
            Self::InvalidMeta(faults) => write_all(f, faults),
            Self::HeaderMismatch(faults) => write_all(f, faults),
            Self::UnsupportedVersion { requested } => write!(
                f,
                "protocol version {} is not supported; supported: {}",
                Excerpt(requested),
                SUPPORTED_VERSIONS.join(", ")
            ),
            Self::MissingCapability(capability) => write!(
                f,
                "this operation needs a client capability that the request does not declare: {}",
                capability.as_json()
            ),
            Self::ExtensionSettings { id, reason } => {
                write!(f, "the declared settings of extension {id} cannot be used: {reason}")
            }
            Self::InvalidParams(fault) => fault.fmt(f),
            Self::Busy { limit, most } => {
                let whose = if *limit == Limit::RequestsPerPrincipal { " of one caller" } else { "" };
                write!(
                    f,
                    "{most} requests{whose} are being served, and that is all there may be (limit {limit}); try \
                     again when some are answered"
                )
            }
        }
    }
}

fn write_all<T: fmt::Display>(f: &mut fmt::Formatter<'_>, faults: &[T]) -> fmt::Result {
    for (position, fault) in faults.iter().enumerate() {
        if position > 0 {
            f.write_str("; ")?;
        }
        fault.fmt(f)?;
    }
    Ok(())
}

/// Text of a peer, cut to a length that is safe to repeat.
pub(super) struct Excerpt<'a>(pub(super) &'a str);

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LIMIT: usize = 80;
        match self.0.char_indices().nth(LIMIT) {
            None => f.write_str(self.0),
            Some((end, _)) => write!(f, "{}…", self.0.get(..end).unwrap_or_default()),
        }
    }
}

pub(super) enum RejectionData<'a> {
    Versions { requested: &'a str },
    Capability(ClientCapability),
}

impl Serialize for RejectionData<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            Self::Versions { requested } => {
                map.serialize_entry("supported", SUPPORTED_VERSIONS)?;
                map.serialize_entry("requested", requested)?;
            }
            Self::Capability(capability) => {
                let json = capability.as_json();
                let required: &RawValue = serde_json::from_str(&json).map_err(serde::ser::Error::custom)?;
                map.serialize_entry("requiredCapabilities", required)?;
            }
        }
        map.end()
    }
}
