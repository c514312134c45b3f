//! Whose certificates are believed.

use pm_mcp_https::{HttpsClient, HttpsError, HttpsSettings, Reach, Roots};
use pm_mcp_ports::driven::{FetchError, FetchRequest, HttpFetch as _};

use crate::server::{Server, client, local};

const ANSWER: &str = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

#[tokio::test]
async fn a_server_with_a_believed_certificate_is_asked() {
    let mut server = Server::tls(ANSWER, "localhost").await;
    let request = FetchRequest::json(server.url("https", "localhost", "/.well-known/x"), 10);
    let response = local(&server.certificate).fetch(request).await.unwrap();
    assert_eq!((response.status, response.body.as_slice()), (200, &b"{}"[..]));
    let said = server.requests.recv().await.unwrap();
    assert!(said.starts_with("GET /.well-known/x HTTP/1.1\r\n"), "{said}");
    assert!(said.contains(&format!("host: localhost:{}\r\n", server.port)), "{said}");
    assert!(said.contains("accept: application/json\r\n"), "{said}");
}

#[tokio::test]
async fn a_certificate_for_another_name_is_not_believed() {
    let mut server = Server::tls(ANSWER, "other.example").await;
    let request = FetchRequest::json(server.url("https", "localhost", "/"), 10);
    let outcome = local(&server.certificate).fetch(request).await;
    assert!(matches!(outcome, Err(FetchError::Unavailable(_))), "{outcome:?}");
    assert!(server.requests.recv().await.unwrap().starts_with("no handshake"));
}

#[tokio::test]
async fn a_certificate_that_nobody_vouches_for_is_not_believed() {
    let server = Server::tls(ANSWER, "localhost").await;
    let other = Server::tls(ANSWER, "localhost").await;
    let roots = Roots::Only(vec![other.certificate.clone()]);
    let request = FetchRequest::json(server.url("https", "localhost", "/"), 10);
    let outcome = client(Reach::PublicAndLoopback, roots).fetch(request).await;
    assert!(matches!(outcome, Err(FetchError::Unavailable(_))), "{outcome:?}");
}

#[test]
fn a_client_that_could_believe_nobody_is_not_made() {
    let with = |roots| HttpsClient::new(HttpsSettings { roots, ..HttpsSettings::default() }).map(drop);
    assert!(matches!(with(Roots::Only(Vec::new())), Err(HttpsError::NoRoots)));
    assert!(matches!(with(Roots::Only(vec![b"none".to_vec()])), Err(HttpsError::Certificate(_))));
}
