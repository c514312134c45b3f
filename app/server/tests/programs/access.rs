//! `pm-mcp-http` with a token of its deployment, from the settings to the wire.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ChildStderr};

use serde_json::{Value, json};

use crate::session::{command, project, request};

const TOKEN: &str = "sesame-3f0f2b9c-open-the-door-of-this-deployment";
const ISSUER: &str = "https://login.example/t1";
const RESOURCE: &str = "https://tracker.example/mcp";
const CURSOR_KEY: &str = "cursor-sesame-cursor-sesame-cursor-sesame";
const STATE_KEY: &str = "state-sesame-state-sesame-state-sesame-state";

struct Program {
    child: Child,
    errors: BufReader<ChildStderr>,
    address: String,
    _folder: tempfile::TempDir,
}

impl Program {
    fn start(more: &[(&str, &str)]) -> Self {
        let folder = project();
        let mut settings = vec![
            ("PM_MCP_HTTP_PORT", "0"),
            ("PM_MCP_HTTP_BEARER_TOKEN", TOKEN),
            ("PM_MCP_HTTP_AUTH_ISSUER", ISSUER),
            ("PM_MCP_HTTP_RESOURCE", RESOURCE),
        ];
        settings.extend(more);
        let mut child = command(env!("CARGO_BIN_EXE_pm-mcp-http"), folder.path(), &settings).spawn().unwrap();
        let mut errors = BufReader::new(child.stderr.take().unwrap());
        let mut address = None;
        let mut line = String::new();
        while address.is_none() {
            line.clear();
            assert_ne!(errors.read_line(&mut line).unwrap(), 0, "the server did not start");
            let url = line.trim_end().split_once("listening on http://").map(|(_, rest)| rest);
            address = url.map(|url| url.trim_end_matches("/mcp").to_owned());
        }
        Self { child, errors, address: address.unwrap(), _folder: folder }
    }

    /// One request with these headers, each ended by CR LF; the answer as it came.
    fn send(&self, line: &str, headers: &str, body: &str) -> Reply {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "{line} HTTP/1.1\r\nHost: {}\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.address,
            body.len()
        )
        .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        Reply(text)
    }

    fn ask(&self, path: &str, message: &Value, headers: &str) -> Reply {
        let method = message["method"].as_str().unwrap();
        let name = message["params"]["name"].as_str().map(|name| format!("Mcp-Name: {name}\r\n"));
        let headers = format!(
            "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
             MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: {method}\r\n{}{headers}",
            name.unwrap_or_default()
        );
        self.send(&format!("POST {path}"), &headers, &message.to_string())
    }

    /// Ends the program and gives all that it wrote to standard error since it listened.
    fn end(mut self) -> String {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        let mut rest = String::new();
        self.errors.read_to_string(&mut rest).unwrap();
        rest
    }
}

struct Reply(String);

impl Reply {
    fn status(&self) -> u16 {
        self.0.split(' ').nth(1).unwrap().parse().unwrap()
    }

    fn json(&self) -> Value {
        serde_json::from_str(self.0.split_once("\r\n\r\n").unwrap().1).unwrap()
    }
}

fn bearer(token: &str) -> String {
    format!("Authorization: Bearer {token}\r\n")
}

#[test]
fn the_token_of_the_deployment_opens_the_tracker_and_no_other_does() {
    let program = Program::start(&[]);
    let list = request(1, "tools/list", json!({}));
    let told = program.ask("/mcp", &list, "");
    assert_eq!(told.status(), 401);
    let challenge = "www-authenticate: Bearer \
                     resource_metadata=\"https://tracker.example/.well-known/oauth-protected-resource/mcp\", \
                     scope=\"pm:read\"\r\n";
    assert!(told.0.contains(challenge), "{}", told.0);
    assert_eq!(program.ask("/mcp", &list, &bearer("another")).status(), 401);
    let tools = program.ask("/mcp", &list, &bearer(TOKEN));
    assert_eq!(tools.status(), 200);
    let tools = tools.json();
    assert!(
        tools["result"]["tools"].as_array().unwrap().iter().any(|tool| tool["name"] == "pm_next"),
        "{tools}"
    );
    let call = request(2, "tools/call", json!({"name": "pm_next", "arguments": {}}));
    assert_eq!(program.ask("/mcp", &call, &bearer(TOKEN)).status(), 200);
    for path in ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"] {
        let metadata = program.send(&format!("GET {path}"), "", "").json();
        assert_eq!(
            metadata,
            json!({
                "resource": RESOURCE,
                "authorization_servers": [ISSUER],
                "scopes_supported": ["pm:read", "pm:write"],
                "bearer_methods_supported": ["header"],
                "resource_name": "pm work tracker",
            })
        );
    }
    program.end();
}

#[test]
fn a_token_without_pm_read_sees_nothing_but_discovery() {
    let program = Program::start(&[("PM_MCP_HTTP_SCOPES", "pm:write")]);
    let discover = program.ask("/mcp", &request(1, "server/discover", json!({})), &bearer(TOKEN));
    assert_eq!(discover.status(), 200);
    for (method, params) in [
        ("tools/list", json!({})),
        ("resources/list", json!({})),
        ("prompts/list", json!({})),
        ("tools/call", json!({"name": "pm_next", "arguments": {}})),
    ] {
        let told = program.ask("/mcp", &request(1, method, params), &bearer(TOKEN));
        assert_eq!(told.status(), 403, "{method}");
        assert!(
            told.0.contains("error=\"insufficient_scope\"") && told.0.contains("scope=\"pm:read\""),
            "{}",
            told.0
        );
    }
    program.end();
}

#[test]
fn an_issuer_of_this_machine_is_said_aloud() {
    let program = Program::start(&[("PM_MCP_HTTP_AUTH_ISSUER", "http://127.0.0.1:4000")]);
    program.ask("/mcp", &request(1, "server/discover", json!({})), &bearer(TOKEN));
    let said = program.end();
    assert!(said.contains("the issuer http://127.0.0.1:4000 is of this machine"), "{said}");
}

#[test]
fn no_secret_shows_in_anything_that_is_written_at_the_most_verbose_level() {
    let program = Program::start(&[
        ("PM_MCP_LOG", "trace"),
        ("PM_MCP_DISCOVERY_CURSOR_KEY", CURSOR_KEY),
        ("MCP_REQUEST_STATE_KEY", STATE_KEY),
        ("PM_MCP_HTTP_ALLOWED_ORIGINS", "https://app.example"),
    ]);
    let wrong = "wrong-sesame-of-somebody-else";
    let mut written = String::new();
    for headers in [
        bearer(TOKEN),
        bearer(wrong),
        format!("{}{}", bearer(TOKEN), bearer(TOKEN)),
        format!("Authorization: Bearer {TOKEN} {wrong}\r\n"),
        format!("Authorization: Basic {wrong}\r\n"),
        format!("{}Origin: https://evil.example\r\n", bearer(TOKEN)),
        format!("{}Origin: https://app.example\r\n", bearer(TOKEN)),
        format!("Cookie: access_token={wrong}\r\nX-Token: {wrong}\r\n"),
    ] {
        for (method, params) in [
            ("server/discover", json!({})),
            ("tools/list", json!({})),
            ("resources/list", json!({})),
            ("tools/call", json!({"name": "pm_next", "arguments": {}})),
            ("tools/call", json!({"name": "pm_list", "arguments": {"limit": 1, "nonsense": true}})),
            ("tools/call", json!({"name": "no_such_tool"})),
            ("tasks/get", json!({"taskId": "none"})),
        ] {
            written.push_str(&program.ask("/mcp", &request(1, method, params), &headers).0);
        }
    }
    let query = format!("/mcp?access_token={wrong}");
    written.push_str(&program.ask(&query, &request(1, "tools/list", json!({})), "").0);
    written.push_str(&program.send("GET /.well-known/oauth-protected-resource", &bearer(TOKEN), "").0);
    written.push_str(&program.send("POST /mcp", &bearer(TOKEN), "not json").0);
    assert!(written.contains("HTTP/1.1 200") && written.contains("HTTP/1.1 401"), "the requests were served");
    let log = program.end();
    assert!(log.contains("TRACE") || log.contains("DEBUG"), "the log is verbose: {log}");
    for secret in [TOKEN, wrong, CURSOR_KEY, STATE_KEY, "sesame"] {
        assert!(!written.contains(secret), "an answer shows {secret}");
        assert!(!log.contains(secret), "the log shows {secret}: {log}");
    }
}
