//! Whether a skill was written for what serves it.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use serde_json::Value;

use super::entry::Skill;
use super::fault::SkillFault;
use crate::version::SUPPORTED_VERSIONS;

/// The key under which a skill's `metadata` names the revision of the protocol that it was written for.
const PROTOCOL_KEY: &str = "mcp-protocol";

/// What a skill may name in its `metadata` to say what it was written for: the revision of the protocol under
/// `mcp-protocol`, and products under their own names.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Compatibility(Vec<(String, String)>);

impl Compatibility {
    /// Nothing but the protocol.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds a product by its name and version, such as `pm-mcp` and `0.1.0`.
    #[must_use]
    pub fn with(mut self, product: impl Into<String>, version: impl Into<String>) -> Self {
        self.0.push((product.into(), version.into()));
        self
    }

    /// Whether `skill` may be published here. What it does not name fits. A version that it names fits when it is that of
    /// the product, or begins it up to a dot: `0.1` fits `0.1.7` and not `0.10.0`.
    ///
    /// # Errors
    ///
    /// [`SkillFault::Incompatible`] when the skill was written for another version.
    pub fn check(&self, skill: &Skill) -> Result<(), SkillFault> {
        let Some(Value::Object(metadata)) = skill.front_matter().get("metadata") else { return Ok(()) };
        let drift = |key: &str, wanted: &Value, found: &str| SkillFault::Incompatible {
            key: key.to_owned(),
            wanted: wanted.as_str().map_or_else(|| wanted.to_string(), str::to_owned),
            found: found.to_owned(),
        };
        if let Some(wanted) = metadata.get(PROTOCOL_KEY)
            && !wanted.as_str().is_some_and(|wanted| SUPPORTED_VERSIONS.contains(&wanted))
        {
            return Err(drift(PROTOCOL_KEY, wanted, &SUPPORTED_VERSIONS.join(", ")));
        }
        for (product, version) in &self.0 {
            if let Some(wanted) = metadata.get(product)
                && !wanted.as_str().is_some_and(|wanted| begins(version, wanted))
            {
                return Err(drift(product, wanted, version));
            }
        }
        Ok(())
    }
}

fn begins(version: &str, wanted: &str) -> bool {
    !wanted.is_empty()
        && version.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::string::ToString;

    use crate::skill::{SkillFiles, SkillLimits, SkillPath};

    #[test]
    fn what_was_written_for_something_else_is_not_published() {
        let here = Compatibility::new().with("pm-mcp", "0.1.7");
        for (metadata, fits) in [
            (json!(null), true),
            (json!({}), true),
            (json!({"other": "9"}), true),
            (json!({"mcp-protocol": "2026-07-28", "pm-mcp": "0.1"}), true),
            (json!({"pm-mcp": "0.1.7"}), true),
            (json!({"pm-mcp": "0"}), true),
            (json!({"mcp-protocol": "2025-11-25"}), false),
            (json!({"mcp-protocol": 2026}), false),
            (json!({"pm-mcp": "0.1.70"}), false),
            (json!({"pm-mcp": "0.10"}), false),
            (json!({"pm-mcp": "0.1."}), false),
            (json!({"pm-mcp": 0.1}), false),
            (json!({"pm-mcp": ""}), false),
        ] {
            let front_matter = json!({"name": "a", "description": "A.", "metadata": metadata});
            let Value::Object(front_matter) = front_matter else { panic!("an object") };
            let path = SkillPath::parse("a").unwrap();
            let skill =
                Skill::new(path, front_matter, SkillFiles::Dynamic(Vec::new()), &SkillLimits::default())
                    .unwrap();
            assert_eq!(here.check(&skill).is_ok(), fits, "{metadata}");
        }
        let fault =
            SkillFault::Incompatible { key: "pm-mcp".into(), wanted: "0.2".into(), found: "0.1.7".into() };
        assert_eq!(fault.to_string(), "the skill is for pm-mcp 0.2, and this is 0.1.7");
    }
}
