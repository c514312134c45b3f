//! A server over HTTP.

use core::time::Duration;
use std::sync::Arc;

use bytes::Bytes;
use http::{Method, Request};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper::rt::{Read, Write};
use hyper_util::rt::TokioIo;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};
use tokio_rustls::TlsConnector;

use super::{Headers, Heard, LONGEST, Unheard};
use crate::url::Url;

/// One URL, with a connection for each message.
#[derive(Debug)]
pub(crate) struct HttpPeer {
    url: Url,
    token: Option<String>,
    /// What servers with a handshake want to be reminded of.
    pub(crate) session: Option<String>,
    /// Whether requests carry the headers of the present revision.
    pub(crate) present: bool,
    patience: Duration,
}

/// A document that was fetched.
#[derive(Debug, Clone)]
pub(crate) struct Document {
    pub(crate) status: u16,
    pub(crate) body: String,
}

impl HttpPeer {
    pub(crate) const fn new(url: Url, token: Option<String>, patience: Duration) -> Self {
        Self { url, token, session: None, present: true, patience }
    }

    pub(crate) const fn url(&self) -> &Url {
        &self.url
    }

    pub(crate) const fn has_token(&self) -> bool {
        self.token.is_some()
    }

    /// Posts a body with the usual headers, changed by `change`.
    pub(crate) async fn post(&self, text: &str, id: Option<u64>, change: &Headers) -> Result<Heard, Unheard> {
        let mut headers: Vec<(&str, String)> = vec![
            ("host", self.url.authority().to_owned()),
            ("content-type", "application/json".to_owned()),
            ("accept", "application/json, text/event-stream".to_owned()),
            ("user-agent", concat!("pm-mcp-doctor/", env!("CARGO_PKG_VERSION")).to_owned()),
        ];
        if let Ok(message) = serde_json::from_str::<Value>(text) {
            self.add_mirrored(&mut headers, &message);
        }
        headers.extend(self.token.iter().map(|token| ("authorization", format!("Bearer {token}"))));
        headers.extend(self.session.iter().map(|session| ("mcp-session-id", session.clone())));
        headers.retain(|(name, _)| {
            !change.without.contains(name) && !change.set.iter().any(|(set, _)| set == name)
        });
        headers.extend(change.set.iter().map(|(name, value)| (*name, value.clone())));
        self.exchange(&self.url, Method::POST, &headers, text, id).await
    }

    /// What the revision repeats of a body in headers.
    fn add_mirrored(&self, headers: &mut Vec<(&str, String)>, message: &Value) {
        let params = message.get("params");
        let meta = params.and_then(|params| params.get("_meta"));
        let version = meta.and_then(|meta| meta.get("io.modelcontextprotocol/protocolVersion"));
        if let Some(version) = version.and_then(Value::as_str) {
            headers.push(("mcp-protocol-version", version.to_owned()));
        } else if !self.present && message.get("method").and_then(Value::as_str) != Some("initialize") {
            headers.push(("mcp-protocol-version", crate::message::EARLIER.to_owned()));
        }
        if !self.present {
            return;
        }
        if let Some(method) = message.get("method").and_then(Value::as_str) {
            headers.push(("mcp-method", method.to_owned()));
            let member = if method == "resources/read" { "uri" } else { "name" };
            if let Some(name) = params.and_then(|params| params.get(member)).and_then(Value::as_str) {
                headers.push(("mcp-name", name.to_owned()));
            }
        }
    }

    /// A request without body.
    pub(crate) async fn request(&self, method: Method, accept: &str) -> Result<Heard, Unheard> {
        let mut headers = vec![("host", self.url.authority().to_owned()), ("accept", accept.to_owned())];
        headers.extend(self.token.iter().map(|token| ("authorization", format!("Bearer {token}"))));
        self.exchange(&self.url, method, &headers, "", None).await
    }

    /// A document of any host, asked for without the token.
    pub(crate) async fn fetch(&self, url: &Url) -> Result<Document, Unheard> {
        let headers = [("host", url.authority().to_owned()), ("accept", "application/json".to_owned())];
        let heard = self.exchange(url, Method::GET, &headers, "", None).await?;
        let body = match heard.messages.first() {
            Some(message) => message.to_string(),
            None => heard.stray,
        };
        Ok(Document { status: heard.status.unwrap_or_default(), body })
    }

    async fn exchange(
        &self,
        url: &Url,
        method: Method,
        headers: &[(&str, String)],
        body: &str,
        id: Option<u64>,
    ) -> Result<Heard, Unheard> {
        let began = Instant::now();
        let mut request = Request::builder().method(method).uri(url.path());
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        let request = request
            .body(Full::new(Bytes::from(body.to_owned())))
            .map_err(|error| Unheard::Unreachable(error.to_string()))?;
        let answered = async {
            let stream = TcpStream::connect((url.host(), url.port()))
                .await
                .map_err(|error| Unheard::Unreachable(error.to_string()))?;
            if !url.is_secure() {
                return converse(TokioIo::new(stream), request, id).await;
            }
            let name = ServerName::try_from(url.host().to_owned())
                .map_err(|error| Unheard::Unreachable(error.to_string()))?;
            let secured = secure()?.connect(name, stream).await;
            let secured = secured.map_err(|error| Unheard::Unreachable(format!("TLS: {error}")))?;
            converse(TokioIo::new(secured), request, id).await
        };
        let mut heard =
            timeout(self.patience, answered).await.map_err(|_| Unheard::Silent(self.patience))??;
        heard.took = began.elapsed();
        Ok(heard)
    }
}

fn secure() -> Result<TlsConnector, Unheard> {
    let mut roots = rustls::RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| Unheard::Unreachable(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}

async fn converse<S>(stream: S, request: Request<Full<Bytes>>, id: Option<u64>) -> Result<Heard, Unheard>
where
    S: Read + Write + Unpin + Send + 'static,
{
    let no_http = |error: hyper::Error| Unheard::NoHttp(error.to_string());
    let (mut sender, connection) = http1::handshake(stream).await.map_err(no_http)?;
    let driver = tokio::spawn(connection);
    let answered = async {
        let response = sender.send_request(request).await.map_err(no_http)?;
        let mut heard = Heard { status: Some(response.status().as_u16()), ..Heard::default() };
        heard.headers = response
            .headers()
            .iter()
            .map(|(name, value)| {
                (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
            })
            .collect();
        let streamed = heard.header("content-type").is_some_and(|kind| kind.starts_with("text/event-stream"));
        read(response.into_body(), streamed, id, &mut heard).await?;
        Ok(heard)
    };
    let answered = answered.await;
    driver.abort();
    answered
}

/// Reads a body; one of events only up to the answer, as streams may stay open.
async fn read(mut body: Incoming, streamed: bool, id: Option<u64>, heard: &mut Heard) -> Result<(), Unheard> {
    let mut text: Vec<u8> = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| Unheard::NoHttp(error.to_string()))?;
        let Ok(data) = frame.into_data() else { continue };
        text.extend_from_slice(&data);
        if text.len() > LONGEST {
            return Err(Unheard::TooLong);
        }
        if streamed {
            heard.messages = events(&String::from_utf8_lossy(&text));
            if id.is_none_or(|id| heard.answer(id).is_some()) && !heard.messages.is_empty() {
                return Ok(());
            }
        }
    }
    let text = String::from_utf8_lossy(&text).into_owned();
    if streamed {
        return Ok(());
    }
    match serde_json::from_str(&text) {
        Ok(message) => heard.messages.push(message),
        Err(_) => heard.stray = text,
    }
    Ok(())
}

/// The messages of whole events ([Server-sent events](https://html.spec.whatwg.org/multipage/server-sent-events.html)).
fn events(text: &str) -> Vec<Value> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let whole = text.rfind("\n\n").map_or("", |end| text.get(..end).unwrap_or_default());
    let data = |event: &str| -> String {
        let lines = event.lines().filter_map(|line| line.strip_prefix("data:"));
        lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n")
    };
    whole.split("\n\n").filter_map(|event| serde_json::from_str(&data(event)).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_when_they_are_whole() {
        let text = ": hello\n\nevent: message\ndata: {\"a\":\ndata: 1}\n\ndata: {\"b\":";
        assert_eq!(events(text), [serde_json::json!({"a": 1})]);
    }
}
