//! How the programs start, and what they say when they cannot.

use std::fs;
use std::net::TcpListener;

use pm_mcp_acceptance::{Binary, HttpServer, Project, StdioServer, call, run_to_end};
use serde_json::json;

const BOTH: [Binary; 2] = [Binary::Stdio, Binary::Http];

#[test]
fn help_and_version_go_to_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    for binary in BOTH {
        let help = run_to_end(binary, folder.path(), &["--help"], &[]);
        assert_eq!(help.status.code(), Some(0), "{help:?}");
        for setting in
            ["PM_PATH", "PM_MCP_WORKSPACES", "PM_MCP_PROFILE", "PM_MCP_TOOLS", "PM_MCP_DISCOVERY_CURSOR_KEY"]
        {
            assert!(help.stdout.contains(setting), "{setting}: {help:?}");
        }
        let version = run_to_end(binary, folder.path(), &["--version"], &[]);
        assert_eq!(version.status.code(), Some(0));
        assert!(version.stdout.contains(env!("CARGO_PKG_VERSION")), "{version:?}");
    }
}

#[test]
fn a_wrong_setting_stops_the_start_with_one_line_that_names_it() {
    let project = Project::small();
    let short = "too-short-a-key";
    for (name, value) in [
        ("PM_PATH", "/no/such/folder/anywhere"),
        ("PM_PATH", ""),
        ("PM_MCP_WORKSPACES", "a=/no/such/folder;a=/no/such/folder"),
        ("PM_MCP_PROFILE", "everything"),
        ("PM_MCP_TOOLS", "pm_dance"),
        ("PM_MCP_DISCOVERY_CURSOR_KEY", short),
        ("PM_MCP_LOG", "loud"),
        ("PM_MCP_PROFIL", "core"),
    ] {
        let settings: &[(&str, &str)] = match name {
            "PM_MCP_TOOLS" => &[("PM_MCP_PROFILE", "custom"), (name, value)],
            _ => &[(name, value)],
        };
        for binary in BOTH {
            let ended = run_to_end(binary, project.root(), &[], settings);
            check(&ended, name);
            assert!(!ended.stderr.contains(short), "a secret is shown: {ended:?}");
        }
    }
    for (name, value) in [
        ("PM_MCP_HTTP_PORT", "70000"),
        ("PM_MCP_HTTP_PORT", "http"),
        ("PM_MCP_HTTP_HOST", "0.0.0.0"),
        ("PM_MCP_HTTP_HOST", "example.com"),
        ("PM_MCP_HTTP_ALLOWED_ORIGINS", "app.example"),
        ("PM_MCP_HTTP_ALLOWED_ORIGINS", "*"),
    ] {
        check(&run_to_end(Binary::Http, project.root(), &[], &[(name, value)]), name);
    }
}

fn check(ended: &pm_mcp_acceptance::Ended, names: &str) {
    assert!(!ended.status.success() && ended.status.code().is_some(), "{names}: {ended:?}");
    assert_eq!(ended.stdout, "", "{names}");
    assert_eq!(ended.stderr.lines().count(), 1, "{names}: {ended:?}");
    assert!(ended.stderr.contains(names), "{names}: {ended:?}");
}

#[test]
fn a_port_that_is_taken_is_named_with_what_to_change() {
    let project = Project::small();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let ended = run_to_end(Binary::Http, project.root(), &[], &[("PM_MCP_HTTP_PORT", &port)]);
    check(&ended, &port);
    assert!(ended.stderr.contains("choose another port"), "{ended:?}");
}

#[test]
fn the_address_file_holds_the_address_that_is_really_bound() {
    let project = Project::small();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("address");
    let http = HttpServer::start(project.root(), &[("PM_MCP_HTTP_ADDRESS_FILE", file.to_str().unwrap())]);
    assert_eq!(fs::read_to_string(&file).unwrap().trim_end(), format!("http://{}/mcp", http.address()));
}

#[test]
fn without_a_workspace_near_a_sample_is_made_and_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let mut stdio = StdioServer::start(folder.path(), &[]);
    let next = stdio.ask(&call(1, "pm_next", json!({})));
    assert!(next["result"]["structuredContent"]["recommended"]["item"]["id"].is_string(), "{next}");
    let ended = stdio.finish();
    assert!(ended.stderr.contains("sample"), "where the sample lies is told: {ended:?}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left where nobody asked for it");
}

#[test]
fn a_profile_decides_which_tools_there_are() {
    let project = Project::small();
    let names = |settings: &[(&str, &str)]| -> Vec<String> {
        let mut stdio = StdioServer::start(project.root(), settings);
        let listed = stdio.ask(&pm_mcp_acceptance::request(1, "tools/list", json!({})));
        let tools = listed["result"]["tools"].as_array().unwrap();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    };
    let full = names(&[]);
    let core = names(&[("PM_MCP_PROFILE", "core")]);
    for tool in ["pm_context", "pm_next", "pm_list", "pm_search", "pm_get"] {
        assert!(core.iter().any(|name| name == tool) && full.iter().any(|name| name == tool), "{tool}");
    }
    assert!(full.iter().any(|name| name == "pm_graph") && !core.iter().any(|name| name == "pm_graph"));
    let custom = names(&[("PM_MCP_PROFILE", "custom"), ("PM_MCP_TOOLS", "pm_get,pm_next")]);
    assert_eq!(custom.len(), 2, "{custom:?}");
}

#[test]
fn several_workspaces_are_told_apart_by_name() {
    let (main, site) = (Project::small(), Project::small());
    let item = site.read("tasks/demo-q7aa.toon").replace("Name the errors worth a retry", "Another title");
    site.write("tasks/demo-q7aa.toon", &item);
    let named = format!("main={};site={}", main.root().display(), site.root().display());
    let mut stdio = StdioServer::start(main.root(), &[("PM_MCP_WORKSPACES", &named)]);
    let mut title = |arguments| {
        let answer = stdio.ask(&call(1, "pm_get", arguments));
        answer["result"]["structuredContent"]["title"].as_str().map(str::to_owned)
    };
    assert_eq!(title(json!({"id": "demo-q7aa"})).as_deref(), Some("Name the errors worth a retry"));
    assert_eq!(title(json!({"id": "demo-q7aa", "workspace": "site"})).as_deref(), Some("Another title"));
    assert_eq!(title(json!({"id": "demo-q7aa", "workspace": "nowhere"})), None);
}

#[test]
fn cursors_go_on_after_a_restart_with_the_same_key_and_only_then() {
    let project = Project::paged();
    let key = "0123456789abcdef0123456789abcdef";
    let first = |settings: &[(&str, &str)]| {
        let mut stdio = StdioServer::start(project.root(), settings);
        let page = stdio.ask(&pm_mcp_acceptance::request(1, "resources/list", json!({})));
        page["result"]["nextCursor"].as_str().unwrap().to_owned()
    };
    let next = |settings: &[(&str, &str)], cursor: &str| {
        let mut stdio = StdioServer::start(project.root(), settings);
        stdio.ask(&pm_mcp_acceptance::request(1, "resources/list", json!({"cursor": cursor})))
    };
    let kept = [("PM_MCP_DISCOVERY_CURSOR_KEY", key)];
    assert!(next(&kept, &first(&kept))["result"].is_object());
    for (made, used) in [(&kept[..], &[][..]), (&[][..], &kept[..]), (&[][..], &[][..])] {
        let refused = next(used, &first(made));
        assert_eq!(refused["error"]["code"], -32602, "{refused}");
        assert!(!refused.to_string().contains(key));
    }
}
