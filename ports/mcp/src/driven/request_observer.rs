//! Who watches requests from outside: measures and traces.

use std::fmt::Debug;

use pm_mcp_domain::fault::ErrorCode;
use pm_mcp_domain::trace::TraceContext;

/// Hears of every request that was read, and of its end. Without one, requests cost nothing more.
///
/// It is called on the path of the request: it must not wait, and a panic of it is one of the request.
pub trait RequestObserver: Debug + Send + Sync + 'static {
    /// A request begins. What is given back is told its end, or dropped when nobody waits for one any more.
    fn begin(&self, request: &ObservedRequest<'_>) -> Box<dyn RequestEnd>;

    /// A message was refused before it was known which method it asks for.
    fn refused(&self, code: ErrorCode);
}

/// What is known of a request when it begins.
#[derive(Clone, Copy, Debug)]
pub struct ObservedRequest<'a> {
    /// The method: one of the revision's, or of an extension that the server offers.
    pub method: &'static str,
    /// The binding it came by: `http` or `stdio`.
    pub binding: &'static str,
    /// The trace that the client says it belongs to.
    pub trace: &'a TraceContext,
}

/// Is told how a request ended.
pub trait RequestEnd: Send {
    /// It has ended.
    fn end(self: Box<Self>, outcome: RequestOutcome);
}

/// How a request ended, as its client sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(clippy::exhaustive_enums, reason = "whoever tells outcomes apart should hear of a new one")]
pub enum RequestOutcome {
    /// With a result; of a tool that failed, too.
    Result,
    /// With an error of this code.
    Error(ErrorCode),
    /// It was cancelled, or its client has gone.
    Cancelled,
}
