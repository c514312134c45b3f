//! Which tools are offered.

use thiserror::Error;

use super::name::ToolName;

/// Why a choice of tools cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// There is no such profile.
    #[error("there is no profile `{name}`; take core, standard, full or custom")]
    UnknownProfile {
        /// The name.
        name: String,
    },
    /// A list without a tool.
    #[error("the list of tools is empty; name at least one of {known}", known = known())]
    Empty,
    /// The list names what is no tool.
    #[error("there is no tool `{name}`; known are {known}", known = known())]
    UnknownTool {
        /// The name.
        name: String,
    },
}

/// A choice of tools.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_enums, reason = "there are three fixed choices and a free one")]
pub enum Profile {
    /// What working on items needs.
    Core,
    /// Also changes, the state of the installation and the graph.
    Standard,
    /// Everything.
    #[default]
    Full,
    /// Exactly these.
    Custom(Vec<ToolName>),
}

impl Profile {
    /// Reads the name of a profile, in any letter case; `tools` is the comma-separated list of a custom one and does
    /// not count otherwise.
    ///
    /// # Errors
    ///
    /// A [`ProfileError`] that names what is wrong and what would be right.
    pub fn parse(name: &str, tools: &str) -> Result<Self, ProfileError> {
        match name.trim().to_lowercase().as_str() {
            "core" => Ok(Self::Core),
            "standard" => Ok(Self::Standard),
            "full" => Ok(Self::Full),
            "custom" => custom(tools),
            _ => Err(ProfileError::UnknownProfile { name: name.to_owned() }),
        }
    }

    /// The tools of the profile, in the order in which they are listed.
    #[must_use]
    pub fn tools(&self) -> Vec<ToolName> {
        ToolName::ALL.into_iter().filter(|tool| self.has(*tool)).collect()
    }

    fn has(&self, tool: ToolName) -> bool {
        match self {
            Self::Full => true,
            Self::Custom(tools) => tools.contains(&tool),
            Self::Core | Self::Standard => match tool {
                ToolName::Context
                | ToolName::Next
                | ToolName::List
                | ToolName::Search
                | ToolName::Get
                | ToolName::Create
                | ToolName::Update
                | ToolName::Claim
                | ToolName::Release
                | ToolName::Close
                | ToolName::Comments
                | ToolName::Mutate
                | ToolName::Validate => true,
                ToolName::Events
                | ToolName::Files
                | ToolName::Focus
                | ToolName::Health
                | ToolName::Graph
                | ToolName::Test => *self == Self::Standard,
                ToolName::Import | ToolName::Reindex => false,
            },
        }
    }
}

fn custom(tools: &str) -> Result<Profile, ProfileError> {
    let mut chosen = Vec::new();
    for name in tools.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        match ToolName::parse(name) {
            Some(tool) => chosen.push(tool),
            None => return Err(ProfileError::UnknownTool { name: name.to_owned() }),
        }
    }
    if chosen.is_empty() { Err(ProfileError::Empty) } else { Ok(Profile::Custom(chosen)) }
}

fn known() -> String {
    ToolName::ALL.map(ToolName::name).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(profile: &str, tools: &str) -> String {
        match Profile::parse(profile, tools) {
            Ok(profile) => profile.tools().into_iter().map(ToolName::name).collect::<Vec<_>>().join(" "),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn profiles_hold_what_exists_of_their_sets() {
        assert_eq!(
            names("core", ""),
            "pm_context pm_next pm_list pm_search pm_get pm_create pm_update pm_claim pm_release pm_close pm_comments \
             pm_mutate pm_validate"
        );
        let standard = names("Standard", "");
        assert!(standard.contains("pm_test") && !standard.contains("pm_import"), "{standard}");
        assert_eq!(standard.split(' ').count(), ToolName::ALL.len() - 2);
        assert_eq!(names("full", "pm_nonsense").split(' ').count(), ToolName::ALL.len());
        assert_eq!(names("custom", " pm_get,pm_context, "), "pm_context pm_get");
    }

    #[test]
    fn an_unusable_choice_names_what_is_wrong_and_what_is_known() {
        let known = ToolName::ALL.map(ToolName::name).join(", ");
        assert_eq!(
            names("custom", " , "),
            format!("the list of tools is empty; name at least one of {known}")
        );
        assert_eq!(
            names("custom", "pm_get,pm_grab"),
            format!("there is no tool `pm_grab`; known are {known}")
        );
        assert_eq!(names("tiny", ""), "there is no profile `tiny`; take core, standard, full or custom");
    }
}
