//! Refusals of what a well-formed request names or hands over. All are invalid parameters, in band.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::Serialize;

use super::code::ErrorCode;
use super::rejection::Excerpt;
use crate::continuation::ContinuationRefusal;
use crate::cursor::CURSOR_REFUSED;

/// One argument that does not fit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ArgumentFault {
    /// JSON Pointer of the place below `arguments`; empty for all of them.
    pub pointer: String,
    /// What is wrong there and what would fit.
    pub message: String,
}

/// Why a well-formed request gets no result. Closed on purpose: a new reason does not compile until it is placed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// There is no such tool for this caller.
    UnknownTool {
        /// The name that was called.
        name: String,
    },
    /// There is no such prompt for this caller.
    UnknownPrompt {
        /// The name that was asked for.
        name: String,
    },
    /// There is no such resource for this caller.
    UnknownResource {
        /// The URI that was asked for.
        uri: String,
    },
    /// There is no such resource template for this caller.
    UnknownTemplate {
        /// The template that was named.
        template: String,
    },
    /// There is no such task for this caller: it never was, is another's, or its lifetime is over. It does not say which.
    UnknownTask,
    /// The arguments do not fit; some of the faults, the first ones.
    InvalidArguments(Vec<ArgumentFault>),
    /// The parameters of an extension's method do not fit; some of the faults, the first ones. Pointers are below `params`.
    InvalidParams(Vec<ArgumentFault>),
    /// The cursor is stale, made up, or belongs to another list or caller; it does not say which.
    InvalidCursor,
    /// The state of a continuation is refused; it does not say why.
    Continuation,
    /// A handler found that an argument cannot be used.
    Unusable(String),
}

impl Refusal {
    /// The error code on the wire.
    pub const fn code(&self) -> ErrorCode {
        match self {
            Self::UnknownTool { .. }
            | Self::UnknownPrompt { .. }
            | Self::UnknownResource { .. }
            | Self::UnknownTemplate { .. }
            | Self::UnknownTask
            | Self::InvalidArguments(_)
            | Self::InvalidParams(_)
            | Self::InvalidCursor
            | Self::Continuation
            | Self::Unusable(_) => ErrorCode::INVALID_PARAMS,
        }
    }

    /// The structured data of the error.
    pub(super) fn data(&self) -> Option<RefusalData<'_>> {
        match self {
            Self::UnknownResource { uri } => Some(RefusalData::Resource { uri }),
            Self::InvalidArguments(faults) | Self::InvalidParams(faults) => {
                Some(RefusalData::Arguments { faults })
            }
            Self::UnknownTool { .. }
            | Self::UnknownPrompt { .. }
            | Self::UnknownTemplate { .. }
            | Self::UnknownTask
            | Self::InvalidCursor
            | Self::Continuation
            | Self::Unusable(_) => None,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownTool { name } => write!(f, "unknown tool: {}", Excerpt(name)),
            Self::UnknownPrompt { name } => write!(f, "unknown prompt: {}", Excerpt(name)),
            Self::UnknownResource { .. } => f.write_str("resource not found"),
            Self::UnknownTemplate { template } => {
                write!(f, "unknown resource template: {}", Excerpt(template))
            }
            Self::UnknownTask => f.write_str("task not found"),
            Self::InvalidArguments(faults) => write_faults(f, "invalid arguments", faults),
            Self::InvalidParams(faults) => write_faults(f, "invalid params", faults),
            Self::InvalidCursor => f.write_str(CURSOR_REFUSED),
            Self::Continuation => f.write_str(ContinuationRefusal::MESSAGE),
            Self::Unusable(message) => f.write_str(message),
        }
    }
}

fn write_faults(f: &mut fmt::Formatter<'_>, what: &str, faults: &[ArgumentFault]) -> fmt::Result {
    f.write_str(what)?;
    for (position, fault) in faults.iter().enumerate() {
        f.write_str(if position == 0 { ": " } else { "; " })?;
        if !fault.pointer.is_empty() {
            write!(f, "{}: ", Excerpt(&fault.pointer))?;
        }
        f.write_str(&fault.message)?;
    }
    Ok(())
}

/// The data of a refusal.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum RefusalData<'a> {
    Resource { uri: &'a str },
    Arguments { faults: &'a [ArgumentFault] },
}
