//! The machine.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::time::Duration;

use crate::access::{Issuer, Scopes};
use crate::time::Timestamp;

use super::super::bearer::{BearerChallenge, BearerError};
use super::super::client::RegistrationOrigin;
use super::super::credential::Credential;
use super::super::http_url::HttpUrl;
use super::super::pending::PendingAuthorization;
use super::super::pkce::{CodeVerifier, RequestState, STATE_BYTES, VERIFIER_BYTES};
use super::super::registration::{
    ClientProfile, KnownClient, RegistrationChoice, choose_registration, read_registration_response,
    registration_request,
};
use super::super::resource_metadata::{ResourceMetadata, ResourceMetadataFault, read_resource_metadata};
use super::super::scopes::select_scopes;
use super::super::secret::Secret;
use super::super::server_metadata::{ServerMetadataFault, read_server_metadata};
use super::super::token_request::TokenRequest;
use super::super::well_known::{authorization_server_metadata_urls, protected_resource_metadata_urls};
use super::action::{Action, Event, Fetch, FetchBody};
use super::fault::FlowFault;
use super::grant::GrantKind;
use super::known::{Granted, KnownServer};
use super::step::Step;
use super::turn::{
    Turn, answer, document, get, keep_client, next_place_of_resource, on_assertion, on_redeemed, on_refresh,
    on_user, post, worse,
};

/// The most authorization servers of one resource that are asked.
const MOST_ISSUERS: usize = 4;

/// What holds for every flow of a client.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlowSettings {
    /// What the client says of itself.
    pub profile: ClientProfile,
    /// Who stands for it.
    pub grant: GrantKind,
    /// Whether it asks for refresh tokens where a server has a scope for them.
    pub wants_refresh_tokens: bool,
}

/// What a flow is for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// The server that tokens are for.
    pub endpoint: HttpUrl,
    /// What it said when it refused.
    pub challenge: BearerChallenge,
    /// The access token that it refused, or that ends soon.
    pub refused: Option<Secret>,
    /// The scopes that were asked for before.
    pub before: Option<Scopes>,
    /// How often the client registered itself already since it was started.
    pub registrations: u8,
    /// Whether the user may be asked now. Where not, the flow ends when only the user could help.
    pub may_ask_user: bool,
}

/// Random bytes of one flow.
pub struct FlowRandom {
    /// Of the code verifier.
    pub verifier: [u8; VERIFIER_BYTES],
    /// Of the state.
    pub state: [u8; STATE_BYTES],
}

impl core::fmt::Debug for FlowRandom {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("FlowRandom(..)")
    }
}

/// One way from a refusal to tokens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flow {
    settings: FlowSettings,
    wanted: Wanted,
    verifier: CodeVerifier,
    state: RequestState,
    registrations: u8,
    step: Step,
}

impl Flow {
    /// Begins after a refusal, with the metadata of the resource: who issues tokens may have changed since last time.
    ///
    /// # Errors
    ///
    /// [`FlowFault::NotProtected`] and [`FlowFault::Url`] for an endpoint that no token may be sent to.
    pub fn begin(
        settings: FlowSettings,
        wanted: Wanted,
        random: &FlowRandom,
    ) -> Result<(Self, Action), FlowFault> {
        if !wanted.endpoint.is_protected() {
            return Err(FlowFault::NotProtected);
        }
        let named = wanted.challenge.resource_metadata.as_ref();
        let mut left = protected_resource_metadata_urls(&wanted.endpoint, named).map_err(FlowFault::Url)?;
        left.reverse();
        let (step, action) = next_place_of_resource(left, None)?;
        Ok((Self::at(settings, wanted, random, step), action))
    }

    /// Begins with what is known already, to spend a refresh token before an access token ends.
    pub fn refresh(
        settings: FlowSettings,
        wanted: Wanted,
        known: KnownServer,
        random: &FlowRandom,
    ) -> (Self, Action) {
        let action = Action::Load(known.server.issuer.clone());
        (Self::at(settings, wanted, random, Step::Credential { known }), action)
    }

    fn at(settings: FlowSettings, wanted: Wanted, random: &FlowRandom, step: Step) -> Self {
        let verifier = CodeVerifier::from_random(&random.verifier);
        let state = RequestState::from_random(&random.state);
        Self { settings, registrations: wanted.registrations, wanted, verifier, state, step }
    }

    /// Goes on with what came of the last action.
    ///
    /// # Errors
    ///
    /// [`FlowFault`] when there will be no tokens.
    pub fn next(mut self, event: Event, now: Timestamp) -> Result<(Self, Action), FlowFault> {
        let step = core::mem::replace(&mut self.step, Step::Done);
        let (step, action) = match (step, event) {
            (Step::Resource { asked, left, fault }, event) => {
                self.on_resource(&asked, left, fault, &event)?
            }
            (Step::Server { resource, issuer, issuers, left, fault }, event) => {
                self.on_server(resource, issuer, issuers, left, fault, &event)?
            }
            (Step::Credential { known }, Event::Loaded(credential)) => {
                self.on_credential(known, credential, now)?
            }
            (Step::Refresh { known, credential, spent }, event) => {
                on_refresh(known, credential, &spent, &event, now)?
            }
            (Step::Forget { known, left }, Event::Stored) => self.become_known(known, left)?,
            (Step::Register { known }, event) => self.on_registration(known, &event)?,
            (Step::Client { known }, Event::Client(client)) => self.on_client(known, client)?,
            (Step::KeepClient { known, client }, Event::Stored) => self.ask(known, Credential::of(client)),
            (Step::User { known, pending, credential }, event) => on_user(known, pending, credential, event)?,
            (Step::Assertion { known, credential, scopes }, Event::Asserted(assertion)) => {
                on_assertion(known, credential, scopes, assertion)?
            }
            (Step::Redeem { known, credential, scopes }, event) => {
                on_redeemed(known, scopes.as_ref(), credential, &event, now)?
            }
            (Step::KeepTokens { known, credential, tokens }, Event::Stored) => {
                (Step::Done, Action::Finish(Box::new(Granted { known, credential, tokens })))
            }
            (Step::Fail { fault }, Event::Stored) => return Err(fault),
            (
                Step::Credential { .. }
                | Step::Forget { .. }
                | Step::Client { .. }
                | Step::Assertion { .. }
                | Step::KeepClient { .. }
                | Step::KeepTokens { .. }
                | Step::Fail { .. }
                | Step::Done,
                _,
            ) => return Err(FlowFault::Unexpected),
        };
        self.step = step;
        Ok((self, action))
    }

    fn on_resource(
        &self,
        asked: &HttpUrl,
        left: Vec<HttpUrl>,
        fault: Option<FlowFault>,
        event: &Event,
    ) -> Turn {
        let Some(document) = document(event)? else { return next_place_of_resource(left, fault) };
        match read_resource_metadata(document, &self.wanted.endpoint, asked) {
            Ok(resource) => {
                let issuers = self.issuers_by_preference(&resource);
                self.next_issuer(resource, issuers, FlowFault::NoResourceMetadata)
            }
            // A page of some other kind; the document may be at the next place.
            Err(fault @ ResourceMetadataFault::Malformed) => {
                next_place_of_resource(left, Some(FlowFault::ResourceMetadata(fault)))
            }
            Err(
                fault @ (ResourceMetadataFault::OtherResource { .. }
                | ResourceMetadataFault::NoAuthorizationServer),
            ) => Err(FlowFault::ResourceMetadata(fault)),
        }
    }

    /// The issuers, the first to ask last: those that gave this client an id beforehand, then the others, each in the
    /// order of the document.
    fn issuers_by_preference(&self, resource: &ResourceMetadata) -> Vec<Issuer> {
        let knows =
            |issuer: &&Issuer| self.settings.profile.known.iter().any(|known| known.issuer == **issuer);
        let (mut first, then): (Vec<&Issuer>, Vec<&Issuer>) =
            resource.authorization_servers.iter().partition(knows);
        first.extend(then);
        first.truncate(MOST_ISSUERS);
        first.into_iter().rev().cloned().collect()
    }

    fn next_issuer(&self, resource: ResourceMetadata, mut issuers: Vec<Issuer>, fault: FlowFault) -> Turn {
        let Some(issuer) = issuers.pop() else { return Err(fault) };
        let mut left = authorization_server_metadata_urls(&issuer).map_err(FlowFault::Url)?;
        left.reverse();
        self.next_place_of_server(resource, issuer, issuers, left, None)
    }

    fn next_place_of_server(
        &self,
        resource: ResourceMetadata,
        issuer: Issuer,
        issuers: Vec<Issuer>,
        mut left: Vec<HttpUrl>,
        fault: Option<ServerMetadataFault>,
    ) -> Turn {
        let Some(asked) = left.pop() else {
            let fault = match fault {
                Some(fault) => FlowFault::ServerMetadata { issuer, fault },
                None => FlowFault::NoServerMetadata { issuer },
            };
            return self.next_issuer(resource, issuers, fault);
        };
        Ok((Step::Server { resource, issuer, issuers, left, fault }, Action::Fetch(get(asked))))
    }

    fn on_server(
        &self,
        resource: ResourceMetadata,
        issuer: Issuer,
        issuers: Vec<Issuer>,
        left: Vec<HttpUrl>,
        fault: Option<ServerMetadataFault>,
        event: &Event,
    ) -> Turn {
        let Some(document) = document(event)? else {
            return self.next_place_of_server(resource, issuer, issuers, left, fault);
        };
        match read_server_metadata(document, &issuer) {
            Ok(server) => {
                let ResourceMetadata { resource, scopes_supported, .. } = resource;
                let known = KnownServer { resource, scopes_supported, server };
                Ok((Step::Credential { known }, Action::Load(issuer)))
            }
            Err(found) => {
                self.next_place_of_server(resource, issuer, issuers, left, Some(worse(fault, found)))
            }
        }
    }

    fn on_credential(&mut self, known: KnownServer, credential: Option<Credential>, now: Timestamp) -> Turn {
        let Some(credential) = credential else { return self.become_known(known, None) };
        let Some(tokens) = credential.tokens(&known.resource).cloned() else {
            return self.become_known(known, Some(credential));
        };
        let enough = self.wanted.challenge.scopes.as_ref().is_none_or(|needed| tokens.allows(needed));
        let refused = self.wanted.refused.as_ref() == Some(&tokens.access_token);
        if enough && !refused && !tokens.ends_within(Duration::ZERO, now) {
            // Somebody else who shares the store was here first.
            return Ok((Step::Done, Action::Finish(Box::new(Granted { known, credential, tokens }))));
        }
        // A refresh never gives more scopes than there were.
        let wants_more = self.wanted.challenge.error == Some(BearerError::InsufficientScope) && refused;
        match tokens.refresh_token.as_ref().filter(|_| enough && !wants_more) {
            Some(refresh_token) => {
                let request = TokenRequest::refresh(
                    &known.server.token_endpoint,
                    &credential.client,
                    &known.resource,
                    refresh_token,
                );
                Ok((Step::Refresh { known, credential, spent: tokens }, Action::Fetch(post(request))))
            }
            None => self.become_known(known, Some(credential)),
        }
    }

    fn become_known(&mut self, known: KnownServer, earlier: Option<Credential>) -> Turn {
        let with_user = self.settings.grant == GrantKind::Consent;
        if with_user && !self.wanted.may_ask_user {
            return Err(FlowFault::ConsentNeeded);
        }
        // Without a user nobody could consent to a client that nobody knows.
        let own = ClientProfile { document: None, registers_itself: false, ..self.settings.profile.clone() };
        let profile = if with_user { &self.settings.profile } else { &own };
        let client = earlier.as_ref().map(|credential| &credential.client);
        let choice = choose_registration(profile, &known.server, client, self.registrations);
        match choice.map_err(FlowFault::Registration)? {
            RegistrationChoice::Use(client) => {
                // Tokens of another registration are not this one's.
                let credential = earlier.filter(|credential| credential.client == client);
                Ok(self.ask(known, credential.unwrap_or_else(|| Credential::of(client))))
            }
            RegistrationChoice::Register(endpoint) => {
                self.registrations = self.registrations.saturating_add(1);
                let body = FetchBody::Json(registration_request(profile, &known.server));
                let fetch = Fetch { url: endpoint, body, authorization: None };
                Ok((Step::Register { known }, Action::Fetch(fetch)))
            }
            RegistrationChoice::AskUser => {
                let issuer = known.server.issuer.clone();
                Ok((Step::Client { known }, Action::AskClient(issuer)))
            }
        }
    }

    fn on_registration(&self, known: KnownServer, event: &Event) -> Turn {
        let (status, body) = answer(event, &known)?;
        let client = read_registration_response(status, body, &self.settings.profile, &known.server);
        Ok(keep_client(known, client.map_err(FlowFault::Registration)?))
    }

    fn on_client(&self, known: KnownServer, client: Option<(alloc::string::String, Option<Secret>)>) -> Turn {
        let issuer = known.server.issuer.clone();
        let Some((client_id, secret)) = client.filter(|(id, _)| !id.is_empty()) else {
            return Err(FlowFault::NoClient { issuer });
        };
        let told = KnownClient { issuer, client_id, secret };
        let client = told.at(&known.server, RegistrationOrigin::UserSupplied);
        Ok(keep_client(known, client.map_err(FlowFault::Registration)?))
    }

    fn ask(&self, known: KnownServer, credential: Credential) -> (Step, Action) {
        let mut before = self.wanted.before.clone().unwrap_or_default();
        if let Some(scopes) = credential.tokens(&known.resource).and_then(|tokens| tokens.scopes.as_ref()) {
            before.extend(scopes);
        }
        let offline = known.server.scopes_supported.as_ref().filter(|_| self.settings.wants_refresh_tokens);
        let challenged = self.wanted.challenge.scopes.as_ref();
        let scopes = select_scopes(challenged, known.scopes_supported.as_ref(), Some(&before), offline);
        let (endpoint, resource) = (&known.server.token_endpoint, &known.resource);
        match self.settings.grant {
            GrantKind::Consent => self.ask_user(known, credential, scopes),
            GrantKind::ClientCredentials => {
                let request =
                    TokenRequest::client_credentials(endpoint, &credential.client, resource, scopes.as_ref());
                (Step::Redeem { known, credential, scopes }, Action::Fetch(post(request)))
            }
            GrantKind::Assertion => {
                let (issuer, resource) = (known.server.issuer.clone(), resource.clone());
                (Step::Assertion { known, credential, scopes }, Action::Assert { issuer, resource })
            }
        }
    }

    fn ask_user(&self, known: KnownServer, credential: Credential, scopes: Option<Scopes>) -> (Step, Action) {
        let pending = PendingAuthorization {
            issuer: known.server.issuer.clone(),
            response_names_issuer: known.server.response_names_issuer,
            token_endpoint: known.server.token_endpoint.clone(),
            client: credential.client.clone(),
            redirect_uri: self.settings.profile.redirect_uri.clone(),
            resource: known.resource.clone(),
            scopes,
            verifier: self.verifier.clone(),
            state: self.state.clone(),
        };
        let action = Action::SendUser {
            url: pending.url(&known.server),
            issuer: pending.issuer.clone(),
            resource: pending.resource.clone(),
            scopes: pending.scopes.clone(),
        };
        (Step::User { known, pending, credential }, action)
    }
}
