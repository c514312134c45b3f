//! The ordered checks between a message and its dispatch. The first rung that a message fails names its error.
//!
//! | Rung | Refusal | HTTP |
//! |---|---|---|
//! | 1 the text is UTF-8 JSON within the depth limit | -32700, -32600 | 400 |
//! | 2 it is one request or notification | -32600 | 400 |
//! | 3 the method is known | -32601 | 404 |
//! | 4 `_meta` says version and capabilities (on HTTP a missing version header is named first when the version is missing in both places) | -32602, -32020 | 400 |
//! | 5 the version header agrees with `_meta` | -32020 | 400 |
//! | 6 the version is supported | -32022 | 400 |
//! | 7 the other headers agree with the body | -32020 | 400 |
//! | 8 the parameters have the method's shape | -32602 | 400 |
//!
//! Where callers need tokens, token and scopes are asked for between rungs 7 and 8: [`weigh`] stops there. What comes
//! after (extensions, the arguments against their schema) needs the catalogue and is asked by the engine in the same order
//! for every transport. A request that uses a method of an extension without declaring it hears of that first, whatever is
//! wrong with its parameters.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use core::mem::take;

use super::envelope::{Envelope, JSON_DEPTH_LIMIT};
use super::loose::JsonKind;
use super::loose::LooseText;
use super::meta::{MetaFault, RequestMeta};
use super::method::Method;
use super::params::{Params, ParamsDraft};
use crate::extension::Extensions;
use crate::fault::Rejection;
use crate::header::{
    Found, HeaderFault, HeaderSource, KnownHeader, MirroredBody, PROTOCOL_VERSION_HEADER,
    validate_standard_headers,
};
use crate::ident::RequestId;
use crate::version::ProtocolVersion;

/// Which binding a message came by.
#[derive(Clone, Copy)]
pub enum Binding<'h> {
    /// One message a line; there are no headers.
    Stdio,
    /// Streamable HTTP, with the headers of the request.
    Http(&'h dyn HeaderSource),
}

impl core::fmt::Debug for Binding<'_> {
    /// Headers can hold credentials, so they are not shown.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Stdio => "Stdio",
            Self::Http(_) => "Http(..)",
        })
    }
}

/// A request that passed every rung of the ladder.
#[derive(Debug)]
pub struct Admitted<'a> {
    /// The request's id.
    pub id: RequestId<'a>,
    /// What it asks for.
    pub method: Method,
    /// Its parameters.
    pub params: Params<'a>,
    /// What it says of itself.
    pub meta: RequestMeta<'a>,
}

/// A message that asks for no answer.
#[derive(Debug)]
pub struct Notification<'a> {
    /// The notification's method.
    pub method: alloc::borrow::Cow<'a, str>,
    /// The request that a `notifications/cancelled` wants to end; `None` for other methods and for a malformed one,
    /// which is passed over ([Cancellation](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/cancellation#error-handling)).
    pub cancels: Option<RequestId<'a>>,
}

/// A message that is not dispatched.
#[derive(Debug)]
pub struct Refused<'a> {
    /// The message's id, when it had one that can be echoed.
    pub id: Option<RequestId<'a>>,
    /// Why it is refused.
    pub rejection: Rejection,
}

/// A request that passed the rungs before its parameters. Nothing of it is dispatched before it is admitted.
#[derive(Debug)]
pub struct Candidate<'a> {
    /// The request's id.
    pub id: RequestId<'a>,
    /// What it asks for.
    pub method: Method,
    /// What it says that it names, whatever the shape of its parameters.
    pub name: Option<String>,
    /// What the last rung says of its parameters.
    pub admitted: Result<Admitted<'a>, Rejection>,
}

impl<'a> Candidate<'a> {
    /// Takes the last rung.
    pub fn admit(self) -> Verdict<'a> {
        match self.admitted {
            Ok(admitted) => Verdict::Request(admitted),
            Err(rejection) => Verdict::Refused(Refused { id: Some(self.id), rejection }),
        }
    }
}

/// What the ladder says of a message before it looks at parameters.
#[derive(Debug)]
pub enum Weighed<'a> {
    /// Ask for token and scopes, then [`admit`](Candidate::admit) it.
    Request(Box<Candidate<'a>>),
    /// Ask for a token, then take note; never answer.
    Notification(Notification<'a>),
    /// Answer with the refusal.
    Refused(Refused<'a>),
}

/// What the ladder says of a message.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "it lives for one call and is taken apart at once; a box would cost an allocation a message"
)]
pub enum Verdict<'a> {
    /// Dispatch it and answer.
    Request(Admitted<'a>),
    /// Take note; never answer.
    Notification(Notification<'a>),
    /// Answer with the refusal.
    Refused(Refused<'a>),
}

/// Judges one message for a server without extensions of its own.
///
/// ```
/// use pm_mcp_domain::request::{Binding, Verdict, judge};
/// let verdict = judge(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, Binding::Stdio);
/// let Verdict::Refused(refused) = verdict else { panic!("ping belongs to earlier revisions") };
/// assert_eq!(refused.rejection.code().0, -32601);
/// ```
pub fn judge<'a>(bytes: &'a [u8], binding: Binding<'_>) -> Verdict<'a> {
    judge_with(bytes, binding, &Extensions::new(), JSON_DEPTH_LIMIT)
}

/// Judges one message for a server whose `extensions` add methods. No message may be nested deeper than `depth`, or than
/// [`JSON_DEPTH_LIMIT`].
pub fn judge_with<'a>(
    bytes: &'a [u8],
    binding: Binding<'_>,
    extensions: &Extensions,
    depth: usize,
) -> Verdict<'a> {
    let mut envelope = Envelope::default();
    match decode(bytes, depth, &mut envelope).and_then(|text| climb(text, &mut envelope, binding, extensions))
    {
        Ok(Reached::Head(head)) => {
            let id = head.id;
            match head.check(&mut envelope.draft, extensions) {
                Ok(admitted) => Verdict::Request(admitted),
                Err(rejection) => Verdict::Refused(Refused { id: Some(id), rejection }),
            }
        }
        Ok(Reached::Notification(notification)) => Verdict::Notification(notification),
        Err(refused) => Verdict::Refused(refused),
    }
}

/// Judges one message as [`judge_with`] does, and stops before its parameters.
pub fn weigh<'a>(
    bytes: &'a [u8],
    binding: Binding<'_>,
    extensions: &Extensions,
    depth: usize,
) -> Weighed<'a> {
    let mut envelope = Envelope::default();
    match decode(bytes, depth, &mut envelope).and_then(|text| climb(text, &mut envelope, binding, extensions))
    {
        Ok(Reached::Head(head)) => {
            let (id, method) = (head.id, head.method);
            let name = envelope.draft.mirrored_name(method).map(str::to_owned);
            let admitted = head.check(&mut envelope.draft, extensions);
            Weighed::Request(Box::new(Candidate { id, method, name, admitted }))
        }
        Ok(Reached::Notification(notification)) => Weighed::Notification(notification),
        Err(refused) => Weighed::Refused(refused),
    }
}

/// A message that passed the rungs before parameters.
enum Reached<'a> {
    Head(Head<'a>),
    Notification(Notification<'a>),
}

struct Head<'a> {
    text: &'a str,
    id: RequestId<'a>,
    method: Method,
    meta: RequestMeta<'a>,
}

impl<'a> Head<'a> {
    /// Rung 8.
    fn check(self, draft: &mut ParamsDraft<'a>, extensions: &Extensions) -> Result<Admitted<'a>, Rejection> {
        let Self { text, id, method, meta } = self;
        let params = draft.check(method, text).map_err(|fault| {
            match extensions.admit(method, &meta.capabilities) {
                Err(undeclared) => undeclared,
                Ok(()) => Rejection::InvalidParams(fault),
            }
        })?;
        Ok(Admitted { id, method, params, meta })
    }
}

fn decode<'a>(bytes: &'a [u8], depth: usize, envelope: &mut Envelope<'a>) -> Result<&'a str, Refused<'a>> {
    let text = core::str::from_utf8(bytes).map_err(|_| Rejection::NotUtf8);
    let decoded = text.and_then(|text| envelope.read(text, depth).map(|()| text));
    decoded.map_err(|rejection| Refused { id: None, rejection })
}

fn climb<'a>(
    text: &'a str,
    envelope: &mut Envelope<'a>,
    binding: Binding<'_>,
    extensions: &Extensions,
) -> Result<Reached<'a>, Refused<'a>> {
    let id = envelope.id.and_then(RequestId::parse);
    let refuse = |rejection| Err(Refused { id, rejection });
    let method = match shape(envelope, id) {
        Ok(()) => take(&mut envelope.method),
        Err(Rejection::Response) => return Err(Refused { id: None, rejection: Rejection::Response }),
        Err(rejection) => return refuse(rejection),
    };
    let LooseText::Text(name) = method else { return refuse(Rejection::NoMethod) };
    let Some(id) = id else {
        let cancels = match name == "notifications/cancelled" {
            true => envelope.draft.request_id.and_then(RequestId::parse),
            false => None,
        };
        return Ok(Reached::Notification(Notification { method: name, cancels }));
    };
    match request(text, id, &name, envelope, binding, extensions) {
        Ok(head) => Ok(Reached::Head(head)),
        Err(rejection) => refuse(rejection),
    }
}

/// Rung 2. A response is known by its `result` or `error`; its id would only mislead whoever sent it.
fn shape(envelope: &Envelope<'_>, id: Option<RequestId<'_>>) -> Result<(), Rejection> {
    if let Some(member) = envelope.twice {
        return Err(Rejection::Twice(member));
    }
    if envelope.jsonrpc.as_str() != Some("2.0") {
        return Err(Rejection::JsonRpcVersion);
    }
    if envelope.answers && envelope.method == LooseText::Absent {
        return Err(Rejection::Response);
    }
    if envelope.id.is_some() && id.is_none() {
        return Err(Rejection::InvalidId);
    }
    if envelope.method.as_str().is_none() {
        return Err(Rejection::NoMethod);
    }
    Ok(())
}

/// Rungs 3 to 7.
fn request<'a>(
    text: &'a str,
    id: RequestId<'a>,
    name: &str,
    envelope: &mut Envelope<'a>,
    binding: Binding<'_>,
    extensions: &Extensions,
) -> Result<Head<'a>, Rejection> {
    let method = Method::parse(name)
        .or_else(|| extensions.method(name).map(Method::Extension))
        .ok_or_else(|| Rejection::MethodNotFound { method: name.to_owned() })?;
    if envelope.params != Some(JsonKind::Object) {
        return Err(without_version(MetaFault::NoParams, binding));
    }
    let draft = &mut envelope.draft;
    let meta = match draft.meta {
        Some(JsonKind::Object) => &mut draft.meta_draft,
        Some(kind) => return Err(without_version(MetaFault::NotAnObject(kind), binding)),
        None => return Err(without_version(MetaFault::Absent, binding)),
    };
    if meta.version().is_none()
        && let Some(rejection) = missing_version_header(binding)
    {
        return Err(rejection);
    }
    let meta = meta.check().map_err(Rejection::InvalidMeta)?;
    if let Binding::Http(headers) = binding {
        parity(method, &meta, draft.mirrored_name(method), headers)?;
    } else {
        supported(&meta)?;
    }
    Ok(Head { text, id, method, meta })
}

/// Rung 4 on HTTP: a request that names its version nowhere lacks the header first of all.
fn missing_version_header(binding: Binding<'_>) -> Option<Rejection> {
    match binding {
        Binding::Http(headers) if headers.known(KnownHeader::ProtocolVersion) == Found::Absent => {
            Some(Rejection::HeaderMismatch(vec![HeaderFault::Missing {
                header: PROTOCOL_VERSION_HEADER.to_owned(),
            }]))
        }
        Binding::Http(_) | Binding::Stdio => None,
    }
}

fn without_version(fault: MetaFault, binding: Binding<'_>) -> Rejection {
    missing_version_header(binding).unwrap_or_else(|| Rejection::InvalidMeta(vec![fault]))
}

fn supported(meta: &RequestMeta<'_>) -> Result<(), Rejection> {
    match ProtocolVersion::parse(&meta.protocol_version) {
        Some(_) => Ok(()),
        None => Err(Rejection::UnsupportedVersion { requested: meta.protocol_version.clone().into_owned() }),
    }
}

/// Rungs 5 to 7. When the version header is at fault, the faults of the other headers are told along with it.
fn parity(
    method: Method,
    meta: &RequestMeta<'_>,
    mirrored: Option<&str>,
    headers: &dyn HeaderSource,
) -> Result<(), Rejection> {
    let claimed = meta.protocol_version.as_bytes();
    if matches!(headers.known(KnownHeader::ProtocolVersion), Found::One(value) if value == claimed) {
        supported(meta)?;
    }
    let body =
        MirroredBody { version: Some(&meta.protocol_version), method: method.as_str(), name: mirrored };
    validate_standard_headers(&body, headers).map_err(Rejection::HeaderMismatch)?;
    supported(meta)
}
