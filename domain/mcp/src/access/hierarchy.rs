//! Which scopes hold others.

use alloc::collections::{BTreeMap, BTreeSet};

use super::scope::{Scope, Scopes};

/// Which scopes imply others, as the host says. Without an entry a scope stands for itself alone; nothing is read out of
/// names.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ScopeHierarchy {
    implied: BTreeMap<Scope, BTreeSet<Scope>>,
}

impl ScopeHierarchy {
    /// Says that whoever holds `broad` holds `narrow` too, and whatever `narrow` implies.
    pub fn imply(&mut self, broad: Scope, narrow: Scope) {
        self.implied.entry(broad).or_default().insert(narrow);
    }

    /// Whether `granted` is enough for `needed`, by name or by what it implies. Circles do no harm.
    pub fn covers(&self, granted: &Scopes, needed: &Scope) -> bool {
        if granted.contains(needed) {
            return true;
        }
        if self.implied.is_empty() {
            return false;
        }
        let (mut seen, mut open) = (BTreeSet::new(), granted.iter().collect::<alloc::vec::Vec<_>>());
        while let Some(scope) = open.pop() {
            if scope == needed {
                return true;
            }
            if seen.insert(scope) {
                open.extend(self.implied.get(scope).into_iter().flatten());
            }
        }
        false
    }

    /// Whether `granted` is enough for everything in `needs`.
    pub fn covers_all(&self, granted: &Scopes, needs: &Scopes) -> bool {
        needs.iter().all(|needed| self.covers(granted, needed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(name: &str) -> Scope {
        Scope::parse(name).unwrap()
    }

    #[test]
    fn broad_scopes_cover_what_they_imply_and_circles_end() {
        let mut hierarchy = ScopeHierarchy::default();
        hierarchy.imply(scope("admin"), scope("write"));
        hierarchy.imply(scope("write"), scope("read"));
        hierarchy.imply(scope("read"), scope("read"));
        hierarchy.imply(scope("write"), scope("admin2"));
        hierarchy.imply(scope("admin2"), scope("write"));
        for (granted, needed, covered) in [
            ("admin", "read", true),
            ("admin2", "read", true),
            ("read", "write", false),
            ("read", "read", true),
            ("", "read", false),
            ("admin:", "read", false),
            ("wri", "write", false),
        ] {
            let granted = Scopes::parse(granted).unwrap();
            assert_eq!(hierarchy.covers(&granted, &scope(needed)), covered, "{granted} for {needed}");
        }
    }

    #[test]
    fn without_a_hierarchy_names_imply_nothing() {
        let granted = Scopes::parse("files files:* *").unwrap();
        assert!(!ScopeHierarchy::default().covers(&granted, &scope("files:read")));
    }
}
