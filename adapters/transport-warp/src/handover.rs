//! Brings the headers of a request past warp, whose filters give them out as copies only. A copy of all headers would
//! be a tenth of the cost of a small request.

use std::cell::Cell;
use std::convert::Infallible;

use http::{HeaderMap, Request, StatusCode};
use hyper::body::Incoming;
use pm_mcp_domain::http::has_token_in_query;
use warp::reply::Response;

use crate::reply;

thread_local! {
    /// Filled and emptied within one poll, so requests on the same thread never see each other's.
    static HEAD: Cell<Option<RequestHead>> = const { Cell::new(None) };
}

/// Has `routes`, whose filters call [`take`] when they are first polled, answer a request, unless its head is too
/// long: hyper bounds its buffer, which may hold twice as much by the time that it looks.
pub(crate) async fn route<S>(
    mut routes: S,
    mut request: Request<Incoming>,
    is_too_long: bool,
) -> Result<Response, Infallible>
where
    S: tower_service::Service<Request<Incoming>, Response = Response, Error = Infallible>,
{
    if is_too_long {
        return Ok(reply::empty(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE));
    }
    let token_in_query = request.uri().query().is_some_and(has_token_in_query);
    let headers = std::mem::take(request.headers_mut());
    let routed = routes.call(request);
    HEAD.set(Some(RequestHead { headers, token_in_query }));
    routed.await
}

/// How many bytes of a head are names and values, with what stands between and behind them.
pub(crate) fn head_length<B>(request: &Request<B>) -> usize {
    const BETWEEN: usize = 4;
    let headers = request.headers().iter();
    let target = request.uri().path_and_query().map_or(0, |target| target.as_str().len());
    headers.fold(target, |sum, (name, value)| sum + name.as_str().len() + value.len() + BETWEEN)
}

/// What is to be known of the head of a request beside its method and path.
#[derive(Default, Debug)]
pub(crate) struct RequestHead {
    pub(crate) headers: HeaderMap,
    /// Whether somebody wrote a token into the URL.
    pub(crate) token_in_query: bool,
}

/// The head of the request that is being routed.
pub(crate) fn take() -> RequestHead {
    HEAD.take().unwrap_or_default()
}
