//! How far, how long and whom to believe.

use std::time::Duration;

use rustls::pki_types::CertificateDer;
use thiserror::Error;

use crate::address::Reach;

/// The bounds of a client.
#[derive(Clone, Debug)]
pub struct HttpsSettings {
    /// Which addresses may be connected to; the public internet unless set.
    pub reach: Reach,
    /// How long finding the address, connecting and the handshake may take together; 5 s unless set.
    pub connect_limit: Duration,
    /// How long a whole exchange may take; 10 s unless set.
    pub exchange_limit: Duration,
    /// Whose certificates are believed; those that the system trusts unless set.
    pub roots: Roots,
}

impl Default for HttpsSettings {
    fn default() -> Self {
        Self {
            reach: Reach::default(),
            connect_limit: Duration::from_secs(5),
            exchange_limit: Duration::from_secs(10),
            roots: Roots::System,
        }
    }
}

/// Whose certificates are believed.
#[derive(Clone, Debug)]
pub enum Roots {
    /// The authorities that the system trusts.
    System,
    /// Those, and these certificates in DER.
    SystemAnd(Vec<Vec<u8>>),
    /// These certificates in DER and no others.
    Only(Vec<Vec<u8>>),
}

impl Roots {
    pub(crate) fn store(&self) -> Result<rustls::RootCertStore, HttpsError> {
        let (system, own): (bool, &[Vec<u8>]) = match self {
            Self::System => (true, &[]),
            Self::SystemAnd(own) => (true, own),
            Self::Only(own) => (false, own),
        };
        let mut store = rustls::RootCertStore::empty();
        for certificate in own {
            let certificate = CertificateDer::from(certificate.clone());
            store.add(certificate).map_err(|fault| HttpsError::Certificate(Box::new(fault)))?;
        }
        if system {
            let found = rustls_native_certs::load_native_certs();
            for fault in &found.errors {
                tracing::warn!(%fault, "a certificate store of the system cannot be read");
            }
            store.add_parsable_certificates(found.certs);
        }
        if store.is_empty() { Err(HttpsError::NoRoots) } else { Ok(store) }
    }
}

/// A client cannot be made.
#[derive(Debug, Error)]
pub enum HttpsError {
    /// No certificate authority is trusted, so that no server could be believed.
    #[error(
        "the system trusts no certificate authority; install its package of CA certificates, set SSL_CERT_FILE, or name the roots in the settings"
    )]
    NoRoots,
    /// A certificate of the settings cannot be read.
    #[error("a root certificate of the settings is no certificate in DER")]
    Certificate(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The crypto provider lacks what TLS needs.
    #[error("TLS cannot be set up")]
    Tls(#[source] Box<dyn std::error::Error + Send + Sync>),
}
