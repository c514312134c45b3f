//! What the Streamable HTTP binding asks of a request before its body is read
//! ([Streamable HTTP](https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http)).
//!
//! | Asked, in this order | Refusal |
//! |---|---|
//! | one `Host` that the policy names | 403 |
//! | an `Origin`, if there is one, that the policy lists or that is the server's own | 403 |
//! | the endpoint's path | 404 |
//! | the method `POST` (or the preflight of an allowed origin) | 405 |
//! | no header that would resume a stream: streams cannot be resumed | 400 |
//! | `Content-Type: application/json` | 415 |
//! | `Accept` that lists both `application/json` and `text/event-stream`, and takes a stream where only one can answer | 406 |
//! | no token in the query: it belongs in the `Authorization` header | 400 |

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::header::{Found, HeaderSource, KnownHeader};
use crate::limit::Limit;
use crate::request::Method;

mod credential;

pub use credential::{credential, has_token_in_query};

/// Which requests an endpoint takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HttpPolicy {
    /// The endpoint's path, such as `/mcp`.
    pub endpoint: String,
    /// Host names, without port, under which the server may be addressed; IPv6 addresses in brackets.
    pub hosts: Vec<String>,
    /// Browser origins that may call, letter for letter, such as `https://app.example.com`.
    pub origins: Vec<String>,
}

impl HttpPolicy {
    /// The policy of a server that is reached over the loopback interface and by no browser page.
    pub fn loopback() -> Self {
        Self {
            endpoint: "/mcp".to_owned(),
            hosts: ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned).to_vec(),
            origins: Vec::new(),
        }
    }

    /// Judges the head of a request.
    ///
    /// # Errors
    ///
    /// The first thing that the request lacks, in the order of the table above.
    pub fn judge(&self, method: &str, path: &str, headers: &dyn HeaderSource) -> Result<Head, HttpRefusal> {
        self.judge_host(headers)?;
        let origin = self.judge_origin(headers)?;
        if path != self.endpoint {
            return Err(HttpRefusal::UnknownPath { endpoint: self.endpoint.clone() });
        }
        if method == "OPTIONS"
            && origin.is_some()
            && headers.find("access-control-request-method") != Found::Absent
        {
            return Ok(Head::Preflight);
        }
        if method != "POST" {
            return Err(HttpRefusal::MethodNotAllowed);
        }
        if headers.known(KnownHeader::LastEventId) != Found::Absent {
            return Err(HttpRefusal::LastEventId);
        }
        if !is_json(headers) {
            return Err(HttpRefusal::ContentType);
        }
        let form = reply_form(headers)?;
        if form == ReplyForm::JsonOnly && names_a_stream(headers) {
            return Err(HttpRefusal::NotAcceptable);
        }
        Ok(Head::Message(form))
    }

    /// The origin of a request, if a page of an allowed origin made it.
    ///
    /// # Errors
    ///
    /// When there is an origin that is neither the server's own nor one that the policy lists, or more than one.
    pub fn judge_origin<'h>(&self, headers: &'h dyn HeaderSource) -> Result<Option<&'h str>, HttpRefusal> {
        let Some(origin) = text(headers.known(KnownHeader::Origin)).map_err(|()| HttpRefusal::Origin)? else {
            return Ok(None);
        };
        // A page that this very server handed out is no other site's: its origin is the host that was asked.
        let own = origin
            .strip_prefix("http://")
            .is_some_and(|host| text(headers.known(KnownHeader::Host)) == Ok(Some(host)));
        match own || self.origins.iter().any(|allowed| allowed == origin) {
            true => Ok(Some(origin)),
            false => Err(HttpRefusal::Origin),
        }
    }

    /// Whether the request is addressed to this server. A page that rebinds its own name to the loopback address still sends
    /// that name as `Host`.
    ///
    /// # Errors
    ///
    /// [`HttpRefusal::Host`] when there is not one host that the policy names.
    pub fn judge_host(&self, headers: &dyn HeaderSource) -> Result<(), HttpRefusal> {
        let found = headers.known(KnownHeader::Host);
        if let Found::One(value) = found
            && self.hosts.iter().any(|known| is_host_with_port(known, value))
        {
            return Ok(());
        }
        let host = text(found).ok().flatten().ok_or(HttpRefusal::Host)?;
        let name = match host.rfind(']') {
            Some(end) => host.get(..=end).unwrap_or(host),
            None => host.split_once(':').map_or(host, |(name, _)| name),
        };
        match self.hosts.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            true => Ok(()),
            false => Err(HttpRefusal::Host),
        }
    }
}

/// What the head of a request asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Head {
    /// A message whose body is to be read.
    Message(ReplyForm),
    /// A browser's question whether it may send one.
    Preflight,
}

/// In which forms the client takes the answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReplyForm {
    /// One JSON object, or an event stream where the server has more to say.
    Either,
    /// An event stream only: JSON was given the weight 0.
    StreamOnly,
    /// One JSON object only: event streams were given the weight 0.
    JsonOnly,
}

/// Why the binding refuses a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HttpRefusal {
    /// The `Host` header is missing, given twice or not one of the server's names.
    Host,
    /// The `Origin` header names an origin that is not allowed.
    Origin,
    /// There is nothing at this path.
    UnknownPath {
        /// Where the endpoint is.
        endpoint: String,
    },
    /// The endpoint takes `POST` only.
    MethodNotAllowed,
    /// The client wants to resume a stream.
    LastEventId,
    /// The query carries a token.
    TokenInQuery,
    /// The body is not said to be JSON.
    ContentType,
    /// The client does not take both forms of an answer.
    NotAcceptable,
    /// The head has more bytes or headers than the server reads.
    HeadTooLarge {
        /// How many bytes it may have.
        bytes: usize,
        /// How many headers it may have.
        headers: usize,
    },
    /// The body is longer than the server reads.
    BodyTooLarge {
        /// How many bytes it may have.
        limit: usize,
    },
    /// The body did not arrive in time.
    BodyTimeout {
        /// How long it may take, in milliseconds.
        limit_ms: u64,
    },
    /// The body broke off.
    BodyIncomplete,
}

impl HttpRefusal {
    /// The HTTP status.
    pub const fn status(&self) -> u16 {
        match self {
            Self::Host | Self::Origin => 403,
            Self::UnknownPath { .. } => 404,
            Self::MethodNotAllowed => 405,
            Self::NotAcceptable => 406,
            Self::BodyTimeout { .. } => 408,
            Self::BodyTooLarge { .. } => 413,
            Self::ContentType => 415,
            Self::HeadTooLarge { .. } => 431,
            Self::LastEventId | Self::TokenInQuery | Self::BodyIncomplete => 400,
        }
    }

    /// The limit that was reached, if it is one.
    pub const fn limit(&self) -> Option<Limit> {
        match self {
            Self::HeadTooLarge { .. } => Some(Limit::HeaderBytes),
            Self::BodyTooLarge { .. } => Some(Limit::BodyBytes),
            Self::BodyTimeout { .. } => Some(Limit::BodyReadTime),
            Self::Host
            | Self::Origin
            | Self::UnknownPath { .. }
            | Self::MethodNotAllowed
            | Self::LastEventId
            | Self::TokenInQuery
            | Self::ContentType
            | Self::NotAcceptable
            | Self::BodyIncomplete => None,
        }
    }

    /// The refusal as a JSON-RPC error without id, for the body of the answer.
    pub fn to_json(&self) -> String {
        format!(r#"{{"jsonrpc":"2.0","error":{{"code":-32600,"message":"{self}"}}}}"#)
    }
}

impl fmt::Display for HttpRefusal {
    /// What is wrong and what to change. Nothing of the request is repeated, so the text is safe in JSON as it is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host => {
                f.write_str("the Host header must name this server once, by one of its allowed names")
            }
            Self::Origin => f.write_str("requests from this Origin are not allowed"),
            Self::UnknownPath { endpoint } => write!(f, "nothing is here; the MCP endpoint is {endpoint}"),
            Self::MethodNotAllowed => f.write_str("the MCP endpoint takes POST only"),
            Self::LastEventId => {
                f.write_str("streams cannot be resumed: send the request again without Last-Event-ID")
            }
            Self::TokenInQuery => f.write_str(
                "a token in the URL is refused: send it in the Authorization header, and get another one",
            ),
            Self::ContentType => f.write_str("Content-Type must be application/json"),
            Self::NotAcceptable => {
                f.write_str("Accept must list both application/json and text/event-stream, and take a stream for subscriptions/listen")
            }
            Self::HeadTooLarge { bytes, headers } => write!(
                f,
                "the head of the request has more than {bytes} bytes or {headers} headers (limit {})",
                Limit::HeaderBytes
            ),
            Self::BodyTooLarge { limit } => write!(f, "the body is larger than {limit} bytes (limit {})", Limit::BodyBytes),
            Self::BodyTimeout { limit_ms } => {
                write!(f, "the body did not arrive within {limit_ms} ms (limit {})", Limit::BodyReadTime)
            }
            Self::BodyIncomplete => f.write_str("the body broke off before its end"),
        }
    }
}

/// Whether a `Host` header says `known` letter for letter, with or without a port. What says so by other letters, and so is
/// no usual case, is left to be read with care.
fn is_host_with_port(known: &str, value: &[u8]) -> bool {
    match value.strip_prefix(known.as_bytes()) {
        Some([]) => !known.contains(':') || known.ends_with(']'),
        Some([b':', port @ ..]) => {
            port.iter().all(u8::is_ascii_digit) && (!known.contains(':') || known.ends_with(']'))
        }
        Some(_) | None => false,
    }
}

/// The one value of a header that may be there once; `Err` when it is there more often or is no text.
fn text(found: Found<'_>) -> Result<Option<&str>, ()> {
    match found {
        Found::Absent => Ok(None),
        Found::One(value) => core::str::from_utf8(value).map(Some).map_err(|_| ()),
        Found::Many(_) => Err(()),
    }
}

fn is_json(headers: &dyn HeaderSource) -> bool {
    let found = headers.known(KnownHeader::ContentType);
    if found == Found::One(b"application/json") {
        return true;
    }
    let Ok(Some(value)) = text(found) else { return false };
    let media_type = value.split_once(';').map_or(value, |(media_type, _)| media_type);
    media_type.trim().eq_ignore_ascii_case("application/json")
}

/// Whether the request is one that only a stream can answer. What the header says is held against the body later.
fn names_a_stream(headers: &dyn HeaderSource) -> bool {
    headers.known(KnownHeader::Method) == Found::One(Method::Listen.as_str().as_bytes())
}

/// How clients usually write `Accept`; not worth a second look on each request.
const USUAL_ACCEPT: [&[u8]; 2] =
    [b"application/json, text/event-stream", b"text/event-stream, application/json"];

/// Reads `Accept`: a range matches by type or wildcard, the most specific one decides, no header takes anything.
fn reply_form(headers: &dyn HeaderSource) -> Result<ReplyForm, HttpRefusal> {
    let found = headers.known(KnownHeader::Accept);
    if matches!(found, Found::One(value) if USUAL_ACCEPT.contains(&value)) {
        return Ok(ReplyForm::Either);
    }
    let Some(accept) = text(found).map_err(|()| HttpRefusal::NotAcceptable)? else {
        return Ok(ReplyForm::Either);
    };
    match (weight(accept, "application", "json"), weight(accept, "text", "event-stream")) {
        (Some(true), Some(true)) => Ok(ReplyForm::Either),
        (Some(false), Some(true)) => Ok(ReplyForm::StreamOnly),
        (Some(true), Some(false)) => Ok(ReplyForm::JsonOnly),
        _ => Err(HttpRefusal::NotAcceptable),
    }
}

/// Whether `accept` lists a media type, and whether with a weight above 0.
fn weight(accept: &str, kind: &str, subtype: &str) -> Option<bool> {
    let mut best: Option<(u8, bool)> = None;
    for range in accept.split(',') {
        let mut fields = range.split(';');
        let Some((range_kind, range_subtype)) = fields.next().and_then(|media| media.trim().split_once('/'))
        else {
            continue;
        };
        let specificity = match (range_kind, range_subtype) {
            ("*", "*") => 0,
            (k, "*") if k.eq_ignore_ascii_case(kind) => 1,
            (k, s) if k.eq_ignore_ascii_case(kind) && s.eq_ignore_ascii_case(subtype) => 2,
            _ => continue,
        };
        let wanted = fields.all(|field| match field.trim().split_once('=') {
            Some((name, value)) if name.trim().eq_ignore_ascii_case("q") => {
                value.trim().bytes().any(|byte| matches!(byte, b'1'..=b'9'))
            }
            _ => true,
        });
        if best.is_none_or(|(known, _)| specificity >= known) {
            best = Some((specificity, wanted));
        }
    }
    best.map(|(_, wanted)| wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &[(&str, &str)] = &[
        ("host", "localhost:3000"),
        ("content-type", "application/json; charset=utf-8"),
        ("accept", "application/json, text/event-stream"),
    ];

    fn judge(
        method: &str,
        path: &str,
        changes: &[(&'static str, Option<&'static str>)],
    ) -> Result<Head, u16> {
        let mut headers: Vec<(&str, &str)> = GOOD.to_vec();
        for (name, value) in changes {
            headers.retain(|(known, _)| known != name);
            headers.extend(value.map(|value| (*name, value)));
        }
        let policy =
            HttpPolicy { origins: ["https://app.example".to_owned()].to_vec(), ..HttpPolicy::loopback() };
        policy.judge(method, path, &headers).map_err(|refusal| refusal.status())
    }

    #[test]
    fn each_thing_that_the_binding_asks_for_is_asked_in_order() {
        let ok = Ok(Head::Message(ReplyForm::Either));
        assert_eq!(judge("POST", "/mcp", &[]), ok);
        for host in ["127.0.0.1", "127.0.0.1:9", "[::1]", "[::1]:3000", "LOCALHOST", "LocalHost:80"] {
            assert_eq!(judge("POST", "/mcp", &[("host", Some(host))]), ok, "{host}");
        }
        for host in [
            None,
            Some("evil.example"),
            Some("localhost.evil.example"),
            Some("localhost:80.evil.example]"),
            Some("[::1"),
            Some("[::2]:3000"),
            Some(""),
        ] {
            assert_eq!(
                judge("GET", "/other", &[("host", host), ("origin", Some("null"))]),
                Err(403),
                "{host:?}"
            );
        }
        assert_eq!(judge("POST", "/mcp", &[("origin", Some("https://app.example"))]), ok);
        assert_eq!(
            judge("POST", "/mcp", &[("origin", Some("http://localhost:3000"))]),
            ok,
            "the server's own"
        );
        let rebound = [("host", Some("evil.example")), ("origin", Some("http://evil.example"))];
        assert_eq!(judge("POST", "/mcp", &rebound), Err(403));
        assert_eq!(
            judge("POST", "/mcp", &[("origin", Some("http://localhost:4000"))]),
            Err(403),
            "another port"
        );
        for origin in ["null", "https://evil.example", "https://app.example:443", "https://APP.example"] {
            assert_eq!(judge("GET", "/other", &[("origin", Some(origin))]), Err(403), "{origin}");
        }
        assert_eq!(judge("GET", "/other", &[]), Err(404));
        for method in ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"] {
            assert_eq!(judge(method, "/mcp", &[("last-event-id", Some("7"))]), Err(405), "{method}");
        }
        assert_eq!(judge("POST", "/mcp", &[("last-event-id", Some("7")), ("content-type", None)]), Err(400));
        assert_eq!(
            judge("POST", "/mcp", &[("content-type", Some("text/plain")), ("accept", Some("x/y"))]),
            Err(415)
        );
    }

    #[test]
    fn a_preflight_is_answered_for_allowed_origins_only() {
        let asks = ("access-control-request-method", Some("POST"));
        assert_eq!(
            judge("OPTIONS", "/mcp", &[asks, ("origin", Some("https://app.example"))]),
            Ok(Head::Preflight)
        );
        assert_eq!(judge("OPTIONS", "/mcp", &[asks, ("origin", Some("https://evil.example"))]), Err(403));
        assert_eq!(judge("OPTIONS", "/mcp", &[asks]), Err(405));
    }

    #[test]
    fn accept_is_read_as_http_means_it() {
        for (accept, form) in [
            (None, Ok(ReplyForm::Either)),
            (Some("*/*"), Ok(ReplyForm::Either)),
            (Some("application/*, text/*"), Ok(ReplyForm::Either)),
            (Some("text/event-stream;q=0.1 , Application/JSON;q=0.9"), Ok(ReplyForm::Either)),
            (Some("application/json;q=0, text/event-stream"), Ok(ReplyForm::StreamOnly)),
            (Some("text/event-stream;q=0.000, application/json"), Ok(ReplyForm::JsonOnly)),
            (Some("*/*, application/json;q=0"), Ok(ReplyForm::StreamOnly)),
            (Some("text/html"), Err(406)),
            (Some("application/json"), Err(406)),
            (Some("application/json;q=0, text/event-stream;q=0"), Err(406)),
            (Some(""), Err(406)),
        ] {
            let wanted = form.map(Head::Message);
            assert_eq!(judge("POST", "/mcp", &[("accept", accept)]), wanted, "{accept:?}");
        }
    }

    #[test]
    fn a_stream_is_not_asked_for_without_taking_one() {
        let accept = ("accept", Some("text/event-stream;q=0, application/json"));
        for (method, judged) in
            [("subscriptions/listen", Err(406)), ("tools/list", Ok(Head::Message(ReplyForm::JsonOnly)))]
        {
            assert_eq!(judge("POST", "/mcp", &[accept, ("mcp-method", Some(method))]), judged, "{method}");
        }
    }
}
