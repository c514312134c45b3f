//! `pm-mcp-http` on a free port.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::Command;

use serde_json::{Value, json};

use crate::session::{command, project, request};

fn post(address: &str, message: &Value) -> (u16, Value) {
    let body = message.to_string();
    let method = message["method"].as_str().unwrap();
    let name = message["params"]["name"].as_str().map(|name| format!("Mcp-Name: {name}\r\n"));
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: {method}\r\n\
         {}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        name.unwrap_or_default(),
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, serde_json::from_str(body).unwrap_or(Value::Null))
}

#[test]
fn a_free_port_is_told_in_a_line_and_a_file_and_sigterm_ends_it_well() {
    let folder = project();
    let file = folder.path().join("url");
    fs::write(&file, "http://left.over/mcp\n").unwrap();
    let settings = [("PM_MCP_HTTP_PORT", "0"), ("PM_MCP_HTTP_ADDRESS_FILE", "url")];
    let mut child = command(env!("CARGO_BIN_EXE_pm-mcp-http"), folder.path(), &settings).spawn().unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    errors.read_line(&mut line).unwrap();
    let url = line.trim_end().strip_prefix("listening on ").unwrap_or_else(|| panic!("{line}")).to_owned();
    assert_eq!(fs::read_to_string(&file).unwrap(), format!("{url}\n"));
    let address = url.strip_prefix("http://").unwrap().strip_suffix("/mcp").unwrap();

    let (status, discovered) = post(address, &request(1, "server/discover", json!({})));
    assert_eq!((status, &discovered["result"]["supportedVersions"][0]), (200, &json!("2026-07-28")));
    let call = request(2, "tools/call", json!({"name": "pm_get", "arguments": {"id": "#screen"}}));
    let (status, item) = post(address, &call);
    assert_eq!((status, &item["result"]["structuredContent"]["id"]), (200, &json!("demo-screen")), "{item}");

    #[cfg(unix)]
    {
        assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(0));
        let mut rest = String::new();
        errors.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "");
    }
    #[cfg(not(unix))]
    child.kill().unwrap();
}
