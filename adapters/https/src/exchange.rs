//! One request and its response on a connection of its own.

use std::io;
use std::net::{IpAddr, SocketAddr};

use bytes::Bytes;
use http::header::{CONNECTION, CONTENT_TYPE, HOST, HeaderName, HeaderValue, USER_AGENT};
use http::{Method, Request, Response};
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper::rt::{Read, Write};
use hyper_util::rt::TokioIo;
use pm_mcp_domain::authorization::HttpUrl;
use pm_mcp_ports::driven::{FetchError, FetchMethod, FetchRequest, FetchResponse};
use rustls::pki_types::ServerName;
use tokio::net::{TcpStream, lookup_host};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use crate::address::is_loopback;
use crate::settings::HttpsSettings;

/// The most bytes of the head of a response.
const LONGEST_HEAD: usize = 64 << 10;
/// The most headers of a response.
const MOST_HEADERS: usize = 100;

pub(crate) async fn exchange(
    settings: &HttpsSettings,
    tls: &TlsConnector,
    request: FetchRequest,
) -> Result<FetchResponse, FetchError> {
    let (url, longest_body) = (request.url.clone(), request.longest_body);
    if !url.is_protected() {
        return Err(not_allowed("plain HTTP to another machine; use https"));
    }
    let message = message(request)?;
    if url.is_https() {
        let name = ServerName::try_from(bare_host(&url).to_owned())
            .map_err(|_| not_allowed("the host is no name"))?;
        let connecting = async {
            let stream = connect(settings, &url).await?;
            tls.connect(name, stream).await.map_err(unavailable)
        };
        let stream = timeout(settings.connect_limit, connecting).await.map_err(unavailable)??;
        converse(TokioIo::new(stream), message, longest_body).await
    } else {
        let connecting = connect(settings, &url);
        let stream = timeout(settings.connect_limit, connecting).await.map_err(unavailable)??;
        converse(TokioIo::new(stream), message, longest_body).await
    }
}

/// The request as hyper sends it.
fn message(request: FetchRequest) -> Result<Request<Full<Bytes>>, FetchError> {
    let url = &request.url;
    let target = match (url.path(), url.query()) {
        ("", None) => "/".to_owned(),
        (path, None) => path.to_owned(),
        ("", Some(query)) => format!("/?{query}"),
        (path, Some(query)) => format!("{path}?{query}"),
    };
    let (method, content_type, body) = match request.method {
        FetchMethod::Get => (Method::GET, None, Vec::new()),
        FetchMethod::Post { content_type, body } => (Method::POST, Some(content_type), body),
    };
    let mut message = Request::new(Full::new(Bytes::from(body)));
    *message.method_mut() = method;
    *message.uri_mut() = target.parse().map_err(|_| not_allowed("the path is none that HTTP can say"))?;
    let headers = message.headers_mut();
    let host = HeaderValue::from_str(url.authority()).map_err(|_| not_allowed("the host is no name"))?;
    headers.insert(HOST, host);
    headers.insert(CONNECTION, HeaderValue::from_static("close"));
    headers.insert(USER_AGENT, HeaderValue::from_static(concat!("pm-mcp/", env!("CARGO_PKG_VERSION"))));
    if let Some(content_type) = content_type {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    }
    for (name, value) in &request.headers {
        let known =
            HeaderName::try_from(name.as_str()).map_err(|_| not_allowed("the name of a header is none"))?;
        let mut value = HeaderValue::from_str(value).map_err(|_| {
            not_allowed(&format!("the value of the header {name} has characters that no header has"))
        })?;
        value.set_sensitive(true);
        headers.append(known, value);
    }
    Ok(message)
}

/// A connection to the first address of the host that is allowed and answers.
async fn connect(settings: &HttpsSettings, url: &HttpUrl) -> Result<TcpStream, FetchError> {
    let found = lookup_host((bare_host(url), url.port())).await.map_err(unavailable)?;
    let allowed: Vec<SocketAddr> = found.filter(|address| may_reach(settings, url, address.ip())).collect();
    if allowed.is_empty() {
        return Err(not_allowed(&format!(
            "{} leads only to addresses outside the reach of the settings ({:?}); widen it if the host is trusted",
            url.host(),
            settings.reach
        )));
    }
    let mut last = None;
    for address in allowed {
        match TcpStream::connect(address).await {
            Ok(stream) => return Ok(stream),
            Err(fault) => last = Some(fault),
        }
    }
    Err(unavailable(last.unwrap_or_else(|| io::Error::from(io::ErrorKind::AddrNotAvailable))))
}

fn may_reach(settings: &HttpsSettings, url: &HttpUrl, address: IpAddr) -> bool {
    settings.reach.allows(address) && (url.is_https() || is_loopback(address))
}

/// The host without the brackets of an IPv6 address.
fn bare_host(url: &HttpUrl) -> &str {
    let host = url.host();
    host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host)
}

/// Drives the connection for as long as the exchange lasts.
struct Driver(JoinHandle<()>);

impl Drop for Driver {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn converse<S: Read + Write + Unpin + Send + 'static>(
    stream: S,
    message: Request<Full<Bytes>>,
    longest_body: usize,
) -> Result<FetchResponse, FetchError> {
    let mut protocol = http1::Builder::new();
    protocol.max_buf_size(LONGEST_HEAD).max_headers(MOST_HEADERS);
    let (mut sender, connection) = protocol.handshake(stream).await.map_err(unavailable)?;
    // What ends the connection early reaches the sender as the error of its request.
    let _driver = Driver(tokio::spawn(async move { drop(connection.await) }));
    let response = sender.send_request(message).await.map_err(unavailable)?;
    read(response, longest_body).await
}

async fn read(response: Response<Incoming>, longest_body: usize) -> Result<FetchResponse, FetchError> {
    let (head, body) = response.into_parts();
    let headers = head.headers.iter().filter_map(|(name, value)| {
        value.to_str().ok().map(|value| (name.as_str().to_owned(), value.to_owned()))
    });
    let headers = headers.collect();
    let body = Limited::new(body, longest_body).collect().await.map_err(|fault| {
        if fault.is::<LengthLimitError>() {
            FetchError::TooLong { longest_body }
        } else {
            FetchError::Unavailable(fault)
        }
    })?;
    Ok(FetchResponse { status: head.status.as_u16(), headers, body: body.to_bytes().to_vec() })
}

fn not_allowed(why: &str) -> FetchError {
    FetchError::NotAllowed { why: why.to_owned() }
}

fn unavailable(fault: impl std::error::Error + Send + Sync + 'static) -> FetchError {
    FetchError::Unavailable(Box::new(fault))
}
