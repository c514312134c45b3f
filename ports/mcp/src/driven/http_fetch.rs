//! Small documents from other servers.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::authorization::HttpUrl;
use thiserror::Error as ThisError;

/// Exchanges one HTTP request for one response that fits into memory: metadata, keys, tokens.
///
/// What every implementation keeps:
///
/// - a redirect is an answer like any other and is never followed: whoever asked decides whether to go there;
/// - nothing is sent over plain HTTP except to this very machine;
/// - addresses that its settings do not allow are not connected to, whatever name leads to them;
/// - no more of a body is read than the request allows, and no exchange takes longer than its settings say;
/// - nothing of headers, bodies and queries is logged.
///
/// A dropped future closes the connection; whether the other side acted on the request is then unknown.
#[async_trait]
pub trait HttpFetch: fmt::Debug + Send + Sync + 'static {
    /// Sends the request and gives the response, whatever its status.
    ///
    /// # Errors
    ///
    /// [`FetchError`] when there is no whole response.
    async fn fetch(&self, request: FetchRequest) -> Result<FetchResponse, FetchError>;
}

macro_rules! forward {
    ($pointer:ident) => {
        #[deny(clippy::missing_trait_methods, reason = "a pointer answers what its target answers")]
        #[async_trait]
        impl<F: HttpFetch + ?Sized> HttpFetch for $pointer<F> {
            async fn fetch(&self, request: FetchRequest) -> Result<FetchResponse, FetchError> {
                (**self).fetch(request).await
            }
        }
    };
}

forward!(Arc);
forward!(Box);

/// What is sent.
#[derive(Clone)]
pub struct FetchRequest {
    /// Whether something is only read or also handed in.
    pub method: FetchMethod,
    /// Where to.
    pub url: HttpUrl,
    /// Headers beside `Host`, `Content-Type` and `Content-Length`, which follow from the rest.
    pub headers: Vec<(String, String)>,
    /// The longest body of a response that is read, in bytes.
    pub longest_body: usize,
}

/// What is asked of the other side.
#[derive(Clone, PartialEq, Eq)]
pub enum FetchMethod {
    /// A document.
    Get,
    /// That it takes a body.
    Post {
        /// The body's `Content-Type`.
        content_type: &'static str,
        /// The body.
        body: Vec<u8>,
    },
}

impl FetchRequest {
    /// Asks for a JSON document of at most so many bytes.
    pub fn json(url: HttpUrl, longest_body: usize) -> Self {
        let headers = vec![("Accept".to_owned(), "application/json".to_owned())];
        Self { method: FetchMethod::Get, url, headers, longest_body }
    }

    /// Hands in a form, already encoded, for a JSON document of at most so many bytes.
    pub fn form(url: HttpUrl, body: String, longest_body: usize) -> Self {
        let method =
            FetchMethod::Post { content_type: "application/x-www-form-urlencoded", body: body.into_bytes() };
        Self { method, ..Self::json(url, longest_body) }
    }

    /// With one more header.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: String) -> Self {
        self.headers.push((name.to_owned(), value));
        self
    }
}

impl fmt::Debug for FetchRequest {
    /// The names of the headers only, and of the body its length.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("FetchRequest")
            .field("method", &self.method)
            .field("url", &self.url)
            .field("headers", &names)
            .field("longest_body", &self.longest_body)
            .finish()
    }
}

impl fmt::Debug for FetchMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Get => f.write_str("Get"),
            Self::Post { content_type, body } => write!(f, "Post({content_type}, {} bytes)", body.len()),
        }
    }
}

/// What came back.
#[derive(Clone, PartialEq, Eq)]
pub struct FetchResponse {
    /// The status.
    pub status: u16,
    /// The headers in the order in which they came; values that are no text are left out.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl FetchResponse {
    /// The values of a header, whatever the case of its name.
    pub fn header<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.headers
            .iter()
            .filter(move |(found, _)| found.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }
}

impl fmt::Debug for FetchResponse {
    /// Of the body its length.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FetchResponse")
            .field("status", &self.status)
            .field("headers", &self.headers.len())
            .field("body", &self.body.len())
            .finish()
    }
}

/// There is no whole response.
#[derive(Debug, ThisError)]
pub enum FetchError {
    /// The request was not sent, because it must not be: plain HTTP to another machine, an address that the settings
    /// do not allow, a header that is none.
    #[error("the request is not allowed: {why}")]
    NotAllowed {
        /// What is not allowed and what to change.
        why: String,
    },
    /// The body is longer than the request allows.
    #[error("the response is longer than {longest_body} bytes")]
    TooLong {
        /// The most bytes that would have been read.
        longest_body: usize,
    },
    /// No connection, no valid certificate, no whole response, or not in time. It may work later.
    #[error("the server gives no response")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
}
