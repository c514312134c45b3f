//! The head of a request, as far as what serves it needs it.

use http::{HeaderMap, Request};
use pm_mcp_domain::http::has_token_in_query;

/// What is to be known of the head of a request beside its method and path.
#[derive(Default, Debug)]
pub(crate) struct RequestHead {
    pub(crate) headers: HeaderMap,
    /// Whether somebody wrote a token into the URL.
    pub(crate) token_in_query: bool,
}

impl RequestHead {
    pub(crate) fn new(headers: HeaderMap, query: Option<&str>) -> Self {
        Self { headers, token_in_query: query.is_some_and(has_token_in_query) }
    }
}

/// How many bytes a head has in HTTP/1.1, with what stands between and behind names and values.
pub(crate) fn head_length<B>(request: &Request<B>) -> usize {
    const BETWEEN: usize = 4;
    const AROUND: usize = "  HTTP/1.1\r\n\r\n".len();
    let headers = request.headers().iter();
    let target = request.uri().path_and_query().map_or(0, |target| target.as_str().len());
    let line = AROUND + request.method().as_str().len() + target;
    headers.fold(line, |sum, (name, value)| sum + name.as_str().len() + value.len() + BETWEEN)
}
