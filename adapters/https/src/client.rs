//! The client.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_ports::driven::{FetchError, FetchRequest, FetchResponse, HttpFetch};
use rustls::ClientConfig;
use rustls::crypto::ring::default_provider;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use crate::exchange::exchange;
use crate::settings::{HttpsError, HttpsSettings};

/// Fetches small documents. Cloning it is cheap.
#[derive(Clone)]
pub struct HttpsClient {
    settings: HttpsSettings,
    tls: TlsConnector,
}

impl HttpsClient {
    /// A client within these bounds. It reads the certificates that the system trusts, once.
    ///
    /// # Errors
    ///
    /// [`HttpsError`] when nobody's certificate could be believed.
    pub fn new(settings: HttpsSettings) -> Result<Self, HttpsError> {
        let roots = settings.roots.store()?;
        let mut config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|fault| HttpsError::Tls(Box::new(fault)))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self { settings, tls: TlsConnector::from(Arc::new(config)) })
    }
}

impl fmt::Debug for HttpsClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpsClient")
            .field("reach", &self.settings.reach)
            .field("exchange_limit", &self.settings.exchange_limit)
            .finish_non_exhaustive()
    }
}

#[deny(clippy::missing_trait_methods, reason = "a client answers every call of the port itself")]
#[async_trait]
impl HttpFetch for HttpsClient {
    async fn fetch(&self, request: FetchRequest) -> Result<FetchResponse, FetchError> {
        let limit = self.settings.exchange_limit;
        match timeout(limit, exchange(&self.settings, &self.tls, request)).await {
            Ok(outcome) => outcome,
            Err(late) => Err(FetchError::Unavailable(Box::new(late))),
        }
    }
}
