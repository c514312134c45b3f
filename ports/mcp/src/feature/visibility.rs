//! What a caller may know of.

use std::fmt::Debug;
use std::sync::Arc;

use super::context::Caller;

/// Something that a server offers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Offer<'a> {
    /// The tool with this name.
    Tool(&'a str),
    /// The resource with this URI.
    Resource(&'a str),
    /// This resource template. What is read by it has a URI of its own and is asked for as a resource too.
    Template(&'a str),
    /// The prompt with this name.
    Prompt(&'a str),
}

/// Decides what a caller may know of. What is not shown to a caller is neither listed nor called, read, completed or
/// listened to: to that caller it does not exist.
///
/// What a caller could gain by consent is a matter of scopes instead: it is shown, and answers with the scopes that it needs.
///
/// # Laws
///
/// - VI-01: callers of one class are shown the same, so that lists are kept for a class.
/// - VI-02: the answers depend on the arguments alone until the host publishes that its lists changed.
///
/// ```
/// use std::sync::Arc;
///
/// use pm_mcp_ports::feature::{Caller, Offer, Visibility};
///
/// /// Shows the tools of the staff to the staff only.
/// #[derive(Debug)]
/// struct Staff;
///
/// impl Visibility for Staff {
///     fn class(&self, caller: &Caller) -> Arc<str> {
///         let access = caller.access.as_deref();
///         let staff = access.is_some_and(|access| access.subject.ends_with("@company.example"));
///         if staff { "staff".into() } else { "guest".into() }
///     }
///
///     fn shows(&self, class: &str, offer: Offer<'_>) -> bool {
///         class == "staff" || !matches!(offer, Offer::Tool(name) if name.starts_with("staff_"))
///     }
/// }
/// ```
pub trait Visibility: Debug + Send + Sync + 'static {
    /// The class of a caller. There should be few: lists are kept for each.
    fn class(&self, caller: &Caller) -> Arc<str>;

    /// Whether callers of this class may know of the offer. It is asked in every call, so it should be quick.
    fn shows(&self, class: &str, offer: Offer<'_>) -> bool;
}
