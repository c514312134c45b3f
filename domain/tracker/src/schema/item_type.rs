//! Item types and the folders that their files lie in.

use serde_json::Value;

use super::status::texts;

/// Folders below the tracker root that other things live in; no type may use them.
const RESERVED_FOLDERS: [&str; 11] = [
    "history",
    "locks",
    "schema",
    "runtime",
    "index",
    "search",
    "transactions",
    "checkpoints",
    "extensions",
    "relationships",
    "assurance",
];

const BUILT_IN: [(&str, &str); 11] = [
    ("Epic", "epics"),
    ("Feature", "features"),
    ("Task", "tasks"),
    ("Chore", "chores"),
    ("Issue", "issues"),
    ("Decision", "decisions"),
    ("Event", "events"),
    ("Reminder", "reminders"),
    ("Milestone", "milestones"),
    ("Meeting", "meetings"),
    ("Plan", "plans"),
];

/// One item type of a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ItemType {
    /// The name that files carry.
    pub name: String,
    /// The folder below the tracker root, relative, forward slashes.
    pub folder: String,
    /// Other spellings.
    pub aliases: Vec<String>,
    /// What the type is for; empty if the schema does not say.
    pub description: String,
    /// The status of new items of this type, if the schema names one.
    pub default_status: Option<String>,
    /// Whether the workspace's own schema names it.
    pub declared: bool,
}

impl ItemType {
    pub(super) fn built_in() -> Vec<Self> {
        BUILT_IN
            .iter()
            .map(|&(name, folder)| Self {
                name: name.to_owned(),
                folder: folder.to_owned(),
                aliases: Vec::new(),
                description: String::new(),
                default_status: None,
                declared: false,
            })
            .collect()
    }

    /// Merges one definition of a types file into the list.
    pub(super) fn merge(list: &mut Vec<Self>, definition: &Value, report: &mut dyn FnMut(String)) {
        let text =
            |key: &str| definition.get(key).and_then(Value::as_str).map(str::trim).filter(|t| !t.is_empty());
        let Some(name) = text("name") else {
            report("a type definition has no `name`".to_owned());
            return;
        };
        let folder = match text("folder") {
            Some(folder) if is_usable_folder(folder) => Some(folder.trim_end_matches('/').to_owned()),
            Some(folder) => {
                report(format!(
                    "type `{name}` names the folder `{folder}`, which must be relative, without `..` and unreserved"
                ));
                None
            }
            None => None,
        };
        let known = list.iter().position(|known| known.name.eq_ignore_ascii_case(name));
        let mut fresh = Self {
            name: name.to_owned(),
            folder: folder.unwrap_or_else(|| default_folder(name)),
            aliases: texts(definition.get("aliases")).map(str::to_owned).collect(),
            description: text("description").unwrap_or_default().to_owned(),
            default_status: text("default_status").map(str::to_owned),
            declared: true,
        };
        match known.and_then(|at| list.get_mut(at)) {
            Some(known) => {
                if text("folder").is_none() {
                    fresh.folder.clone_from(&known.folder);
                }
                *known = fresh;
            }
            None => list.push(fresh),
        }
    }

    /// Whether a name means this type, in any letter case.
    #[must_use]
    pub fn is_called(&self, text: &str) -> bool {
        let text = text.trim().to_lowercase();
        self.name.to_lowercase() == text || self.aliases.iter().any(|alias| alias.to_lowercase() == text)
    }
}

/// Lower case, hyphens between words, plus `s` unless the name ends in one.
fn default_folder(name: &str) -> String {
    let mut folder = String::new();
    for c in name.to_lowercase().chars() {
        if c.is_alphanumeric() {
            folder.push(c);
        } else if !folder.is_empty() && !folder.ends_with('-') {
            folder.push('-');
        }
    }
    let folder = folder.trim_end_matches('-');
    if folder.ends_with('s') { folder.to_owned() } else { format!("{folder}s") }
}

fn is_usable_folder(folder: &str) -> bool {
    let mut segments = folder.trim_end_matches('/').split('/');
    let reserved = segments.clone().next().is_some_and(|first| RESERVED_FOLDERS.contains(&first));
    !reserved && segments.all(crate::item::is_plain_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_that_leave_the_root_or_are_taken_are_refused() {
        for folder in ["../x", "/x", "a/../b", "history", "locks/x", "", ".git", "a\\b", "c:"] {
            assert!(!is_usable_folder(folder), "{folder}");
        }
        assert!(is_usable_folder("work/stories"));
    }

    #[test]
    fn a_type_without_folder_gets_one_from_its_name() {
        assert_eq!(default_folder("User Story"), "user-storys");
        assert_eq!(default_folder("Analysis"), "analysis");
    }
}
