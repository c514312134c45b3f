//! What a task is doing.

use alloc::string::String;
use alloc::vec::Vec;

use crate::request::Method;

/// The operation that became a task, so that whoever asks for the task needs the scopes that the operation needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// The method of the request.
    pub method: Method,
    /// The name that the request called.
    pub name: String,
    /// The scopes that the request needed.
    pub scopes: Vec<String>,
}

impl Operation {
    /// A call of the tool `name`, which needs `scopes`.
    pub fn call_tool(name: impl Into<String>, scopes: impl IntoIterator<Item = String>) -> Self {
        Self { method: Method::CallTool, name: name.into(), scopes: scopes.into_iter().collect() }
    }
}
