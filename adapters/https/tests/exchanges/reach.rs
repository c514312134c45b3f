//! Where requests may go.

use pm_mcp_domain::authorization::HttpUrl;
use pm_mcp_https::{Reach, Roots};
use pm_mcp_ports::driven::{FetchError, FetchRequest, HttpFetch as _};

use crate::server::{Server, client, plain};

fn refused(outcome: Result<impl std::fmt::Debug, FetchError>) -> String {
    match outcome {
        Err(FetchError::NotAllowed { why }) => why,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn plain_http_goes_to_this_machine_only() {
    let url = HttpUrl::parse("http://192.0.2.1/").unwrap();
    let why = refused(plain().fetch(FetchRequest::json(url, 10)).await);
    assert!(why.contains("use https"), "{why}");
}

#[tokio::test]
async fn this_machine_is_out_of_reach_unless_allowed() {
    let mut server = Server::tls("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "localhost").await;
    let roots = Roots::Only(vec![server.certificate.clone()]);
    for host in ["localhost", "127.0.0.1", "127.1", "2130706433"] {
        let request = FetchRequest::json(server.url("https", host, "/"), 10);
        let why = refused(client(Reach::Public, roots.clone()).fetch(request).await);
        // The last two are ways to write 127.0.0.1 that no certificate can name.
        assert!(why.contains("reach") || why == "the host is no name", "{why}");
    }
    assert!(server.requests.try_recv().is_err(), "the server was connected to");
}

#[tokio::test]
async fn private_addresses_are_out_of_reach_unless_allowed() {
    let server = Server::tls("", "localhost").await;
    let roots = Roots::Only(vec![server.certificate.clone()]);
    for host in ["169.254.169.254", "10.0.0.1", "[fd00::1]", "[::ffff:10.0.0.1]"] {
        let url = HttpUrl::parse(&format!("https://{host}/latest/meta-data")).unwrap();
        refused(client(Reach::PublicAndLoopback, roots.clone()).fetch(FetchRequest::json(url, 10)).await);
    }
}
