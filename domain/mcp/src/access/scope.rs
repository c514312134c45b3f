//! Scopes: what a token allows, and what an operation needs.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;

use thiserror::Error;

/// One scope, such as `files:read`: letter for letter, as [RFC 6749 section 3.3](https://www.rfc-editor.org/rfc/rfc6749#section-3.3)
/// spells them. Cloning it is cheap.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Scope(Arc<str>);

impl Scope {
    /// The scope with this name.
    ///
    /// # Errors
    ///
    /// [`ScopeFault`] unless the name is visible ASCII without quotes and backslashes.
    pub fn parse(name: &str) -> Result<Self, ScopeFault> {
        let allowed = |byte: u8| matches!(byte, 0x21 | 0x23..=0x5b | 0x5d..=0x7e);
        if !name.is_empty() && name.bytes().all(allowed) {
            Ok(Self(name.into()))
        } else {
            Err(ScopeFault { name: name.into() })
        }
    }

    /// The scope's name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A text that is no scope.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "the scope {name:?} is not usable; a scope is visible ASCII without spaces, quotes and backslashes, such as \"files:read\""
)]
pub struct ScopeFault {
    /// The text.
    pub name: String,
}

/// A set of scopes, in the order of their names.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Scopes(BTreeSet<Scope>);

impl Scopes {
    /// No scope at all.
    pub const NONE: &'static Self = &Self(BTreeSet::new());

    /// The scopes of a list with spaces between, as tokens and challenges write them. The empty text is no scope.
    ///
    /// # Errors
    ///
    /// [`ScopeFault`] for the first part that is no scope.
    pub fn parse(list: &str) -> Result<Self, ScopeFault> {
        list.split(' ').filter(|name| !name.is_empty()).map(Scope::parse).collect()
    }

    /// Whether there is no scope.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether this very scope is among them.
    pub fn contains(&self, scope: &Scope) -> bool {
        self.0.contains(scope)
    }

    /// Adds a scope; says whether it is new.
    pub fn insert(&mut self, scope: Scope) -> bool {
        self.0.insert(scope)
    }

    /// Adds all the scopes of another set.
    pub fn extend(&mut self, more: &Self) {
        self.0.extend(more.0.iter().cloned());
    }

    /// The scopes, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = &Scope> {
        self.0.iter()
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Self(scopes.into_iter().collect())
    }
}

impl fmt::Display for Scopes {
    /// With one space between, as tokens and challenges write them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, scope) in self.iter().enumerate() {
            if position > 0 {
                f.write_str(" ")?;
            }
            f.write_str(scope.as_str())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn lists_of_scopes_are_read_and_written_alike() {
        let scopes = Scopes::parse("pm:write  pm:read pm:read").unwrap();
        assert_eq!((scopes.len(), scopes.to_string().as_str()), (2, "pm:read pm:write"));
        assert!(Scopes::parse("").unwrap().is_empty());
    }

    #[test]
    fn scopes_that_could_break_a_challenge_are_refused() {
        for name in ["", "a b", "a\"b", "a\\b", "a\nb", "a\u{7f}", "ä", "\t"] {
            assert!(Scope::parse(name).is_err(), "{name:?}");
        }
        assert!(Scopes::parse("a \"b\"").is_err());
    }
}
