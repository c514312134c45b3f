//! The same over real sockets: where a token may stand, what is told in headers, and the metadata.

use std::net::SocketAddr;

use pm_mcp::{Http, HttpError, HttpPolicy, Server};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::support::{METADATA, RESOURCE, Stage};

pub(crate) const PAGE: &str = "https://app.example";

/// A server on a port of its own, for pages of [`PAGE`].
pub(crate) async fn serve(server: &Server) -> SocketAddr {
    let policy = HttpPolicy { origins: vec![PAGE.to_owned()], ..HttpPolicy::loopback() };
    let bound =
        Http::bind("127.0.0.1:0").policy(policy).admission(server.admission()).listen().await.unwrap();
    let (address, server) = (bound.local_addr(), server.clone());
    tokio::spawn(async move { server.serve(bound).await });
    address
}

/// One answer, as text.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn all(&self, name: &str) -> Vec<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.filter(|(held, _)| held.eq_ignore_ascii_case(name)).map(|(_, value)| value).collect()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let all = self.all(name);
        assert!(all.len() <= 1, "{name} is there more than once: {self:?}");
        all.first().copied()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// Sends a request on a connection of its own. `headers` end with CR LF each.
pub(crate) async fn send(address: SocketAddr, line: &str, headers: &str, body: &str) -> Reply {
    let mut tcp = TcpStream::connect(address).await.unwrap();
    let host = if headers.to_ascii_lowercase().contains("host:") { "" } else { "Host: localhost\r\n" };
    let length = body.len();
    let text = format!(
        "{line} HTTP/1.1\r\n{host}Connection: close\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
    );
    tcp.write_all(text.as_bytes()).await.unwrap();
    let mut read = Vec::new();
    tcp.read_to_end(&mut read).await.unwrap();
    let text = String::from_utf8(read).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    Reply {
        status: head.split(' ').nth(1).unwrap().parse().unwrap(),
        head: head.to_owned(),
        body: body.to_owned(),
    }
}

/// Calls a tool with these further headers.
pub(crate) async fn call(stage: &Stage, address: SocketAddr, path: &str, tool: &str, headers: &str) -> Reply {
    let body = stage.client().request("tools/call", json!({"name": tool})).to_string();
    let headers = format!(
        "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
         MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: {tool}\r\n{headers}"
    );
    send(address, &format!("POST {path}"), &headers, &body).await
}

#[tokio::test]
async fn a_token_counts_in_one_authorization_header_only() {
    let stage = Stage::new(|builder| builder);
    let address = serve(&stage.server).await;
    for (path, headers, status) in [
        ("/mcp", "Authorization: Bearer reader\r\n", 200),
        ("/mcp", "authorization: bearer reader\r\n", 200),
        ("/mcp", "", 401),
        ("/mcp", "Authorization: Basic cmVhZGVyOg==\r\n", 401),
        ("/mcp", "Authorization: reader\r\n", 401),
        ("/mcp", "Authorization: Bearer reader, Bearer reader\r\n", 401),
        ("/mcp", "Authorization: Bearer reader\r\nAuthorization: Bearer reader\r\n", 400),
        ("/mcp", "X-Access-Token: reader\r\nCookie: access_token=reader\r\n", 401),
        ("/mcp?access_token=reader", "", 400),
        ("/mcp?x=1&access%5Ftoken=reader", "Authorization: Bearer reader\r\n", 400),
    ] {
        let reply = call(&stage, address, path, "look", headers).await;
        assert_eq!(reply.status, status, "{path} {headers}: {reply:?}");
        assert_eq!(reply.header("cache-control"), Some("no-store"), "{path} {headers}");
        assert_eq!(reply.header("content-type"), Some("application/json"), "{path} {headers}");
        assert_eq!(
            reply.header("www-authenticate").is_some(),
            status == 401 || path == "/mcp" && status == 400
        );
        assert!(!reply.body.contains("reader"), "{reply:?}");
    }
    let form = "Content-Type: application/x-www-form-urlencoded\r\n";
    let reply = send(address, "POST /mcp", form, "access_token=reader").await;
    assert_eq!(reply.status, 415, "{reply:?}");
}

/// Field case C23: whoever has no token is not sent to get one for what is not there.
#[tokio::test]
async fn c23_other_methods_are_refused_before_a_token_is_asked_for() {
    let stage = Stage::new(|builder| builder);
    let address = serve(&stage.server).await;
    for method in ["GET", "HEAD", "PUT", "DELETE"] {
        for token in ["", "Authorization: Bearer reader\r\n", "Authorization: Bearer nobody\r\n"] {
            let headers = format!("Accept: text/event-stream\r\n{token}");
            let reply = send(address, &format!("{method} /mcp"), &headers, "").await;
            assert_eq!((reply.status, reply.header("allow")), (405, Some("POST")), "{method} {token}");
            assert_eq!(reply.header("www-authenticate"), None, "{method} {token}");
            assert_ne!(reply.header("content-type"), Some("text/event-stream"), "{method} {token}");
        }
    }
}

/// Field case C24.
#[tokio::test]
async fn c24_foreign_hosts_and_origins_are_refused_before_a_token_is_asked_for() {
    let stage = Stage::new(|builder| builder);
    let address = serve(&stage.server).await;
    for foreign in ["Host: evil.example\r\n", "Origin: https://evil.example\r\n", "Origin: null\r\n"] {
        for token in ["", "Authorization: Bearer reader\r\n", "Authorization: Bearer nobody\r\n"] {
            let reply = call(&stage, address, "/mcp", "look", &format!("{foreign}{token}")).await;
            assert_eq!((reply.status, reply.header("www-authenticate")), (403, None), "{foreign} {token}");
        }
    }
    assert_eq!(call(&stage, address, "/mcp", "look", "").await.status, 401);
}

#[tokio::test]
async fn a_challenge_is_one_header_that_pages_may_read() {
    let stage = Stage::new(|builder| builder);
    let address = serve(&stage.server).await;
    let page = format!("Origin: {PAGE}\r\n");
    let reply = call(&stage, address, "/mcp", "change", &page).await;
    assert_eq!(reply.status, 401);
    let challenge = reply.header("www-authenticate").unwrap();
    assert_eq!(challenge, format!("Bearer resource_metadata=\"{METADATA}\", scope=\"read write\""));
    assert_eq!(reply.header("access-control-allow-origin"), Some(PAGE));
    assert_eq!(reply.header("access-control-expose-headers"), Some("WWW-Authenticate"));
    let little = format!("{page}Authorization: Bearer reader\r\n");
    let reply = call(&stage, address, "/mcp", "change", &little).await;
    assert_eq!(reply.status, 403);
    assert!(reply.header("www-authenticate").unwrap().contains("error=\"insufficient_scope\""));
    stage.tokens.set_unavailable(true);
    let reply = call(&stage, address, "/mcp", "look", &little).await;
    assert_eq!((reply.status, reply.header("www-authenticate")), (503, None));
}

#[tokio::test]
async fn the_metadata_is_at_its_places_for_everyone() {
    let stage = Stage::new(|builder| builder.title("Guarded"));
    let address = serve(&stage.server).await;
    for path in ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"] {
        // Pages of any origin may read it, without a token.
        let reply = send(address, &format!("GET {path}"), "Origin: https://elsewhere.example\r\n", "").await;
        assert_eq!((reply.status, reply.header("content-type")), (200, Some("application/json")));
        assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
        assert_eq!(
            reply.json(),
            json!({
                "resource": RESOURCE,
                "authorization_servers": ["https://login.example/t1"],
                "scopes_supported": ["read", "write"],
                "bearer_methods_supported": ["header"],
                "resource_name": "Guarded",
            })
        );
        for (line, status) in [("HEAD", 200), ("OPTIONS", 204), ("POST", 405), ("DELETE", 405)] {
            let reply = send(address, &format!("{line} {path}"), "", "").await;
            assert_eq!((reply.status, reply.body.as_str()), (status, ""), "{line}");
        }
        let rebound = send(address, &format!("GET {path}"), "Host: evil.example\r\n", "").await;
        assert_eq!(rebound.status, 403);
    }
    for path in ["/.well-known/oauth-protected-resource/other", "/.well-known/oauth-authorization-server"] {
        assert_eq!(send(address, &format!("GET {path}"), "", "").await.status, 404, "{path}");
    }
    let open = Server::builder("open", "1.0.0").build().unwrap();
    let reply = send(serve(&open).await, "GET /.well-known/oauth-protected-resource", "", "").await;
    assert_eq!(reply.status, 404, "a server that asks for no tokens has no metadata");
}

#[tokio::test]
async fn the_host_of_the_resource_is_a_name_of_the_server() {
    let stage = Stage::new(|builder| builder);
    let address = serve(&stage.server).await;
    let headers = "Host: tools.example\r\nAuthorization: Bearer reader\r\n";
    assert_eq!(call(&stage, address, "/mcp", "look", headers).await.status, 200);
    let other = "Host: other.example\r\nAuthorization: Bearer reader\r\n";
    assert_eq!(call(&stage, address, "/mcp", "look", other).await.status, 403);
}

#[tokio::test]
async fn other_machines_are_listened_to_only_by_servers_that_say_whom_they_let_in() {
    let open = Server::builder("open", "1.0.0").build().unwrap();
    let refused = open.serve(Http::bind("0.0.0.0:0")).await.unwrap_err();
    assert!(matches!(refused, HttpError::NonLoopback { .. }), "{refused}");
    let anyone = Server::builder("open", "1.0.0").allow_anonymous().build().unwrap();
    for server in [&anyone, &Stage::new(|builder| builder).server] {
        assert!(Http::bind("0.0.0.0:0").admission(server.admission()).listen().await.is_ok());
    }
    // Bound for a server that asks for tokens, and handed to one that does not.
    let bound = Http::bind("0.0.0.0:0").admission(anyone.admission()).listen().await.unwrap();
    open.serve(bound).await.unwrap();
}

/// C67.
#[tokio::test]
async fn c67_two_endpoints_below_a_base_path_have_their_own_metadata() {
    const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";
    for (own, other) in [("/base/a/mcp", "/base/b/mcp"), ("/base/b/mcp", "/base/a/mcp")] {
        let resource = format!("https://tools.example{own}");
        let stage = Stage::new(|builder| builder.resource_uri(resource.as_str()));
        let policy = HttpPolicy { endpoint: own.to_owned(), ..HttpPolicy::loopback() };
        let http = Http::bind("127.0.0.1:0").policy(policy).admission(stage.server.admission());
        let bound = http.listen().await.unwrap();
        let (address, server) = (bound.local_addr(), stage.server.clone());
        tokio::spawn(async move { server.serve(bound).await });
        let reply =
            send(address, &format!("GET {WELL_KNOWN}{own}"), "Origin: https://elsewhere.example\r\n", "")
                .await;
        assert_eq!((reply.status, reply.json()["resource"].as_str()), (200, Some(resource.as_str())));
        assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
        for path in [
            format!("{WELL_KNOWN}{other}"),
            format!("{WELL_KNOWN}{own}{own}"),
            format!("{WELL_KNOWN}/base"),
            format!("/base{WELL_KNOWN}{own}"),
            format!("{own}{WELL_KNOWN}"),
        ] {
            assert_eq!(send(address, &format!("GET {path}"), "", "").await.status, 404, "{path}");
        }
        let reply = call(&stage, address, own, "look", "").await;
        assert_eq!(reply.status, 401, "{reply:?}");
        let challenge = reply.header("www-authenticate").unwrap();
        assert!(challenge.contains(&format!("\"https://tools.example{WELL_KNOWN}{own}\"")), "{challenge}");
    }
}
