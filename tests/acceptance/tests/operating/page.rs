//! The page and the files on it.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The page.
pub(crate) fn text() -> String {
    read("operating.md")
}

fn read(page: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(page);
    fs::read_to_string(path).unwrap()
}

/// The code blocks of this language, in their order.
pub(crate) fn blocks(language: &str) -> Vec<String> {
    let text = text();
    let opening = format!("```{language}\n");
    let blocks: Vec<String> =
        text.split(&opening).skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect();
    assert!(!blocks.is_empty(), "the page has no {language} block");
    blocks
}

/// With `new` in the place of `old`, which is there once.
pub(crate) fn with(text: &str, old: &str, new: &str) -> String {
    assert_eq!(text.matches(old).count(), 1, "{old:?} in\n{text}");
    text.replace(old, new)
}

/// The settings of the environment file on the page.
pub(crate) fn environment() -> Vec<(String, String)> {
    let file = blocks("ini").into_iter().find(|block| !block.contains("[Unit]")).unwrap();
    let pairs = file.lines().map(|line| line.split_once('=').unwrap());
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

#[test]
fn every_setting_on_the_page_is_in_the_table_of_settings() {
    let table = read("configuration.md");
    let mut found = 0;
    for word in text().split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_') {
        if word.starts_with("PM_MCP_") || word.starts_with("MCP_") || word == "PM_PATH" {
            assert!(table.contains(&format!("| `{word}` |")), "{word} is no setting");
            found += 1;
        }
    }
    assert!(found > 20, "only {found} settings on the page");
}

#[test]
fn systemd_takes_the_unit() {
    let unit = blocks("ini").into_iter().find(|block| block.contains("[Unit]")).unwrap();
    if Command::new("systemd-analyze").arg("--version").output().is_err() {
        return eprintln!(
            "SKIPPED the systemd unit: systemd-analyze is not installed; the package systemd has it"
        );
    }
    let folder = tempfile::tempdir().unwrap();
    // The program has to be there for the check.
    let unit = with(&unit, "/usr/local/bin/pm-mcp-http", "/bin/true");
    let file = folder.path().join("pm-mcp@.service");
    fs::write(&file, unit).unwrap();
    let instance = folder.path().join("pm-mcp@3001.service");
    std::os::unix::fs::symlink(&file, &instance).unwrap();
    let checked =
        Command::new("systemd-analyze").args(["verify", "--man=no"]).arg(&instance).output().unwrap();
    let said = String::from_utf8_lossy(&checked.stderr);
    let ours: Vec<&str> = said.lines().filter(|line| line.contains("pm-mcp")).collect();
    assert!(checked.status.success() && ours.is_empty(), "{said}");
}
