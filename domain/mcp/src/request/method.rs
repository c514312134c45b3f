//! The methods of the revision that this library serves.

use crate::extension::{ExtensionId, ExtensionMethod};

/// A request method. What is not here is unknown, the methods that earlier revisions had among it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Method {
    /// `server/discover`
    Discover,
    /// `tools/list`
    ListTools,
    /// `tools/call`
    CallTool,
    /// `resources/list`
    ListResources,
    /// `resources/templates/list`
    ListResourceTemplates,
    /// `resources/read`
    ReadResource,
    /// `prompts/list`
    ListPrompts,
    /// `prompts/get`
    GetPrompt,
    /// `completion/complete`
    Complete,
    /// `subscriptions/listen`
    Listen,
    /// `tasks/get`
    GetTask,
    /// `tasks/update`
    UpdateTask,
    /// `tasks/cancel`
    CancelTask,
    /// One that an extension of the server's adds.
    Extension(ExtensionMethod),
}

impl Method {
    /// Every method but those of a server's own extensions, for tables and tests.
    pub const ALL: &'static [Self] = &[
        Self::Discover,
        Self::ListTools,
        Self::CallTool,
        Self::ListResources,
        Self::ListResourceTemplates,
        Self::ReadResource,
        Self::ListPrompts,
        Self::GetPrompt,
        Self::Complete,
        Self::Listen,
        Self::GetTask,
        Self::UpdateTask,
        Self::CancelTask,
    ];

    /// Finds a method by its name on the wire, letter for letter; those of a server's own extensions are in its
    /// [`Extensions`](crate::extension::Extensions).
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "server/discover" => Self::Discover,
            "tools/list" => Self::ListTools,
            "tools/call" => Self::CallTool,
            "resources/list" => Self::ListResources,
            "resources/templates/list" => Self::ListResourceTemplates,
            "resources/read" => Self::ReadResource,
            "prompts/list" => Self::ListPrompts,
            "prompts/get" => Self::GetPrompt,
            "completion/complete" => Self::Complete,
            "subscriptions/listen" => Self::Listen,
            "tasks/get" => Self::GetTask,
            "tasks/update" => Self::UpdateTask,
            "tasks/cancel" => Self::CancelTask,
            _ => return None,
        })
    }

    /// The method's name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Discover => "server/discover",
            Self::ListTools => "tools/list",
            Self::CallTool => "tools/call",
            Self::ListResources => "resources/list",
            Self::ListResourceTemplates => "resources/templates/list",
            Self::ReadResource => "resources/read",
            Self::ListPrompts => "prompts/list",
            Self::GetPrompt => "prompts/get",
            Self::Complete => "completion/complete",
            Self::Listen => "subscriptions/listen",
            Self::GetTask => "tasks/get",
            Self::UpdateTask => "tasks/update",
            Self::CancelTask => "tasks/cancel",
            Self::Extension(method) => method.as_str(),
        }
    }

    /// The extension that the method belongs to; none for those of the core.
    pub const fn extension(self) -> Option<ExtensionId> {
        match self {
            Self::GetTask | Self::UpdateTask | Self::CancelTask => Some(ExtensionId::TASKS),
            Self::Extension(method) => Some(method.extension()),
            Self::Discover
            | Self::ListTools
            | Self::CallTool
            | Self::ListResources
            | Self::ListResourceTemplates
            | Self::ReadResource
            | Self::ListPrompts
            | Self::GetPrompt
            | Self::Complete
            | Self::Listen => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_is_found_by_its_own_name() {
        for method in Method::ALL {
            assert_eq!(Method::parse(method.as_str()), Some(*method));
        }
    }

    #[test]
    fn methods_of_earlier_revisions_are_unknown() {
        for name in
            ["initialize", "ping", "logging/setLevel", "resources/subscribe", "tasks/list", "TOOLS/LIST"]
        {
            assert_eq!(Method::parse(name), None, "{name}");
        }
    }
}
