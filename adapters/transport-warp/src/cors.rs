//! What browsers ask before they let a page of an allowed origin call. Other origins get nothing of this.

use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS, VARY,
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use warp::reply::Response;

use crate::reply;

/// Headers that a page may send.
const ALLOWED: &str = "content-type, accept, authorization, mcp-protocol-version, mcp-method, mcp-name";

/// Headers of this prefix depend on the tool, so each that is asked for is allowed.
const PARAM_PREFIX: &str = "mcp-param-";

/// The answer to a preflight. The allowed origin itself is added to it as to any other answer.
pub(crate) fn preflight(asked: &HeaderMap) -> Response {
    let mut response = reply::empty(StatusCode::NO_CONTENT);
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("POST"));
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, allowed_headers(asked));
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    headers.append(VARY, HeaderValue::from_static("Access-Control-Request-Headers"));
    response
}

/// Lets the page that called read the answer.
pub(crate) fn allow(answer: &mut HeaderMap, origin: HeaderValue) {
    answer.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    answer.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("WWW-Authenticate"));
    answer.append(VARY, HeaderValue::from_static("Origin"));
}

fn allowed_headers(asked: &HeaderMap) -> HeaderValue {
    let mut allowed = String::from(ALLOWED);
    for list in asked.get_all(ACCESS_CONTROL_REQUEST_HEADERS) {
        let names = list.to_str().unwrap_or_default().split(',');
        for name in names.filter_map(|name| HeaderName::from_bytes(name.trim().as_bytes()).ok()) {
            if name.as_str().starts_with(PARAM_PREFIX) {
                allowed.push_str(", ");
                allowed.push_str(name.as_str());
            }
        }
    }
    HeaderValue::from_str(&allowed).unwrap_or(HeaderValue::from_static(ALLOWED))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asked_parameter_headers_are_allowed_and_others_are_not() {
        let mut asked = HeaderMap::new();
        let list = "MCP-Param-Region, x-evil, mcp-param-\u{7f}, mcp-method,, mcp-param-b";
        asked.insert(
            ACCESS_CONTROL_REQUEST_HEADERS,
            HeaderValue::from_str(&list.replace('\u{7f}', " x")).unwrap(),
        );
        assert_eq!(allowed_headers(&asked), format!("{ALLOWED}, mcp-param-region, mcp-param-b"));
    }
}
