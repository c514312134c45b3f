//! A server that answers each connection with the same bytes and tells what it was asked.

use std::sync::Arc;
use std::time::Duration;

use pm_mcp_domain::authorization::HttpUrl;
use pm_mcp_https::{HttpsClient, HttpsSettings, Reach, Roots};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::ServerConfig;
use rustls::pki_types::PrivatePkcs8KeyDer;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio_rustls::TlsAcceptor;

pub(crate) struct Server {
    pub(crate) port: u16,
    pub(crate) requests: UnboundedReceiver<String>,
    pub(crate) certificate: Vec<u8>,
}

impl Server {
    /// Answers over plain HTTP.
    pub(crate) async fn plain(answer: impl Into<Vec<u8>>) -> Self {
        Self::start(answer.into(), None).await
    }

    /// Answers over HTTPS with a certificate for this name.
    pub(crate) async fn tls(answer: impl Into<Vec<u8>>, name: &str) -> Self {
        let CertifiedKey { cert, signing_key } = generate_simple_self_signed(vec![name.to_owned()]).unwrap();
        let key = PrivatePkcs8KeyDer::from(signing_key.serialize_der());
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![cert.der().clone()], key.into())
            .unwrap();
        let mut server = Self::start(answer.into(), Some(TlsAcceptor::from(Arc::new(config)))).await;
        server.certificate = cert.der().to_vec();
        server
    }

    async fn start(answer: Vec<u8>, tls: Option<TlsAcceptor>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (sender, requests) = unbounded_channel();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let said = match &tls {
                    None => serve(stream, &answer).await,
                    Some(tls) => match tls.accept(stream).await {
                        Ok(stream) => serve(stream, &answer).await,
                        Err(fault) => format!("no handshake: {fault}"),
                    },
                };
                sender.send(said).ok();
            }
        });
        Self { port, requests, certificate: Vec::new() }
    }

    pub(crate) fn url(&self, scheme: &str, host: &str, rest: &str) -> HttpUrl {
        HttpUrl::parse(&format!("{scheme}://{host}:{}{rest}", self.port)).unwrap()
    }
}

async fn serve(mut stream: impl AsyncRead + AsyncWrite + Unpin, answer: &[u8]) -> String {
    let mut said = Vec::new();
    let mut chunk = [0; 1024];
    // Requests of these tests say their length, so that the head tells how much more there is.
    while !is_whole(&said) {
        match stream.read(&mut chunk).await {
            Ok(count @ 1..) => said.extend_from_slice(&chunk[..count]),
            Ok(0) | Err(_) => break,
        }
    }
    stream.write_all(answer).await.ok();
    stream.shutdown().await.ok();
    String::from_utf8(said).unwrap()
}

fn is_whole(said: &[u8]) -> bool {
    let text = String::from_utf8_lossy(said);
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length =
        head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ").map(str::to_owned));
    body.len() >= length.map_or(0, |length| length.parse().unwrap())
}

pub(crate) fn client(reach: Reach, roots: Roots) -> HttpsClient {
    let limit = Duration::from_secs(20);
    HttpsClient::new(HttpsSettings { reach, roots, connect_limit: limit, exchange_limit: limit }).unwrap()
}

/// A client that reaches this machine and believes this certificate.
pub(crate) fn local(certificate: &[u8]) -> HttpsClient {
    client(Reach::PublicAndLoopback, Roots::Only(vec![certificate.to_vec()]))
}

/// A client that reaches this machine over plain HTTP.
pub(crate) fn plain() -> HttpsClient {
    let made = generate_simple_self_signed(vec!["unused".to_owned()]).unwrap();
    local(made.cert.der())
}
