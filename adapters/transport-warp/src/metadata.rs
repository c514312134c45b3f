//! The metadata of the resource, for clients that look for who issues tokens. It is no secret: it needs no token, and pages
//! of any origin may read it.

use bytes::Bytes;
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, ALLOW,
    CACHE_CONTROL, CONTENT_TYPE,
};
use http::{HeaderValue, Method, StatusCode};
use pm_mcp_domain::wire::ProtectedResource;
use warp::Reply;
use warp::reply::Response;

const METHODS: HeaderValue = HeaderValue::from_static("GET, HEAD, OPTIONS");

/// Answers a request for the metadata.
pub(crate) fn answer(metadata: &ProtectedResource, method: &Method) -> Response {
    let (status, body) = match *method {
        Method::GET => (StatusCode::OK, metadata.as_json().to_owned()),
        Method::HEAD => (StatusCode::OK, String::new()),
        Method::OPTIONS => (StatusCode::NO_CONTENT, String::new()),
        _ => (StatusCode::METHOD_NOT_ALLOWED, String::new()),
    };
    let mut response = http::Response::new(Bytes::from(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    match status {
        StatusCode::OK => {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            headers.insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=300"));
        }
        StatusCode::NO_CONTENT => {
            headers.insert(ACCESS_CONTROL_ALLOW_METHODS, METHODS);
            headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("mcp-protocol-version"));
        }
        _ => {
            headers.insert(ALLOW, METHODS);
        }
    }
    response.into_response()
}
