//! One test for each row of the threat table in `docs/security.md` that a server of the facade can show.

use std::sync::{Arc, Mutex};

use pm_mcp::{Caller, Context, NoArguments, Output, Server, ToolError, tool};
use serde_json::json;

use crate::http::{PAGE, call, send, serve};
use crate::support::{ISSUER, RESOURCE, Stage, grant};

#[tokio::test]
async fn threat_a_page_reaching_the_local_port_is_stopped_by_host_and_origin() {
    let stage = Stage::new(|builder| builder);
    let address = serve(&stage.server).await;
    let token = "Authorization: Bearer reader\r\n";
    for (headers, status) in [
        (String::new(), 200),
        (format!("Origin: {PAGE}\r\n"), 200),
        ("Origin: https://evil.example\r\n".to_owned(), 403),
        ("Origin: null\r\n".to_owned(), 403),
        (format!("Origin: {PAGE}.evil.example\r\n"), 403),
        ("Host: evil.example\r\n".to_owned(), 403),
    ] {
        let reply = call(&stage, address, "/mcp", "look", &format!("{headers}{token}")).await;
        assert_eq!(reply.status, status, "{headers}");
    }
    let ask = "Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: authorization, mcp-method, x-evil\r\n";
    let reply = send(address, "OPTIONS /mcp", &format!("Origin: {PAGE}\r\n{ask}"), "").await;
    assert_eq!((reply.status, reply.header("access-control-allow-origin")), (204, Some(PAGE)));
    let allowed = reply.header("access-control-allow-headers").unwrap();
    assert!(allowed.contains("authorization") && !allowed.contains("x-evil"), "{allowed}");
    assert_eq!(reply.header("access-control-allow-credentials"), None);
    let reply = send(address, "OPTIONS /mcp", &format!("Origin: https://evil.example\r\n{ask}"), "").await;
    assert_eq!((reply.status, reply.header("access-control-allow-origin")), (403, None));
}

#[tokio::test]
async fn threat_a_token_reused_elsewhere_ends_at_this_server() {
    // What a handler can get hold of is what it could send on.
    let seen: Arc<Mutex<Vec<Caller>>> = Arc::default();
    let keep = Arc::clone(&seen);
    let entry = tool("keep", "Keeps what it sees.").handler(move |context: Context, _: NoArguments| {
        keep.lock().unwrap().push(context.caller().clone());
        async { Ok::<_, ToolError>(Output::text("yes")) }
    });
    let stage = Stage::new(|builder| builder.tool(entry));
    stage.tokens.issue("a-token-of-its-own", grant("ada", "read"));
    assert_eq!(stage.with("a-token-of-its-own").call("keep").await.status, 200);
    let callers = seen.lock().unwrap();
    assert_eq!(callers.len(), 1);
    assert!(!format!("{callers:?}").contains("a-token-of-its-own"));
}

#[tokio::test]
async fn threat_one_authorization_server_posing_as_another_is_told_apart_letter_by_letter() {
    let stage = Stage::new(|builder| builder);
    for issuer in [
        format!("{ISSUER}/"),
        ISSUER.to_uppercase(),
        ISSUER.replace("login", "lоgin"),
        "https://login.example".into(),
    ] {
        let mut token = grant("ada", "read");
        token.issuer.clone_from(&issuer);
        stage.tokens.issue("posing", token);
        assert_eq!(stage.with("posing").call("look").await.status, 401, "{issuer}");
    }
}

#[tokio::test]
async fn threat_a_token_for_another_resource_is_refused() {
    let stage = Stage::new(|builder| builder);
    for audience in [
        "https://tools.example",
        "https://tools.example/mcp/",
        "https://TOOLS.example/mcp",
        "https://tools.example/%6dcp",
        "http://tools.example/mcp",
        "https://tools.example:443/mcp",
    ] {
        let mut token = grant("ada", "read");
        token.audiences = vec![audience.to_owned()];
        stage.tokens.issue("elsewhere", token.clone());
        assert_eq!(stage.with("elsewhere").call("look").await.status, 401, "{audience}");
        token.audiences.push(RESOURCE.to_owned());
        stage.tokens.issue("elsewhere", token);
        assert_eq!(stage.with("elsewhere").call("look").await.status, 200, "{audience}, and this one");
    }
}

#[tokio::test]
async fn threat_more_power_than_granted_is_refused_before_any_handler_runs() {
    let ran: Arc<Mutex<u32>> = Arc::default();
    let count = Arc::clone(&ran);
    let entry = tool("launch", "Counts its calls.").scope("launch").handler(move |_, _: NoArguments| {
        *count.lock().unwrap() += 1;
        async { Ok::<_, ToolError>(Output::text("yes")) }
    });
    let stage = Stage::new(|builder| builder.tool(entry));
    for token in ["reader", "writer", "admin", "powerless"] {
        assert_eq!(stage.with(token).call("launch").await.status, 403, "{token}");
    }
    assert_eq!(*ran.lock().unwrap(), 0);
    stage.tokens.issue("launcher", grant("ada", "read launch"));
    assert_eq!(stage.with("launcher").call("launch").await.status, 200);
    assert_eq!(*ran.lock().unwrap(), 1);
}

#[tokio::test]
async fn threat_credentials_in_urls_are_refused_and_nothing_repeats_them() {
    let stage = Stage::new(|builder| builder);
    let address = serve(&stage.server).await;
    let secret = "sesame-open-me";
    for (path, headers) in [
        (format!("/mcp?access_token={secret}"), String::new()),
        ("/mcp".to_owned(), format!("Authorization: Bearer {secret}\r\n")),
        ("/mcp".to_owned(), format!("Authorization: Bearer {secret} {secret}\r\n")),
        ("/mcp".to_owned(), format!("Authorization: Basic {secret}\r\n")),
        ("/mcp".to_owned(), format!("Authorization: Bearer {secret}\r\nAuthorization: Bearer {secret}\r\n")),
    ] {
        let reply = call(&stage, address, &path, "look", &headers).await;
        assert!(reply.status >= 400, "{reply:?}");
        assert!(!format!("{reply:?}").contains("sesame"), "{reply:?}");
    }
}

#[tokio::test]
async fn threat_smuggled_headers_are_refused_or_not_looked_at() {
    let entry = tool("route", "Goes by region.")
        .input_schema(json!({
            "type": "object",
            "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
        }))
        .handler(|_, _: serde_json::Value| async { Ok::<_, ToolError>(Output::text("yes")) });
    let stage = Stage::new(|builder| builder.tool(entry));
    let address = serve(&stage.server).await;
    let token = "Authorization: Bearer reader\r\n";
    for (headers, status) in [
        ("", 200),
        ("X-Region: north\r\n", 200),
        ("Mcp-Param-Region: north\r\n", 400),
        ("Mcp-Method: tools/list\r\n", 400),
        ("Mcp-Param-Region: a\u{1}b\r\n", 400),
    ] {
        let reply = call(&stage, address, "/mcp", "route", &format!("{headers}{token}")).await;
        assert_eq!(reply.status, status, "{headers:?}: {reply:?}");
    }
    let annotated = |name: &str| {
        let schema = json!({"type": "object", "properties": {"a": {"type": "string", "x-mcp-header": name}}});
        tool("t", "Answers.")
            .input_schema(schema)
            .handler(|_, _: serde_json::Value| async { Ok::<_, ToolError>(Output::text("yes")) })
    };
    for name in ["Mcp-Method", "mcp-param-x", "a b", "a\r\nb"] {
        let refused = Server::builder("annotated", "1.0.0").tool(annotated(name)).build();
        assert!(refused.is_err(), "{name:?}");
    }
    // Any other carries its prefix, so that it cannot take the place of a header with a meaning of its own.
    let stage = Stage::new(|builder| builder.tool(annotated("Authorization")));
    let reply = call(&stage, serve(&stage.server).await, "/mcp", "t", token).await;
    assert_eq!(reply.status, 200, "{reply:?}");
}

#[tokio::test]
async fn threat_private_data_on_trace_fields_is_kept_for_listed_keys_and_one_request() {
    let entry = tool("trace", "Shows its trace.").handler(|context: Context, _: NoArguments| async move {
        let trace = &context.caller().trace;
        let value = |key| trace.baggage.value(key).unwrap_or_default().to_owned();
        Ok::<_, ToolError>(Output::text(format!("{trace:?} {} {}", value("tenant"), value("session"))))
    });
    let stage =
        Stage::new(|builder| builder.tool(entry).baggage_keys(pm_mcp::BaggageKeys::new(["tenant"]).unwrap()));
    let address = serve(&stage.server).await;
    let token = "Authorization: Bearer reader\r\n";
    let with = format!("{token}baggage: tenant=north,session=private\r\n");
    let reply = call(&stage, address, "/mcp", "trace", &with).await;
    assert!(reply.body.contains("north") && !reply.body.contains("private"), "{reply:?}");
    let reply = call(&stage, address, "/mcp", "trace", token).await;
    assert!(!reply.body.contains("north"), "{reply:?}");
    let long = format!("{token}baggage: tenant={}\r\n", "x".repeat(10_000));
    let reply = call(&stage, address, "/mcp", "trace", &long).await;
    assert!(reply.status != 200 || !reply.body.contains("xxxx"), "{reply:?}");
}

#[tokio::test]
async fn threat_shared_caches_get_nothing_to_keep() {
    let stage = Stage::new(|builder| builder);
    let address = serve(&stage.server).await;
    for (headers, tool, status) in [
        ("Authorization: Bearer reader\r\n", "look", 200),
        ("Authorization: Bearer reader\r\n", "change", 403),
        ("Authorization: Bearer unknown\r\n", "look", 401),
        ("", "look", 401),
        ("Host: evil.example\r\n", "look", 403),
    ] {
        let reply = call(&stage, address, "/mcp", tool, headers).await;
        assert_eq!(reply.status, status);
        assert_eq!(reply.header("cache-control"), Some("no-store"), "{headers} {tool}");
        assert_eq!(reply.header("content-type"), Some("application/json"), "{headers} {tool}");
    }
}

#[tokio::test]
async fn threat_old_messages_cannot_be_had_again() {
    let stage = Stage::new(|builder| builder);
    let address = serve(&stage.server).await;
    let token = "Authorization: Bearer reader\r\n";
    let again = format!("{token}Last-Event-ID: 1\r\n");
    assert_eq!(call(&stage, address, "/mcp", "look", &again).await.status, 400);
    assert_eq!(
        send(address, "GET /mcp", &format!("{token}Accept: text/event-stream\r\n"), "").await.status,
        405
    );
    // The same message is a request of its own each time; no answer names an event to go on from.
    for _ in 0..2 {
        let only_streams = format!("{token}Accept: application/json;q=0, text/event-stream\r\n");
        let message = stage.client().request("tools/call", json!({"name": "look"})).to_string();
        let headers = format!(
            "Content-Type: application/json\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n\
             Mcp-Name: look\r\n{only_streams}"
        );
        let reply = send(address, "POST /mcp", &headers, &message).await;
        assert_eq!((reply.status, reply.header("content-type")), (200, Some("text/event-stream")));
        assert!(reply.body.contains("data: ") && !reply.body.contains("\nid:"), "{reply:?}");
    }
}
