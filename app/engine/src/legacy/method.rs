//! The methods of the earlier era.

use pm_mcp_domain::request::Method;

/// A request method that the earlier revisions have and this server serves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LegacyMethod {
    /// `initialize`
    Initialize,
    /// `ping`
    Ping,
    /// `logging/setLevel`
    SetLevel,
    /// `resources/subscribe`
    Subscribe,
    /// `resources/unsubscribe`
    Unsubscribe,
    /// One that both eras have.
    Shared(Method),
}

impl LegacyMethod {
    /// Finds a method by its name on the wire. Tasks are none: those of 2025-11-25 were an experiment of another shape.
    pub(super) fn parse(name: &str) -> Option<Self> {
        match name {
            "initialize" => return Some(Self::Initialize),
            "ping" => return Some(Self::Ping),
            "logging/setLevel" => return Some(Self::SetLevel),
            "resources/subscribe" => return Some(Self::Subscribe),
            "resources/unsubscribe" => return Some(Self::Unsubscribe),
            _ => {}
        }
        let method = Method::parse(name)?;
        match method {
            Method::ListTools
            | Method::CallTool
            | Method::ListResources
            | Method::ListResourceTemplates
            | Method::ReadResource
            | Method::ListPrompts
            | Method::GetPrompt
            | Method::Complete => Some(Self::Shared(method)),
            Method::Discover
            | Method::Listen
            | Method::GetTask
            | Method::UpdateTask
            | Method::CancelTask
            | Method::Extension(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_the_current_revision_has_is_unknown_to_the_earlier_ones() {
        for name in ["server/discover", "subscriptions/listen", "tasks/get", "tasks/list", "PING", ""] {
            assert_eq!(LegacyMethod::parse(name), None, "{name}");
        }
        assert_eq!(LegacyMethod::parse("tools/call"), Some(LegacyMethod::Shared(Method::CallTool)));
        assert_eq!(LegacyMethod::parse("ping"), Some(LegacyMethod::Ping));
    }
}
