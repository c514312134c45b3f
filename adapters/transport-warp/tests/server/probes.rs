//! What those who run a server ask it.

use std::sync::atomic::Ordering;

use pm_mcp_transport_warp::Http;

use crate::support::{Reply, Server};

async fn get(server: &Server, line: &str, headers: &str) -> Reply {
    let mut client = server.connect().await;
    client.send(format!("{line} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n")).await;
    let mut reply = client.head().await;
    reply.body = client.closed().await;
    reply
}

#[tokio::test]
async fn a_server_says_that_it_lives_and_whether_it_is_ready() {
    let server = Server::start().await;
    for path in ["/livez", "/readyz"] {
        // Who probes knows an address only, and needs no token.
        for headers in ["Host: 10.1.2.3:8080\r\n", "Host: localhost\r\n"] {
            let reply = get(&server, &format!("GET {path}"), headers).await;
            assert_eq!((reply.status, reply.body.as_str()), (200, "ok\n"), "{path}: {reply:?}");
            assert_eq!(reply.header("cache-control"), Some("no-store"));
            assert_eq!(reply.header("access-control-allow-origin"), None, "pages read nothing of it");
        }
        let reply = get(&server, &format!("HEAD {path}"), "Host: localhost\r\n").await;
        assert_eq!((reply.status, reply.body.as_str()), (200, ""), "{path}");
        let reply = get(&server, &format!("POST {path}"), "Host: localhost\r\n").await;
        assert_eq!((reply.status, reply.header("allow")), (405, Some("GET, HEAD")), "{path}");
    }
    server.script.ready.store(false, Ordering::Relaxed);
    let reply = get(&server, "GET /readyz", "Host: localhost\r\n").await;
    assert_eq!((reply.status, reply.body.as_str()), (503, "not ready\n"));
    assert_eq!(get(&server, "GET /livez", "Host: localhost\r\n").await.status, 200);
    assert_eq!(get(&server, "GET /readyz/", "Host: localhost\r\n").await.status, 404);
    assert_eq!(server.script.calls.available_permits(), 0, "the service is asked nothing else");
}

#[tokio::test]
async fn a_server_that_answers_no_probes_has_nothing_there() {
    let server = Server::on(Http::bind("127.0.0.1:0").probes(false)).await;
    for path in ["/livez", "/readyz"] {
        assert_eq!(get(&server, &format!("GET {path}"), "Host: localhost\r\n").await.status, 404, "{path}");
        assert_eq!(
            get(&server, &format!("GET {path}"), "Host: evil.example\r\n").await.status,
            403,
            "{path}"
        );
    }
}
