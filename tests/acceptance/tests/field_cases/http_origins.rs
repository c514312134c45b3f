//! Pages of other sites, and names that lead to this machine.

use std::io::{Read, Write};
use std::net::TcpStream;

use pm_mcp_acceptance::{HttpRequest, HttpServer, PATIENCE, Project, request};
use serde_json::json;

fn list() -> HttpRequest {
    HttpRequest::of(&request(7, "tools/list", json!({})))
}

#[test]
fn c24_foreign_hosts_and_origins_are_refused_before_the_body_is_read() {
    let http = HttpServer::of(&Project::small());
    let rows = [("Host", "evil.example"), ("Origin", "https://evil.example"), ("Origin", "null")];
    for (name, value) in rows {
        let reply = list().with(name, value).with("Authorization", "Bearer x").send(http.address());
        assert_eq!(reply.status, 403, "{name}: {value}");
        assert_eq!(reply.header("www-authenticate"), "");
    }
    assert_eq!(list().send(http.address()).status, 200);

    // The head alone is enough: the body that it announces never comes.
    let mut stream = TcpStream::connect(http.address()).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(
        stream,
        "POST /mcp HTTP/1.1\r\nHost: {}\r\nOrigin: https://evil.example\r\nContent-Type: application/json\r\n\
         Content-Length: 1000\r\n\r\n",
        http.address()
    )
    .unwrap();
    let mut start = [0_u8; 12];
    stream.read_exact(&mut start).unwrap();
    assert_eq!(&start, b"HTTP/1.1 403");
}

#[test]
fn c32_an_allowed_page_can_read_every_reply_and_a_foreign_one_none() {
    let project = Project::small();
    let app = "https://app.example";
    let http = HttpServer::start(project.root(), &[("PM_MCP_HTTP_ALLOWED_ORIGINS", app)]);
    let wanted =
        "mcp-protocol-version, mcp-method, mcp-name, mcp-param-pm-workspace, authorization, content-type";
    let preflight = |origin: &str| {
        HttpRequest::post(Vec::new())
            .by("OPTIONS")
            .with("Origin", origin)
            .with("Access-Control-Request-Method", "POST")
            .with("Access-Control-Request-Headers", wanted)
            .send(http.address())
    };
    let allowed = preflight(app);
    assert!(matches!(allowed.status, 200 | 204), "{allowed:?}");
    assert_eq!(allowed.header("access-control-allow-origin"), app);
    assert_eq!(allowed.header("access-control-allow-credentials"), "");
    let headers = allowed.header("access-control-allow-headers").to_lowercase();
    for header in wanted.split(", ") {
        assert!(headers.contains(header), "{header} is not among {headers}");
    }

    let long = HttpRequest::post(vec![b' '; (4 << 20) + 1]).with("Mcp-Method", "tools/list");
    let rows = [(list(), 200), (list().with("Mcp-Method", "x"), 400), (long, 413)];
    for (request, status) in rows {
        let reply = request.clone().with("Origin", app).send(http.address());
        assert_eq!((reply.status, reply.header("access-control-allow-origin")), (status, app));
        let exposed = reply.header("access-control-expose-headers").to_lowercase();
        assert!(exposed.contains("www-authenticate"), "{status}: {exposed:?}");
        let foreign = request.with("Origin", "https://evil.example").send(http.address());
        assert_eq!((foreign.status, foreign.header("access-control-allow-origin")), (403, ""));
    }
    assert_eq!(preflight("https://evil.example").header("access-control-allow-origin"), "");
}
