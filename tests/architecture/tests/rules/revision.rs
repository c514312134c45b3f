//! The revision is named in one place.

use crate::sources;

/// The one source of the revision's name.
const HOME: &str = "domain/mcp/src/version.rs";

#[test]
fn no_source_repeats_the_name_of_the_revision() {
    let name = ["2026", "07", "28"].join("-");
    let mut homes = 0;
    for source in sources().iter().filter(|source| source.is_rust() && !source.is_test()) {
        let code = source.text.split("#[cfg(test)]").next().unwrap_or_default();
        let repeats = code.lines().filter(|line| {
            let line = line.trim_start();
            !line.starts_with("//") && line.contains(&format!("\"{name}\""))
        });
        match source.path.as_str() {
            HOME => homes += repeats.count(),
            path => assert_eq!(repeats.count(), 0, "{path} names the revision; take it from {HOME}"),
        }
    }
    assert_eq!(homes, 1);
}
