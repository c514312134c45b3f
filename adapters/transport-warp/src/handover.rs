//! Brings the headers of a request past warp, whose filters give them out as copies only. A copy of all headers would
//! be a tenth of the cost of a small request.

use std::cell::Cell;
use std::convert::Infallible;

use http::{HeaderMap, Request};
use hyper::body::Incoming;
use warp::reply::Response;

thread_local! {
    /// Filled and emptied within one poll, so requests on the same thread never see each other's.
    static HEADERS: Cell<Option<HeaderMap>> = const { Cell::new(None) };
}

/// Has `routes`, whose filters call [`take`] when they are first polled, answer a request.
pub(crate) async fn route<S>(mut routes: S, mut request: Request<Incoming>) -> Result<Response, Infallible>
where
    S: tower_service::Service<Request<Incoming>, Response = Response, Error = Infallible>,
{
    let headers = std::mem::take(request.headers_mut());
    let routed = routes.call(request);
    HEADERS.set(Some(headers));
    routed.await
}

/// The headers of the request that is being routed.
pub(crate) fn take() -> HeaderMap {
    HEADERS.take().unwrap_or_default()
}
