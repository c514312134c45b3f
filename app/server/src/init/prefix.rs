//! The prefix of a new workspace's ids.

use std::path::Path;

use pm_tracker_domain::normalize_prefix;

/// Longest prefix that is made of a folder's name; ids are typed by people.
const LONGEST: usize = 8;

/// A prefix from a folder's name: its first word, or the first letters of all where there are several.
pub(super) fn prefix_of(project: &Path) -> String {
    let name = project.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let words: Vec<&str> =
        name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let short: String = match words.as_slice() {
        [] => "pm".to_owned(),
        [word] => word.chars().take(LONGEST).collect(),
        [first, ..] if name.len() <= LONGEST => {
            format!("{first}{}", words.get(1..).unwrap_or_default().concat())
        }
        several => several.iter().filter_map(|word| word.chars().next()).take(LONGEST).collect(),
    };
    normalize_prefix(&short).unwrap_or_else(|| "pm-".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_give_short_prefixes() {
        for (folder, prefix) in [
            ("/home/a/kiosk", "kiosk-"),
            ("/home/a/photo-upload-service", "pus-"),
            ("/home/a/internationalization", "internat-"),
            ("/home/a/web-app", "webapp-"),
            ("/home/a/фото", "pm-"),
            ("/", "pm-"),
        ] {
            assert_eq!(prefix_of(Path::new(folder)), prefix, "{folder}");
        }
    }
}
