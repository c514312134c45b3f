//! What those who run a server ask it: does it live, can it work?

use http::header::{ALLOW, CONTENT_TYPE};
use http::{HeaderValue, Method, StatusCode};
use warp::Reply;
use warp::reply::Response;

use crate::endpoint::Endpoint;
use crate::reply;

/// A question of those who run the server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Probe {
    /// Does it live? A process that cannot answer should be started anew.
    Live,
    /// Can it work? A process that cannot should be sent no requests for now.
    Ready,
}

impl Probe {
    /// The question that is asked at a path.
    pub(crate) fn at(path: &str) -> Option<Self> {
        match path {
            "/livez" => Some(Self::Live),
            "/readyz" => Some(Self::Ready),
            _ => None,
        }
    }

    pub(crate) async fn answer(self, endpoint: &Endpoint, method: &Method) -> Response {
        if !matches!(*method, Method::GET | Method::HEAD) {
            let mut refused = reply::empty(StatusCode::METHOD_NOT_ALLOWED);
            refused.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
            return refused;
        }
        let is_so = match self {
            Self::Live => true,
            Self::Ready => !endpoint.stop.is_cancelled() && endpoint.host.is_ready().await,
        };
        let (status, text) = match is_so {
            true => (StatusCode::OK, "ok\n"),
            false => (StatusCode::SERVICE_UNAVAILABLE, "not ready\n"),
        };
        let mut answer = reply::empty(status);
        if *method == Method::GET {
            *answer.body_mut() = text.into_response().into_body();
            answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
        }
        answer
    }
}
