//! Skills, an extension (`io.modelcontextprotocol/skills`).

/// The identifier of the extension.
pub const SKILLS_EXTENSION: &str = "io.modelcontextprotocol/skills";
