//! Help and documentation, written from the table.

use std::fmt::Write as _;

use pm_mcp::PROTOCOL_VERSION;

use super::program::Program;
use super::table::SETTINGS;

/// Columns of the help text.
const WIDTH: usize = 100;

/// What `pm-mcp` does besides serving.
const WORDS: [(&str, &str); 2] = [
    (
        "init [FOLDER]",
        "Makes an empty workspace, .agents/pm, in a project: the repository around the current folder unless one is \
         named. Overwrites nothing.",
    ),
    (
        "doctor URL | COMMAND [ARGUMENT...]",
        "Probes any MCP server as hosts do and says what is wrong and what to change; ends with status 1 if anything is \
         wrong. Calls no tool. MCP_DOCTOR_TOKEN holds the access token for a server that asks for one.",
    ),
];

/// What `--version` prints.
#[must_use]
pub fn version_line(program: Program) -> String {
    format!("{} {} (MCP {PROTOCOL_VERSION})\n", program.name(), env!("CARGO_PKG_VERSION"))
}

/// What `--help` prints.
#[must_use]
pub fn help(program: Program) -> String {
    let mut text = String::new();
    paragraph(&mut text, "", program.purpose());
    let name = program.name();
    line(&mut text, format_args!("\nUsage: {name} [--help | --version]"));
    if program == Program::Stdio {
        for (usage, meaning) in WORDS {
            line(&mut text, format_args!("       {name} {usage}"));
            paragraph(&mut text, "           ", meaning);
        }
    }
    text.push('\n');
    paragraph(
        &mut text,
        "",
        "Everything is set by environment variables; an empty or wrong value stops the start with exit status 2.",
    );
    for setting in SETTINGS.iter().filter(|setting| setting.is_read_by(program)) {
        line(
            &mut text,
            format_args!("\n  {}{}", setting.name, if setting.secret { "  (secret)" } else { "" }),
        );
        paragraph(&mut text, "      ", setting.meaning);
        paragraph(&mut text, "      ", &format!("Default: {}.", setting.default));
        line(&mut text, format_args!("      Example: {}={}", setting.name, quoted(setting.example)));
    }
    text
}

/// The settings as the Markdown table of the documentation.
#[must_use]
pub fn markdown_table() -> String {
    let mut text =
        "| Setting | Read by | Meaning | Default | Example |\n| --- | --- | --- | --- | --- |\n".to_owned();
    for setting in SETTINGS {
        let readers = if setting.http_only { "`pm-mcp-http`" } else { "both" };
        let secret = if setting.secret { " Secret: never shown." } else { "" };
        line(
            &mut text,
            format_args!(
                "| `{}` | {readers} | {}{secret} | {} | `{}` |",
                setting.name, setting.meaning, setting.default, setting.example
            ),
        );
    }
    text
}

/// The settings of the HTTP server alone, as the Markdown table of the page about remote use.
#[must_use]
pub fn remote_table() -> String {
    let mut text = "| Setting | Meaning | Default |\n| --- | --- | --- |\n".to_owned();
    for setting in SETTINGS.iter().filter(|setting| setting.http_only) {
        let secret = if setting.secret { " Secret: never shown." } else { "" };
        line(
            &mut text,
            format_args!("| `{}` | {}{secret} | {} |", setting.name, setting.meaning, setting.default),
        );
    }
    text
}

/// An example as a shell takes it.
pub(super) fn quoted(example: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,=".contains(c);
    match example {
        command if command.starts_with("$(") => format!("\"{command}\""),
        word if word.chars().all(plain) => word.to_owned(),
        other => format!("'{other}'"),
    }
}

fn line(text: &mut String, content: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _always_ok = writeln!(text, "{content}");
}

fn paragraph(text: &mut String, indent: &str, words: &str) {
    let mut column = 0;
    for word in words.split_whitespace() {
        if column > 0 && column + 1 + word.chars().count() > WIDTH {
            text.push('\n');
            column = 0;
        }
        let before = if column == 0 { indent } else { " " };
        text.push_str(before);
        text.push_str(word);
        column += before.len() + word.chars().count();
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_names_what_the_program_reads_and_nothing_else() {
        for program in [Program::Stdio, Program::Http] {
            let text = help(program);
            for setting in SETTINGS {
                let named = text.contains(&format!("\n  {}", setting.name));
                assert_eq!(named, setting.is_read_by(program), "{} in {}", setting.name, program.name());
            }
            assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        }
    }

    #[test]
    fn the_version_line_names_the_revision() {
        let line = version_line(Program::Http);
        assert!(line.starts_with("pm-mcp-http ") && line.ends_with(" (MCP 2026-07-28)\n"), "{line}");
    }

    #[test]
    fn the_documented_table_is_this_one() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/configuration.md");
        let documented = std::fs::read_to_string(path).unwrap();
        let table = markdown_table();
        assert!(documented.contains(&table), "docs/configuration.md must hold exactly this table:\n{table}");
    }

    #[test]
    fn the_table_of_remote_settings_is_this_one() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/remote.md");
        let documented = std::fs::read_to_string(path).unwrap();
        let table = remote_table();
        assert!(documented.contains(&table), "docs/remote.md must hold exactly this table:\n{table}");
    }

    #[test]
    fn the_settings_of_both_texts_are_there() {
        for name in [
            "PM_MCP_HTTP_HOST",
            "PM_MCP_HTTP_PORT",
            "PM_MCP_HTTP_ALLOWED_ORIGINS",
            "PM_MCP_HTTP_BEARER_TOKEN",
            "PM_MCP_HTTP_AUTH_ISSUER",
            "PM_MCP_HTTP_RESOURCE",
            "PM_MCP_HTTP_SCOPES",
            "PM_MCP_DISCOVERY_CURSOR_KEY",
            "MCP_REQUEST_STATE_KEY",
        ] {
            let found = SETTINGS.iter().filter(|setting| setting.name == name);
            assert_eq!(found.count(), 1, "{name}");
        }
    }

    #[test]
    fn examples_are_quoted_for_a_shell() {
        assert_eq!(quoted("a=b,c"), "a=b,c");
        assert_eq!(quoted("a;b"), "'a;b'");
        assert_eq!(quoted("$(x)"), "\"$(x)\"");
    }
}
