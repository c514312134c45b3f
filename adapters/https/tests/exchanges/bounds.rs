//! What is sent, and how much of the answer is read.

use std::time::Duration;

use pm_mcp_domain::authorization::HttpUrl;
use pm_mcp_https::{HttpsClient, HttpsSettings, Reach, Roots};
use pm_mcp_ports::driven::{FetchError, FetchRequest, HttpFetch as _};
use tokio::net::TcpListener;

use crate::server::{Server, plain};

#[tokio::test]
async fn a_form_is_handed_in_and_the_answer_is_given_whole() {
    let answer = "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nX-A: 1\r\nX-A: 2\r\n\r\n{\"error\":\"x\"}";
    let mut server = Server::plain(answer).await;
    let request =
        FetchRequest::form(server.url("http", "127.0.0.1", "/token?x=1"), "a=b&c=d".to_owned(), 100)
            .with_header("Authorization", "Basic c2VjcmV0OnNlY3JldA==".to_owned());
    assert!(!format!("{request:?}").contains("c2Vj"), "{request:?}");
    assert!(!format!("{request:?}").contains("a=b"), "{request:?}");
    let response = plain().fetch(request).await.unwrap();
    assert_eq!((response.status, response.body.as_slice()), (400, &b"{\"error\":\"x\"}"[..]));
    assert_eq!(response.header("x-a").collect::<Vec<_>>(), ["1", "2"]);
    let said = server.requests.recv().await.unwrap();
    assert!(said.starts_with("POST /token?x=1 HTTP/1.1\r\n"), "{said}");
    assert!(said.contains("content-type: application/x-www-form-urlencoded\r\n"), "{said}");
    assert!(said.contains("authorization: Basic c2Vj"), "{said}");
    assert!(said.ends_with("\r\n\r\na=b&c=d"), "{said}");
}

#[tokio::test]
async fn no_redirect_is_followed() {
    let mut server =
        Server::plain("HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n").await;
    let response = plain().fetch(FetchRequest::json(server.url("http", "127.0.0.1", ""), 100)).await.unwrap();
    assert_eq!((response.status, response.header("location").next()), (302, Some("/elsewhere")));
    assert!(server.requests.recv().await.unwrap().starts_with("GET / HTTP/1.1\r\n"));
    assert!(server.requests.try_recv().is_err(), "a second request was sent");
}

#[tokio::test]
async fn no_more_is_read_than_allowed() {
    for answer in [
        format!("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{}", "x".repeat(11)),
        format!("HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n{}", "x".repeat(5000)),
        format!("HTTP/1.1 200 OK\r\n\r\n{}", "x".repeat(5000)),
        format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n{}\r\n0\r\n\r\n", "x".repeat(11)),
    ] {
        let server = Server::plain(answer.clone()).await;
        let outcome = plain().fetch(FetchRequest::json(server.url("http", "127.0.0.1", "/"), 10)).await;
        assert!(matches!(outcome, Err(FetchError::TooLong { longest_body: 10 })), "{answer}: {outcome:?}");
    }
}

#[tokio::test]
async fn half_an_answer_is_none() {
    for answer in [
        String::new(),
        "nonsense\r\n\r\n".to_owned(),
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf".to_owned(),
        format!("HTTP/1.1 200 OK\r\nX: {}\r\n\r\n", "x".repeat(300_000)),
        format!("HTTP/1.1 200 OK\r\n{}\r\n", "X: x\r\n".repeat(101)),
    ] {
        let server = Server::plain(answer.clone()).await;
        let outcome = plain().fetch(FetchRequest::json(server.url("http", "127.0.0.1", "/"), 100)).await;
        assert!(matches!(outcome, Err(FetchError::Unavailable(_))), "{answer:.40}: {outcome:?}");
    }
}

#[tokio::test]
async fn a_silent_server_is_not_waited_for() {
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = HttpUrl::parse(&format!("http://{}/", silent.local_addr().unwrap())).unwrap();
    let settings = HttpsSettings {
        reach: Reach::PublicAndLoopback,
        exchange_limit: Duration::from_millis(50),
        roots: Roots::System,
        ..HttpsSettings::default()
    };
    // Where the system trusts nobody there is no client with its roots.
    let Ok(client) = HttpsClient::new(settings) else {
        eprintln!("SKIPPED a silent server: the system trusts no certificate authority");
        return;
    };
    let outcome = client.fetch(FetchRequest::json(url, 100)).await;
    assert!(matches!(outcome, Err(FetchError::Unavailable(_))), "{outcome:?}");
}

#[tokio::test]
async fn headers_that_are_none_are_not_sent() {
    let url = HttpUrl::parse("http://127.0.0.1:9/").unwrap();
    for (name, value) in [("X y", "v"), ("X", "v\r\nY: z"), ("", "v")] {
        let request = FetchRequest::json(url.clone(), 10).with_header(name, value.to_owned());
        let outcome = plain().fetch(request).await;
        assert!(matches!(outcome, Err(FetchError::NotAllowed { .. })), "{name}: {outcome:?}");
    }
}
