//! What becomes of one HTTP request.

use std::convert::Infallible;
use std::fmt::Display;
use std::future::{Future, poll_fn};
use std::mem::take;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use http::header::ORIGIN;
use http::{HeaderMap, HeaderValue, Method, Request};
use http_body::Body;
use hyper::body::Incoming;
use pm_mcp_domain::http::{Head, HttpPolicy, HttpRefusal, ReplyForm};
use pm_mcp_domain::ident::Principal;
use pm_mcp_ports::driving::{Admission, LimitCounts, McpDoor, McpService, Served};
use tokio_util::sync::CancellationToken;
use warp::reply::Response;

use crate::event_stream::EventStream;
use crate::exchange::{Exchange, Step};
use crate::handover::Handover;
use crate::head::RequestHead;
use crate::headers::RequestHeaders;
use crate::limits::HttpLimits;
use crate::probe::Probe;
use crate::{body, cors, metadata, reply, sse};

/// What all requests of one server share.
#[derive(Debug)]
pub(crate) struct Endpoint {
    pub(crate) service: Arc<dyn McpDoor>,
    pub(crate) principal: Principal,
    pub(crate) admission: Admission,
    pub(crate) policy: HttpPolicy,
    pub(crate) limits: HttpLimits,
    pub(crate) keep_alive: Duration,
    /// Whether [`probe`] answers.
    pub(crate) probes: bool,
    /// Asked whether it is ready.
    pub(crate) host: Arc<dyn McpService>,
    pub(crate) stop: CancellationToken,
    pub(crate) limit_counts: Arc<LimitCounts>,
}

/// Answers a request of a connection of the server's own. The policy says what is where, so that each refusal is one of its;
/// there is nothing left for a router to do.
pub(crate) fn respond(
    endpoint: Arc<Endpoint>,
    request: Request<Incoming>,
    is_too_long: bool,
    handover: Option<&Handover>,
) -> impl Future<Output = Result<Response, Infallible>> {
    // Taken apart before the future begins, which would keep the whole beside its parts.
    let (parts, mut body) = request.into_parts();
    let (method, uri) = (parts.method, parts.uri);
    let mut head = RequestHead::new(parts.headers, uri.query());
    async move {
        if is_too_long {
            return Ok(reply::refused(&endpoint.limits.head_refusal()));
        }
        Ok(answer(&endpoint, &method, uri.path(), &mut head, Pin::new(&mut body), handover).await)
    }
}

/// Answers one request, whoever took it from its connection. Takes the headers out of its head once they are judged. A
/// stream that needs its request no more is left at `handover`, if there is one.
pub(crate) async fn answer<B>(
    endpoint: &Arc<Endpoint>,
    method: &Method,
    path: &str,
    head: &mut RequestHead,
    body: Pin<&mut B>,
    handover: Option<&Handover>,
) -> Response
where
    B: Body,
    B::Error: Display,
{
    let RequestHead { headers, token_in_query } = head;
    if let Some(metadata) = endpoint.admission.metadata()
        && metadata.is_at(path, &endpoint.policy.endpoint)
    {
        let judged = endpoint.policy.judge_host(&RequestHeaders::new(headers));
        return judged
            .map_or_else(|refusal| reply::refused(&refusal), |()| metadata::answer(metadata, method));
    }
    let origin = endpoint.allowed_origin(headers);
    let judged = endpoint.policy.judge(method.as_str(), path, &RequestHeaders::new(headers));
    let mut response = match judged {
        Ok(Head::Message(_)) if *token_in_query => reply::refused(&HttpRefusal::TokenInQuery),
        Ok(Head::Message(form)) => serve(endpoint, form, headers, body, handover).await,
        Ok(Head::Preflight) => cors::preflight(headers),
        Err(refusal) => match Probe::at(path) {
            Some(probe) if endpoint.probes && path != endpoint.policy.endpoint => {
                return probe.answer(endpoint, method).await;
            }
            Some(_) | None => reply::refused(&refusal),
        },
    };
    if let Some(origin) = origin {
        cors::allow(response.headers_mut(), origin);
    }
    response
}

async fn serve<B>(
    endpoint: &Arc<Endpoint>,
    form: ReplyForm,
    headers: &mut HeaderMap,
    body: Pin<&mut B>,
    handover: Option<&Handover>,
) -> Response
where
    B: Body,
    B::Error: Display,
{
    let body = match body::read(headers, body, &endpoint.limits).await {
        Ok(body) => body,
        Err(refusal) => {
            if let Some(limit) = refusal.limit() {
                endpoint.limit_counts.count(limit);
            }
            return reply::refused(&refusal);
        }
    };
    let interval = endpoint.keep_alive;
    let endpoint = Arc::clone(endpoint);
    let streaming = form != ReplyForm::JsonOnly;
    let mut exchange = Exchange::new(endpoint, take(headers), body, streaming);
    let first = poll_fn(|cx| match exchange.poll_step(cx) {
        // Whoever takes nothing but a stream gets its beginning before the first event.
        Poll::Pending if form == ReplyForm::StreamOnly => Poll::Ready(None),
        step => step.map(Some),
    });
    match first.await {
        None => reply::stream(EventStream::new(sse::COMMENT, Some(exchange), interval)),
        Some(Step::Event(event)) => match handover {
            Some(handover) if exchange.is_carrying() => {
                handover.leave(event, EventStream::following(Some(exchange), interval))
            }
            Some(_) | None => reply::stream(EventStream::new(event, Some(exchange), interval)),
        },
        Some(Step::LastEvent(event)) => reply::stream(EventStream::new(event, None, interval)),
        Some(Step::Ended(Served::Accepted | Served::Cancelled | Served::HandedOver, _)) => reply::accepted(),
        // An error status is told as what it is, in the one form that needs no stream.
        Some(Step::Ended(Served::Answered(answer), headers)) => {
            match form == ReplyForm::StreamOnly && answer.status == 200 {
                true => reply::stream(EventStream::new(sse::event(&[&answer.body]), None, interval)),
                false => reply::answer(answer, headers),
            }
        }
    }
}

impl Endpoint {
    fn allowed_origin(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        if self.policy.origins.is_empty() {
            return None;
        }
        let allowed = self.policy.judge_origin(&RequestHeaders::new(headers)).ok().flatten().is_some();
        allowed.then(|| headers.get(ORIGIN).cloned()).flatten()
    }
}
