//! Which operations the ready-made limits bound.

use pm_mcp_domain::request::Method;
use pm_mcp_ports::feature::Operation;

/// Whether the host's own code works on an operation. Streams wait by their nature and have limits of their own; the
/// methods of tasks must get through while tasks hold all there is, or nobody could answer or cancel them.
pub(super) fn is_bounded(operation: &Operation) -> bool {
    match operation.method {
        Method::ListResources
        | Method::CallTool
        | Method::ReadResource
        | Method::GetPrompt
        | Method::Complete
        | Method::Extension(_) => true,
        Method::Discover
        | Method::ListTools
        | Method::ListResourceTemplates
        | Method::ListPrompts
        | Method::Listen
        | Method::GetTask
        | Method::UpdateTask
        | Method::CancelTask => false,
    }
}
