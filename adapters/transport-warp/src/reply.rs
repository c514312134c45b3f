//! Responses, each with its type and its caching said explicitly.

use std::convert::Infallible;

use bytes::Bytes;
use futures_util::Stream;
use http::header::{ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_TYPE, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use pm_mcp_domain::http::HttpRefusal;
use pm_mcp_ports::driving::Answer;
use warp::Reply;
use warp::reply::Response;

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const EVENTS: HeaderValue = HeaderValue::from_static("text/event-stream");
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// Asks proxies to pass events on one by one.
const ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// How many headers the map of an answer may have room for.
const ROOM: usize = 32;

/// One JSON object.
pub(crate) fn json(status: u16, body: Vec<u8>) -> Response {
    json_in(HeaderMap::new(), status, body)
}

fn json_in(empty: HeaderMap, status: u16, body: Vec<u8>) -> Response {
    let mut response = http::Response::new(Bytes::from(body));
    *response.headers_mut() = empty;
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, JSON);
    headers.insert(CACHE_CONTROL, NO_STORE);
    response.into_response()
}

/// The answer to a request, with the challenge to a caller that is kept out.
///
/// It takes over the room that the headers of the request took: hyper reads the next head of the connection into what an
/// answer leaves of its own, so that neither has to be made anew. More than most heads need is let go.
pub(crate) fn answer(answer: Answer, mut room: HeaderMap) -> Response {
    match room.capacity() > ROOM {
        true => room = HeaderMap::new(),
        false => room.clear(),
    }
    let mut response = json_in(room, answer.status, answer.body);
    if let Some(challenge) = answer.challenge
        && let Ok(challenge) = HeaderValue::from_str(&challenge)
    {
        response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
    }
    response
}

/// A stream of events.
pub(crate) fn stream(
    events: impl Stream<Item = Result<Bytes, Infallible>> + Send + Sync + 'static,
) -> Response {
    let mut response = warp::reply::stream(events).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, EVENTS);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache, no-store"));
    headers.insert(ACCEL_BUFFERING, HeaderValue::from_static("no"));
    response
}

/// A stream of events behind which the connection closes.
pub(crate) fn last_stream(
    events: impl Stream<Item = Result<Bytes, Infallible>> + Send + Sync + 'static,
) -> Response {
    let mut response = stream(events);
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

/// A notification was taken.
pub(crate) fn accepted() -> Response {
    empty(StatusCode::ACCEPTED)
}

/// A response without a body.
pub(crate) fn empty(status: StatusCode) -> Response {
    let mut response = http::Response::new(Bytes::new());
    *response.status_mut() = status;
    response.headers_mut().insert(CACHE_CONTROL, NO_STORE);
    response.into_response()
}

/// Nobody serves the endpoint yet, or any more.
pub(crate) fn unserved() -> Response {
    empty(StatusCode::SERVICE_UNAVAILABLE)
}

/// The binding refuses the request.
pub(crate) fn refused(refusal: &HttpRefusal) -> Response {
    tracing::debug!(status = refusal.status(), "a request is refused: {refusal}");
    let mut response = json(refusal.status(), refusal.to_json().into_bytes());
    if *refusal == HttpRefusal::MethodNotAllowed {
        response.headers_mut().insert(ALLOW, HeaderValue::from_static("POST"));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_takes_the_room_of_the_requests_headers_and_none_of_them() {
        for count in [1, 2 * ROOM] {
            let mut read = HeaderMap::new();
            for number in 0..count {
                let name = HeaderName::try_from(format!("x-{number}")).unwrap();
                read.insert(name, HeaderValue::from_static("of the request"));
            }
            let room = read.capacity();
            let answered = answer(Answer::new(200, Vec::new()), read);
            let names: Vec<&str> = answered.headers().keys().map(HeaderName::as_str).collect();
            assert_eq!(names, ["content-type", "cache-control"]);
            assert_eq!(answered.headers().capacity() == room, room <= ROOM, "{count}");
        }
    }
}
