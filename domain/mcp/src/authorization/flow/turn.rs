//! What follows from what a flow is told, where that depends on nothing else of the flow.

use alloc::vec::Vec;

use crate::access::Scopes;
use crate::time::Timestamp;

use super::super::client::{ClientRegistration, RegistrationOrigin};
use super::super::credential::Credential;
use super::super::http_url::HttpUrl;
use super::super::pending::PendingAuthorization;
use super::super::secret::Secret;
use super::super::server_metadata::ServerMetadataFault;
use super::super::token_request::TokenRequest;
use super::super::token_response::{Loss, TokenResponseFault, TokenSet, read_token_response};
use super::action::{Action, Event, Fetch, FetchBody};
use super::fault::FlowFault;
use super::known::KnownServer;
use super::step::Step;

/// What a step comes to.
pub(super) type Turn = Result<(Step, Action), FlowFault>;

pub(super) fn next_place_of_resource(mut left: Vec<HttpUrl>, fault: Option<FlowFault>) -> Turn {
    let Some(asked) = left.pop() else { return Err(fault.unwrap_or(FlowFault::NoResourceMetadata)) };
    Ok((Step::Resource { asked: asked.clone(), left, fault }, Action::Fetch(get(asked))))
}

/// The fault to tell of several documents: that one was another's says more than that one was no document.
pub(super) fn worse(earlier: Option<ServerMetadataFault>, found: ServerMetadataFault) -> ServerMetadataFault {
    match earlier {
        Some(earlier) if found == ServerMetadataFault::Malformed => earlier,
        _ => found,
    }
}

pub(super) fn on_refresh(
    known: KnownServer,
    credential: Credential,
    spent: &TokenSet,
    event: &Event,
    now: Timestamp,
) -> Turn {
    let (status, body) = answer(event, &known)?;
    let earlier = spent.refresh_token.as_ref();
    let fault = match read_token_response(status, body, spent.scopes.as_ref(), earlier, now) {
        Ok(tokens) => return Ok(keep_tokens(known, credential, tokens)),
        Err(fault) => fault,
    };
    let issuer = known.server.issuer.clone();
    match fault.loss() {
        Loss::Nothing => Err(FlowFault::Token(fault)),
        Loss::Tokens => {
            let left = credential.without_tokens(&known.resource);
            let action = Action::Save { issuer, credential: left.clone() };
            Ok((Step::Forget { known, left: Some(left) }, action))
        }
        Loss::Registration => Ok((Step::Forget { known, left: None }, Action::Remove(issuer))),
    }
}

pub(super) fn on_user(
    known: KnownServer,
    pending: PendingAuthorization,
    credential: Credential,
    event: Event,
) -> Turn {
    let returned_to = match event {
        Event::Returned(returned_to) => returned_to,
        Event::Declined => return Err(FlowFault::Declined),
        Event::Answered { .. }
        | Event::Unreachable
        | Event::Loaded(_)
        | Event::Stored
        | Event::Client(_)
        | Event::Asserted(_) => {
            return Err(FlowFault::Unexpected);
        }
    };
    let code = pending.read_response(&returned_to).map_err(FlowFault::Response)?;
    let request = TokenRequest::redeem(&pending, &code);
    Ok((Step::Redeem { known, credential, scopes: pending.scopes }, Action::Fetch(post(request))))
}

pub(super) fn on_redeemed(
    known: KnownServer,
    scopes: Option<&Scopes>,
    credential: Credential,
    event: &Event,
    now: Timestamp,
) -> Turn {
    let (status, body) = answer(event, &known)?;
    match read_token_response(status, body, scopes, None, now) {
        Ok(tokens) => Ok(keep_tokens(known, credential, tokens)),
        Err(fault) => lose_registration(known, &credential, fault),
    }
}

/// Redeems an assertion. It is good for a short while and for this once, so nothing refreshes what it gives.
pub(super) fn on_assertion(
    known: KnownServer,
    credential: Credential,
    scopes: Option<Scopes>,
    assertion: Option<Secret>,
) -> Turn {
    let Some(assertion) = assertion else {
        return Err(FlowFault::NoAssertion { issuer: known.server.issuer });
    };
    let (endpoint, client) = (&known.server.token_endpoint, &credential.client);
    let request = TokenRequest::assertion(endpoint, client, &known.resource, scopes.as_ref(), &assertion);
    Ok((Step::Redeem { known, credential, scopes }, Action::Fetch(post(request))))
}

/// What the server forgot, such as a client that registered itself long ago, must not be tried again for ever.
pub(super) fn lose_registration(
    known: KnownServer,
    credential: &Credential,
    fault: TokenResponseFault,
) -> Turn {
    let kept = match credential.client.origin {
        RegistrationOrigin::Dynamic | RegistrationOrigin::UserSupplied => true,
        RegistrationOrigin::PreRegistered | RegistrationOrigin::MetadataDocument => false,
    };
    if kept && fault.loss() == Loss::Registration {
        return Ok((Step::Fail { fault: FlowFault::Token(fault) }, Action::Remove(known.server.issuer)));
    }
    Err(FlowFault::Token(fault))
}

pub(super) fn keep_client(known: KnownServer, client: ClientRegistration) -> (Step, Action) {
    let issuer = known.server.issuer.clone();
    let action = Action::Save { issuer, credential: Credential::of(client.clone()) };
    (Step::KeepClient { known, client }, action)
}

pub(super) fn keep_tokens(known: KnownServer, credential: Credential, tokens: TokenSet) -> (Step, Action) {
    let credential = credential.with_tokens(&known.resource, tokens.clone());
    let action = Action::Save { issuer: known.server.issuer.clone(), credential: credential.clone() };
    (Step::KeepTokens { known, credential, tokens }, action)
}

/// The document of a response; `None` for a response that has none.
pub(super) fn document(event: &Event) -> Result<Option<&[u8]>, FlowFault> {
    match event {
        Event::Answered { status: 200, body } => Ok(Some(body)),
        Event::Answered { .. } | Event::Unreachable => Ok(None),
        Event::Loaded(_)
        | Event::Stored
        | Event::Client(_)
        | Event::Asserted(_)
        | Event::Returned(_)
        | Event::Declined => Err(FlowFault::Unexpected),
    }
}

pub(super) fn answer<'e>(event: &'e Event, known: &KnownServer) -> Result<(u16, &'e [u8]), FlowFault> {
    match event {
        Event::Answered { status, body } => Ok((*status, body)),
        Event::Unreachable => Err(FlowFault::Unreachable { issuer: known.server.issuer.clone() }),
        Event::Loaded(_)
        | Event::Stored
        | Event::Client(_)
        | Event::Asserted(_)
        | Event::Returned(_)
        | Event::Declined => Err(FlowFault::Unexpected),
    }
}

pub(super) const fn get(url: HttpUrl) -> Fetch {
    Fetch { url, body: FetchBody::None, authorization: None }
}

pub(super) fn post(request: TokenRequest) -> Fetch {
    Fetch { url: request.endpoint, body: FetchBody::Form(request.form), authorization: request.authorization }
}
