//! The numbers of a server, as operators read them.

use pm_mcp::{Limit, Server};

/// How often a limit was reached.
pub(crate) fn reached(server: &Server, limit: Limit) -> u64 {
    figure(server, "pm_mcp_limit_reached_total", Some(("limit", limit.name())))
}

/// The value of one figure.
pub(crate) fn figure(server: &Server, name: &str, label: Option<(&'static str, &'static str)>) -> u64 {
    let figures = server.figures();
    figures.iter().find(|figure| figure.name == name && figure.label == label).unwrap().value
}
