//! An endpoint without a socket, for a server that exists already.

use std::convert::Infallible;
use std::fmt::Display;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use bytes::Buf;
use futures_util::{Stream, TryStreamExt as _};
use http::header::HOST;
use http::uri::Authority;
use http::{HeaderMap, HeaderValue, Method, Request};
use http_body::{Body, Frame};
use http_body_util::StreamBody;
use pm_mcp_domain::http::HttpPolicy;
use pm_mcp_domain::wire::PROTECTED_RESOURCE_PATH;
use pm_mcp_ports::driving::{Admission, McpService};
use tokio_util::sync::CancellationToken;
use warp::filters::BoxedFilter;
use warp::path::FullPath;
use warp::reply::Response;
use warp::{Filter, Rejection, reject};

use crate::connection::name_host;
use crate::endpoint::{Endpoint, answer};
use crate::error::HttpError;
use crate::head::RequestHead;
use crate::limits::HttpLimits;
use crate::reply;
use crate::terms::Terms;

/// One endpoint in a server of the host's own: as a filter of warp ([`HttpEndpoint::filter`]), or as a function from
/// requests to responses for hyper and what is built on it ([`HttpEndpoint::answer`]). Clones are the same endpoint.
///
/// It answers what [`Http`](crate::Http) would answer at its path, and 404 elsewhere. Connections, TLS and the
/// bounds of heads are the host's; of [`HttpLimits`] those of bodies are observed. Before [`HttpEndpoint::serve`] and
/// after its end every message is answered with status 503.
#[derive(Clone, Debug)]
pub struct HttpEndpoint {
    terms: Terms,
    loopback_only: bool,
    served: Arc<RwLock<Option<Arc<Endpoint>>>>,
}

impl HttpEndpoint {
    /// An endpoint at `path`, such as `/mcp`, for requests that are addressed to the names of the loopback interface or to
    /// the host of the resource that its server asks tokens for, and for no browser page, unless told otherwise.
    pub fn at(path: impl Into<String>) -> Self {
        let mut terms = Terms::loopback();
        terms.policy.endpoint = path.into();
        Self { terms, loopback_only: false, served: Arc::default() }
    }

    /// Which requests are taken; the path is that of the policy then. Say it before anything is cloned or mounted.
    #[must_use]
    pub fn policy(mut self, policy: HttpPolicy) -> Self {
        self.terms.policy = policy;
        self
    }

    /// Within which bounds bodies are read.
    #[must_use]
    pub fn limits(mut self, limits: HttpLimits) -> Self {
        self.terms.limits = limits;
        self
    }

    /// After how long a silent stream sends a comment. At least a millisecond; default 15 s.
    #[must_use]
    pub fn keep_alive(mut self, interval: Duration) -> Self {
        self.terms.keep_alive(interval);
        self
    }

    /// The host's word that only this machine reaches the server around it. A server that asks nobody for tokens is not
    /// served without it.
    #[must_use]
    pub fn loopback_only(mut self) -> Self {
        self.loopback_only = true;
        self
    }

    /// Whether a request for `path` is this endpoint's: its own path, and the metadata of its resource.
    pub fn is_at(&self, path: &str) -> bool {
        let of_metadata = || match path.strip_prefix(PROTECTED_RESOURCE_PATH) {
            Some(_) => self.served().is_some_and(|served| {
                served.admission.metadata().is_some_and(|it| it.is_at(path, &self.terms.policy.endpoint))
            }),
            None => false,
        };
        path == self.terms.policy.endpoint || of_metadata()
    }

    /// The endpoint as a filter of warp. It rejects what is not its own as not found, so that others can follow it.
    pub fn filter(&self) -> BoxedFilter<(Response,)> {
        let (mine, this) = (self.clone(), self.clone());
        let is_mine = warp::path::full().and_then(move |path: FullPath| {
            let found = if mine.is_at(path.as_str()) { Ok(()) } else { Err(reject::not_found()) };
            async move { found }
        });
        let query =
            warp::query::raw().or_else(|_: Rejection| async { Ok::<_, Infallible>((String::new(),)) });
        is_mine
            .untuple_one()
            .and(warp::method())
            .and(warp::path::full())
            .and(query)
            .and(warp::host::optional())
            .and(warp::header::headers_cloned())
            .and(warp::body::stream())
            .then(move |method, path: FullPath, query: String, host, mut headers, body| {
                let this = this.clone();
                name(&mut headers, host);
                let head = RequestHead::new(headers, Some(&query));
                async move { this.respond(method, path.as_str(), head, pin!(body_of(body))).await }
            })
            .boxed()
    }

    /// Answers a request that another server has read.
    pub async fn answer<B>(&self, mut request: Request<B>) -> Response
    where
        B: Body,
        B::Error: Display,
    {
        name_host(&mut request);
        let (parts, body) = request.into_parts();
        let head = RequestHead::new(parts.headers, parts.uri.query());
        self.respond(parts.method, parts.uri.path(), head, pin!(body)).await
    }

    async fn respond<B>(
        &self,
        method: Method,
        path: &str,
        mut head: RequestHead,
        body: Pin<&mut B>,
    ) -> Response
    where
        B: Body,
        B::Error: Display,
    {
        match self.served() {
            Some(endpoint) => answer(&endpoint, &method, path, &mut head, body, None).await,
            None => reply::unserved(),
        }
    }

    fn served(&self) -> Option<Arc<Endpoint>> {
        self.served.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn serve_with(&self, endpoint: Option<Arc<Endpoint>>) {
        *self.served.write().unwrap_or_else(PoisonError::into_inner) = endpoint;
    }

    /// Has `service` answer until `shutdown` is ready; then its streams end with their results, and nothing more is taken.
    /// Requests in flight are finished for as long as the host keeps their connections. Nothing is taken any more either
    /// once the future is dropped.
    ///
    /// # Errors
    ///
    /// [`HttpError::Unguarded`] when the service asks nobody for tokens, does not say that strangers may call, and
    /// [`HttpEndpoint::loopback_only`] was not said.
    pub async fn serve(
        self,
        service: Arc<dyn McpService>,
        shutdown: impl Future<Output = ()> + Send,
    ) -> Result<(), HttpError> {
        let admission = service.admission();
        if admission == Admission::Local && !self.loopback_only {
            return Err(HttpError::Unguarded { endpoint: self.terms.policy.endpoint });
        }
        let mut terms = self.terms.clone();
        terms.name_resource(&admission);
        // The paths beside the endpoint are the host's.
        let endpoint = Arc::new(terms.endpoint(service, false, CancellationToken::new()));
        let door = Arc::clone(&endpoint.service);
        let closes = Closing(&self);
        self.serve_with(Some(endpoint));
        shutdown.await;
        drop(closes);
        door.close();
        Ok(())
    }
}

/// A body of the pieces that warp gives out.
fn body_of<S, B, E>(pieces: S) -> impl Body<Data = B, Error = E>
where
    S: Stream<Item = Result<B, E>>,
    B: Buf,
{
    StreamBody::new(pieces.map_ok(Frame::data))
}

/// Takes nothing more once it is dropped.
struct Closing<'a>(&'a HttpEndpoint);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.serve_with(None);
    }
}

/// HTTP/2 names the host in `:authority`, which warp does not show among the headers.
fn name(headers: &mut HeaderMap, host: Option<Authority>) {
    if !headers.contains_key(HOST)
        && let Some(host) = host
        && let Ok(host) = HeaderValue::from_str(host.as_str())
    {
        headers.insert(HOST, host);
    }
}
