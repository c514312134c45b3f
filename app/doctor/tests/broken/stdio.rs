//! On standard streams; the servers are lines of a shell.

use std::time::Duration;

use pm_mcp_doctor::Level::{Doubtful, Wrong};
use pm_mcp_doctor::{Report, Settings, Target, examine};

use crate::server::says;

async fn examined(script: &str) -> Report {
    let target = Target::parse(["sh", "-c", script].map(str::to_owned)).unwrap();
    examine(&target, &Settings { patience: Duration::from_secs(4), token: None }).await
}

/// Answers a message without looking at it: `$id` is its id.
const READ: &str =
    r#"while read -r line; do id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p'); "#;

#[tokio::test]
async fn a_command_that_is_not_there_is_said() {
    let target = Target::parse(["no-such-program-anywhere".to_owned()]).unwrap();
    let report = examine(&target, &Settings::default()).await;
    says(&report, Wrong, "cannot be started");
}

#[tokio::test]
async fn a_server_that_ends_at_once_is_quoted() {
    let report = examined("echo 'config file missing' >&2; exit 3").await;
    says(&report, Wrong, "ended before it answered");
    assert!(report.to_string().contains("config file missing"), "{report}");
}

#[tokio::test]
async fn logs_on_standard_output_are_named() {
    let answer = r#"printf '{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{},"ttlMs":0,"cacheScope":"private"}}\n' "$id"; done"#;
    let report = examined(&format!("echo Starting up...; {READ}{answer}")).await;
    says(&report, Wrong, "text on standard output that is no message: Starting up...");
    says(&report, Wrong, "does not say who the server is");
}

#[tokio::test]
async fn a_server_with_the_older_handshake_alone_is_examined_by_it() {
    let answers = r#"case "$line" in
        *initialize\"*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"}}}\n' "$id" ;;
        *tools/list*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"add","description":"Adds.","inputSchema":{"type":"object"}}]}}\n' "$id" ;;
        *notifications/*) ;;
        *) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}\n' "$id" ;;
    esac; done"#;
    let report = examined(&format!("{READ}{answers}")).await;
    says(&report, Doubtful, "does not know server/discover");
    assert!(report.is_sound(), "{report}");
    let text = report.to_string();
    assert!(text.contains("old 1 speaks 2025-06-18") && text.contains("1 listed"), "{text}");
}

/// As the servers of two published SDKs are: they take any cursor, pass over what is no request, and one tells no version.
#[tokio::test]
async fn what_servers_in_use_pass_over_is_doubtful_and_not_wrong() {
    let answers = r#"[ -n "$id" ] || continue
    good() { printf '{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"lax","version":""}},"ttlMs":0,"cacheScope":"private",%s}}\n' "$id" "$1"; }
    bad() { printf '{"jsonrpc":"2.0","id":%s,"error":{"code":%s,"message":"no"%s}}\n' "$id" "$1" "$2"; }
    case "$line" in
        \[*|*notifications/*) ;;
        *initialize*) bad -32601 ;;
        *2026-07-28*) case "$line" in
            *server/discover*) good '"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}' ;;
            *tools/list*) good '"tools":[{"name":"add","description":"Adds.","inputSchema":{"type":"object"}}]' ;;
            *tools/call*) bad -32602 ;;
            *) bad -32601 ;;
        esac ;;
        *server/discover*) bad -32022 ',"data":{"supported":["2026-07-28"],"requested":"other"}' ;;
        *) bad -32602 ;;
    esac; done"#;
    let report = examined(&format!("{READ}{answers}")).await;
    for what in
        ["a cursor that was made up is answered", "sent text that is no JSON", "sent a list of requests"]
    {
        says(&report, Doubtful, what);
    }
    says(&report, Doubtful, "its version is empty");
    assert!(report.is_sound() && report.to_string().contains("lax answered in"), "{report}");
}
