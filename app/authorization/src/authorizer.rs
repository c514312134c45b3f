//! The authorizer.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use pm_mcp_domain::access::Scopes;
use pm_mcp_domain::authorization::{
    BearerChallenge, BearerError, Flow, FlowFault, FlowSettings, HttpUrl, Secret, Wanted,
    read_bearer_challenge,
};
use tokio::sync;

use crate::drive::{Drive, random};
use crate::error::AuthorizeError;
use crate::ports::Ports;
use crate::refusal::Refusal;
use crate::session::{Glance, Seen, Session};

/// How long before its end a token is refreshed, where there is something to refresh it with.
const MARGIN: Duration = Duration::from_secs(60);
/// How long a refresh that failed is not tried again, so that not every request waits for a server that is down.
const PAUSE: Duration = Duration::from_secs(15);

/// Gets tokens for one server, and gives them to whoever sends requests there. Cloning it is cheap; clones are one.
///
/// ```
/// # use pm_mcp_authorization::{AuthorizeError, Authorizer, Refusal};
/// # struct Response { status: u16, challenges: Vec<String> }
/// # async fn send(_: Option<String>) -> Response { Response { status: 200, challenges: Vec::new() } }
/// async fn call(authorizer: &Authorizer) -> Result<Response, AuthorizeError> {
///     loop {
///         let token = authorizer.token().await;
///         let header = token.as_ref().map(|token| format!("Bearer {}", token.expose()));
///         let response = send(header).await;
///         if !matches!(response.status, 401 | 403) {
///             authorizer.succeeded("tools/list");
///             return Ok(response);
///         }
///         let challenges: Vec<&str> = response.challenges.iter().map(String::as_str).collect();
///         let (status, token) = (response.status, token.as_ref());
///         authorizer.refused(Refusal { status, challenges: &challenges, token, operation: "tools/list" }).await?;
///     }
/// }
/// ```
#[derive(Clone)]
pub struct Authorizer {
    shared: Arc<Shared>,
}

struct Shared {
    endpoint: HttpUrl,
    settings: FlowSettings,
    ports: Ports,
    /// One flow at a time.
    session: sync::Mutex<Session>,
    /// For those who do not wait for it.
    glance: Glance,
}

impl Authorizer {
    /// An authorizer for the server at this endpoint. It asks nobody anything yet.
    ///
    /// # Errors
    ///
    /// [`FlowFault::NotProtected`] for an endpoint on plain HTTP that is not this machine.
    pub fn new(endpoint: HttpUrl, settings: FlowSettings, ports: Ports) -> Result<Self, FlowFault> {
        if !endpoint.is_protected() {
            return Err(FlowFault::NotProtected);
        }
        let shared =
            Shared { endpoint, settings, ports, session: sync::Mutex::default(), glance: Glance::default() };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// The token for the next request, if there is one. One that ends soon is refreshed first; if that fails, it is given
    /// as long as it lasts, and the server may refuse it.
    ///
    /// The token is for requests to the endpoint and nowhere else, in the header `Authorization: Bearer`.
    pub async fn token(&self) -> Option<Secret> {
        let now = self.shared.ports.clock.now();
        let (granted, paused) = {
            let seen = self.shared.glance.look();
            (seen.granted.clone()?, seen.refresh_from.is_some_and(|from| now < from))
        };
        let token = granted.tokens.access_token;
        let is_refreshed = granted.tokens.refresh_token.is_some() && !paused;
        let ends_soon = granted.tokens.expires.is_some_and(|expires| expires <= now.after(MARGIN));
        if !ends_soon || !is_refreshed {
            return Some(token);
        }
        let refreshed = self.detached(|shared| async move { shared.refresh(token).await }).await;
        let mut seen = self.shared.glance.look();
        if let Err(fault) = refreshed {
            tracing::warn!(%fault, "a token that ends soon is not refreshed");
            seen.refresh_from = Some(self.shared.ports.clock.now().after(PAUSE));
        }
        seen.granted.as_ref().map(|granted| granted.tokens.access_token.clone())
    }

    /// Gets a better token after a refusal. `Ok` means: send the request again, with [`token`](Self::token).
    ///
    /// Of all who were refused at once, one gets the token and the others have it too. A caller that drops this does not
    /// stop it: a token that was paid for is kept.
    ///
    /// # Errors
    ///
    /// [`AuthorizeError`] when the refusal stands.
    pub async fn refused(&self, refusal: Refusal<'_>) -> Result<(), AuthorizeError> {
        let challenge = read_bearer_challenge(refusal.challenges.iter().copied());
        match (refusal.status, &challenge.error) {
            (401, _) | (403, Some(BearerError::InsufficientScope)) => {}
            (403, _) => return Err(AuthorizeError::Forbidden { description: challenge.error_description }),
            (status, _) => return Err(AuthorizeError::NoRefusal { status }),
        }
        let (token, operation) = (refusal.token.cloned(), refusal.operation.to_owned());
        self.detached(|shared| async move { shared.answer(challenge, token, &operation).await }).await
    }

    /// A request for this operation was not refused: earlier refusals do not count any more. To be told after every request
    /// that was answered, because an operation that is refused too often without it is given up.
    pub fn succeeded(&self, operation: &str) {
        self.shared.glance.look().attempts.succeeded(self.shared.endpoint.as_str(), operation);
    }

    /// Forgets the tokens, and whatever else is kept of the issuer that they are from; other issuers' credentials stay. The
    /// next refusal is answered as the first one was. The issuer is told nothing.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn forget(&self) -> Result<(), AuthorizeError> {
        self.detached(|shared| async move { shared.forget().await }).await
    }

    /// Runs to its end what a caller may give up waiting for.
    async fn detached<F: Future<Output = Result<(), AuthorizeError>> + Send + 'static>(
        &self,
        work: impl FnOnce(Arc<Shared>) -> F,
    ) -> Result<(), AuthorizeError> {
        tokio::spawn(work(Arc::clone(&self.shared))).await.unwrap_or(Err(AuthorizeError::Stopped))
    }
}

impl fmt::Debug for Authorizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Authorizer").field("endpoint", &self.shared.endpoint).finish_non_exhaustive()
    }
}

impl Shared {
    async fn answer(
        &self,
        challenge: BearerChallenge,
        refused: Option<Secret>,
        operation: &str,
    ) -> Result<(), AuthorizeError> {
        let mut session = self.session.lock().await;
        let held = session.granted.as_ref().map(|granted| &granted.tokens);
        if held.is_some_and(|held| refused.as_ref() != Some(&held.access_token)) {
            // Somebody else was refused first and has a new token already, for which this refusal says nothing.
            return Ok(());
        }
        self.glance.look().attempts.begin(self.endpoint.as_str(), operation)?;
        let before = session.asked.clone();
        let challenged = challenge.scopes.clone();
        let wanted = Wanted { may_ask_user: true, ..self.wanted(&session, challenge, refused, before) };
        let (flow, action) = Flow::begin(self.settings.clone(), wanted, &random(&*self.ports.entropy)?)?;
        self.drive(&mut session, flow, action).await?;
        if let Some(scopes) = challenged {
            session.asked.extend(&scopes);
        }
        Ok(())
    }

    async fn refresh(&self, ending: Secret) -> Result<(), AuthorizeError> {
        let mut session = self.session.lock().await;
        let Some(granted) = session.granted.as_ref().filter(|granted| granted.tokens.access_token == ending)
        else {
            return Ok(());
        };
        let known = granted.known.clone();
        let before = session.asked.clone();
        let wanted = self.wanted(&session, BearerChallenge::default(), Some(ending), before);
        let (flow, action) =
            Flow::refresh(self.settings.clone(), wanted, known, &random(&*self.ports.entropy)?);
        self.drive(&mut session, flow, action).await
    }

    async fn forget(&self) -> Result<(), AuthorizeError> {
        let mut session = self.session.lock().await;
        let Some(granted) = session.granted.take() else { return Ok(()) };
        *self.glance.look() = Seen::default();
        session.asked = Scopes::default();
        let (store, issuer) = (&self.ports.store, &granted.known.server.issuer);
        let _hold = store.hold(issuer).await?;
        if let Some(stored) = store.load(issuer).await? {
            store.remove(issuer, stored.revision).await?;
        }
        Ok(())
    }

    fn wanted(
        &self,
        session: &Session,
        challenge: BearerChallenge,
        refused: Option<Secret>,
        before: Scopes,
    ) -> Wanted {
        Wanted {
            endpoint: self.endpoint.clone(),
            challenge,
            refused,
            before: (!before.is_empty()).then_some(before),
            registrations: session.registrations,
            may_ask_user: false,
        }
    }

    async fn drive(
        &self,
        session: &mut Session,
        flow: Flow,
        action: pm_mcp_domain::authorization::Action,
    ) -> Result<(), AuthorizeError> {
        let granted = Drive::new(&self.ports, &mut session.registrations).run(flow, action).await?;
        session.granted = Some(granted.clone());
        let mut seen = self.glance.look();
        seen.granted = Some(granted);
        seen.refresh_from = None;
        Ok(())
    }
}
