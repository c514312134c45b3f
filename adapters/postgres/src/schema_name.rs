//! The name of the schema that holds the tables.

use crate::settings_error::SettingsError;

/// A name that needs no quoting, so that it can stand in a statement as it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SchemaName(String);

impl SchemaName {
    /// PostgreSQL cuts longer names off, and two schemas would become one.
    const LONGEST: usize = 63;

    pub(crate) fn parse(text: &str) -> Result<Self, SettingsError> {
        let mut characters = text.chars();
        let first = characters.next().is_some_and(|first| first.is_ascii_lowercase() || first == '_');
        let rest = characters.all(|next| next.is_ascii_lowercase() || next.is_ascii_digit() || next == '_');
        // The database keeps this beginning for itself.
        if first && rest && text.len() <= Self::LONGEST && !text.starts_with("pg_") {
            Ok(Self(text.to_owned()))
        } else {
            Err(SettingsError::SchemaName)
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for SchemaName {
    fn default() -> Self {
        Self("pm_mcp".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_need_no_quoting_are_taken() {
        for good in ["pm_mcp", "_", "a1", &"a".repeat(63)] {
            assert_eq!(SchemaName::parse(good).unwrap().as_str(), good);
        }
        for bad in ["", "1a", "A", "a-b", "a b", "a\"", "ä", "pg_tasks", &"a".repeat(64)] {
            assert!(SchemaName::parse(bad).is_err(), "{bad}");
        }
    }
}
