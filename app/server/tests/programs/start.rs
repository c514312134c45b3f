//! How the programs start and end.

use std::path::Path;
use std::process::Output;

use serde_json::json;

use crate::session::{Session, command, project};

const BOTH: [&str; 2] = [env!("CARGO_BIN_EXE_pm-mcp"), env!("CARGO_BIN_EXE_pm-mcp-http")];

fn run(program: &str, folder: &Path, arguments: &[&str], settings: &[(&str, &str)]) -> Output {
    command(program, folder, settings).args(arguments).stdin(std::process::Stdio::null()).output().unwrap()
}

#[test]
fn help_and_version_go_to_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    for program in BOTH {
        for argument in ["--help", "--version"] {
            let output = run(program, folder.path(), &[argument], &[("PM_MCP_HTTP_PORT", "wrong")]);
            assert_eq!(output.status.code(), Some(0), "{output:?}");
            assert!(output.stderr.is_empty() && !output.stdout.is_empty(), "{output:?}");
        }
    }
}

#[test]
fn a_wrong_setting_or_argument_ends_with_status_2_and_one_line() {
    let folder = tempfile::tempdir().unwrap();
    for program in BOTH {
        for (arguments, settings, part) in [
            (&["--port"][..], &[][..], "unknown argument \"--port\""),
            (&[], &[("PM_PATH", "/nowhere/at/all")], "PM_PATH: \"/nowhere/at/all\" is no workspace"),
            (&[], &[("PM_MCP_DISCOVERY_CURSOR_KEY", "Sesame")], "PM_MCP_DISCOVERY_CURSOR_KEY: has 6 bytes"),
        ] {
            let output = run(program, folder.path(), arguments, settings);
            let said = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{said}");
            assert!(said.contains(part) && said.lines().count() == 1 && !said.contains("Sesame"), "{said}");
            assert!(output.stdout.is_empty());
        }
    }
}

#[test]
fn half_of_the_authorization_settings_stop_the_http_server() {
    let folder = tempfile::tempdir().unwrap();
    let settings =
        [("PM_MCP_HTTP_BEARER_TOKEN", "Sesame"), ("PM_MCP_HTTP_RESOURCE", "https://t.example/mcp")];
    let output = run(BOTH[1], folder.path(), &[], &settings);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("PM_MCP_HTTP_AUTH_ISSUER is not") && !said.contains("Sesame"), "{said}");
}

#[test]
fn a_conversation_over_stdio_ends_with_its_input() {
    let folder = project();
    let mut session = Session::start(folder.path(), &[]);
    let discovered = session.ask("server/discover", json!({}));
    assert_eq!(discovered["supportedVersions"], json!(["2026-07-28"]));
    assert!(discovered["instructions"].as_str().unwrap().chars().count() <= 1_500);
    let tools = session.ask("tools/list", json!({}));
    assert!(tools["tools"].as_array().unwrap().iter().any(|tool| tool["name"] == "pm_next"), "{tools}");
    let next = session.ask("tools/call", json!({"name": "pm_next", "arguments": {}}));
    assert_eq!(next["structuredContent"]["recommended"]["item"]["id"], "demo-twice1");
    assert_eq!(session.end(), (Some(0), String::new()));
}

#[test]
fn the_sample_is_sound_in_the_eyes_of_the_tools() {
    let nowhere = tempfile::tempdir().unwrap();
    let mut session = Session::start(nowhere.path(), &[]);
    let report = session.ask("tools/call", json!({"name": "pm_validate", "arguments": {}}));
    assert_eq!(report["structuredContent"]["ok"], true, "{report}");
    let (status, said) = session.end();
    assert_eq!(status, Some(0));
    assert!(said.contains("serving a made-up sample in \"") && said.lines().count() == 1, "{said}");
    let sample = said.split('"').find(|part| part.contains("pm-mcp-sample-")).unwrap();
    assert!(!Path::new(sample).exists(), "{sample} is left behind");
}
