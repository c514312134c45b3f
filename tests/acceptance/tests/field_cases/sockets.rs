//! Peers that are slow, leave, or send more than they said.

use std::io::{Read, Write};
use std::net::TcpStream;

use pm_mcp_acceptance::{HttpServer, PATIENCE, Project, request};
use serde_json::json;

fn connect(http: &HttpServer) -> TcpStream {
    let stream = TcpStream::connect(http.address()).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

fn head(http: &HttpServer, more: &str) -> String {
    format!(
        "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nAccept: */*\r\n\
         MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\n{more}\r\n",
        http.address()
    )
}

/// Everything up to the end of the connection.
fn rest_of(mut stream: TcpStream) -> String {
    let mut all = Vec::new();
    drop(stream.read_to_end(&mut all));
    String::from_utf8_lossy(&all).into_owned()
}

#[test]
fn c29_no_length_smuggles_a_request() {
    let http = HttpServer::of(&Project::small());
    let body = request("first", "tools/list", json!({})).to_string();
    let hidden = request("hidden", "tools/list", json!({})).to_string();
    let shapes = [
        ("two lengths", format!("Content-Length: {}\r\nContent-Length: 3\r\n", body.len())),
        ("a length and chunks", format!("Content-Length: {}\r\nTransfer-Encoding: chunked\r\n", body.len())),
        ("chunks twice", "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n".to_owned()),
        ("a length with a sign", format!("Content-Length: +{}\r\n", body.len())),
        ("chunks with a blank before the colon", "Transfer-Encoding : chunked\r\n".to_owned()),
        (
            "chunks that end in a folded line",
            format!("Content-Length: {}\r\nTransfer-Encoding:\r\n chunked\r\n", body.len()),
        ),
        (
            "a bare line feed before chunks",
            format!("Content-Length: {}\nTransfer-Encoding: chunked\r\n", body.len()),
        ),
        ("a length that is no number", "Content-Length: 0x10\r\n".to_owned()),
        ("a length with a blank before the colon", format!("Content-Length : {}\r\n", body.len())),
    ];
    for (what, lengths) in shapes {
        let mut stream = connect(&http);
        let inner =
            head(&http, &format!("Content-Length: {}\r\nConnection: close\r\n", hidden.len())) + &hidden;
        let whole = head(&http, &lengths) + &body + "\r\n0\r\n\r\n" + &inner;
        drop(stream.write_all(whole.as_bytes()));
        let said = rest_of(stream);
        assert!(!said.contains("hidden"), "{what}: {said}");
        assert!(said.is_empty() || said.starts_with("HTTP/1.1 400"), "{what}: {said}");
    }
    assert_eq!(http.exchange(&request(8, "tools/list", json!({}))).status, 200);
}

#[test]
fn c29_bytes_beyond_the_declared_length_are_no_part_of_the_request() {
    let http = HttpServer::of(&Project::small());
    let body = request("first", "tools/list", json!({})).to_string();
    let mut stream = connect(&http);
    let whole = head(&http, &format!("Content-Length: {}\r\n", body.len()))
        + &body
        + "garbage that nobody declared\r\n\r\n";
    stream.write_all(whole.as_bytes()).unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let said = rest_of(stream);
    assert!(said.starts_with("HTTP/1.1 200"), "{said}");
    assert!(said.contains("\"id\":\"first\""), "{said}");
    assert_eq!(http.exchange(&request(8, "tools/list", json!({}))).status, 200);
}
