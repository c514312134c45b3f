//! Has tokens verified, and words what a caller is told who stays out.

use std::error::Error;
use std::fmt::Write as _;
use std::sync::Arc;

use pm_mcp_domain::access::{AccessPolicy, AccessRefusal, Authorized, Credential, MethodNeeds, Scopes};
use pm_mcp_domain::fault::Rejection;
use pm_mcp_domain::fault::{Denial, denial_json};
use pm_mcp_domain::ident::RequestId;
use pm_mcp_domain::request::{Candidate, Method, Params, Verdict, Weighed, weigh};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_domain::wire::ProtectedResource;
use pm_mcp_ports::driven::{TokenVerifier, VerifyError};
use pm_mcp_ports::driving::{Answer, Inbound, Outbox, Served};
use tracing::{debug, info, warn};

use super::acting::Acting;
use crate::answer::rejected;
use crate::dispatch::offers;
use crate::door::Door;

/// What a server asks of those who call it.
#[derive(Clone, Debug)]
pub struct AccessSettings {
    /// What a token has to say.
    pub policy: AccessPolicy,
    /// Which scopes every request of a method needs.
    pub needs: MethodNeeds,
    /// For which scopes a client may ask consent, as the metadata says; `None` for all that something needs.
    pub consent: Option<Scopes>,
}

/// Has tokens verified, and decides by the policy.
#[derive(Debug)]
pub(crate) struct Gate {
    verifier: Arc<dyn TokenVerifier>,
    pub(crate) policy: AccessPolicy,
    pub(crate) needs: MethodNeeds,
    pub(crate) metadata: Arc<ProtectedResource>,
}

impl Gate {
    /// `known` are the scopes that some entry needs.
    pub(crate) fn new(
        settings: AccessSettings,
        verifier: Arc<dyn TokenVerifier>,
        name: Option<&str>,
        known: &Scopes,
    ) -> Self {
        let AccessSettings { policy, needs, consent } = settings;
        let consent = consent.unwrap_or_else(|| {
            let mut all = known.clone();
            Method::ALL.iter().for_each(|method| all.extend(&needs.of(*method)));
            all
        });
        let metadata = Arc::new(ProtectedResource::new(&policy, &consent, name));
        Self { verifier, policy, needs, metadata }
    }

    async fn authenticate(&self, credential: Credential<'_>, now: Timestamp) -> Result<Authorized, Denial> {
        let token = credential.token()?.ok_or(Denial::NoToken)?;
        let grant = self.verifier.verify(&token, now).await.map_err(|error| match error {
            VerifyError::Invalid(source) => {
                info!(reason = %causes(&*source), "a token is not valid");
                Denial::Invalid
            }
            VerifyError::Expired => Denial::Expired,
            VerifyError::Unavailable(source) => {
                warn!(cause = %causes(&*source), "tokens cannot be verified");
                Denial::Unavailable
            }
        })?;
        Ok(self.policy.authenticate(grant, now)?)
    }

    /// Goes on only if the caller holds every scope of `needs`.
    pub(crate) fn permit(&self, access: &Authorized, needs: &Scopes) -> Result<(), AccessRefusal> {
        self.policy.permit(access, needs)
    }

    /// What a caller is told who stays out. `needs` are all the scopes of what it wanted.
    pub(crate) fn denied(&self, id: Option<RequestId<'_>>, denial: &Denial, needs: &Scopes) -> Answer {
        debug!(status = denial.http_status(), "a caller is refused: {denial}");
        Answer {
            status: denial.http_status(),
            body: denial_json(id, denial).into_bytes(),
            challenge: denial.challenge(self.metadata.url(), needs).map(String::into_boxed_str),
            error: Some(denial.code()),
        }
    }

    /// The scopes that a caller without a good token is told to ask for.
    fn wanted(&self, needs: &Scopes) -> Scopes {
        let mut wanted = self.needs.base().clone();
        wanted.extend(needs);
        wanted
    }
}

fn causes(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        // Writing to a string cannot fail.
        write!(text, ": {cause}").unwrap_or_default();
        next = cause.source();
    }
    text
}

impl Door {
    /// Serves a message of somebody who has to show a token. The token is asked for after the shape of the message and
    /// before anything that the message names is looked up.
    pub(crate) async fn guarded(&self, gate: &Gate, inbound: Inbound<'_>, outbox: &mut dyn Outbox) -> Served {
        let now = self.core.ports.clock.now();
        let depth = self.core.settings.limits.json_depth;
        match weigh(inbound.bytes, inbound.binding, self.core.extensions.known(), depth) {
            Weighed::Refused(refused) => Served::Answered(self.core.refuse(refused.id, &refused.rejection)),
            Weighed::Notification(notification) => match gate.authenticate(inbound.credential, now).await {
                Ok(access) => {
                    let access = Arc::new(access);
                    let acting =
                        Acting { principal: &access.principal, access: Some(&access), surface: None };
                    self.judged(&Verdict::Notification(notification), &acting, &inbound, outbox).await
                }
                Err(denial) => Served::Answered(gate.denied(None, &denial, gate.needs.base())),
            },
            Weighed::Request(candidate) => self.candidate(gate, *candidate, inbound, outbox).await,
        }
    }

    async fn candidate(
        &self,
        gate: &Gate,
        candidate: Candidate<'_>,
        inbound: Inbound<'_>,
        outbox: &mut dyn Outbox,
    ) -> Served {
        let surface = self.core.surface();
        let (id, method) = (candidate.id, candidate.method);
        if !offers(surface.capabilities, method) {
            let rejection = Rejection::MethodNotFound { method: method.as_str().to_owned() };
            return Served::Answered(rejected(Some(id), &rejection));
        }
        // What a policy may hide is not told of to somebody unknown.
        let names = self.core.settings.visibility.is_none();
        let needs = || {
            let mut needs = gate.needs.of(method);
            if names {
                needs.extend(&match &candidate.admitted {
                    Ok(admitted) => surface.catalogue.needs(&admitted.params, |_| true),
                    Err(_) => surface.catalogue.needs_by_name(method, candidate.name.as_deref()),
                });
            }
            needs
        };
        let now = self.core.ports.clock.now();
        let access = match gate.authenticate(inbound.credential, now).await {
            Ok(access) => Arc::new(access),
            Err(denial) => return Served::Answered(gate.denied(Some(id), &denial, &gate.wanted(&needs()))),
        };
        if candidate.admitted.is_err() {
            let needs = needs();
            if let Err(refusal) = gate.permit(&access, &needs) {
                return Served::Answered(gate.denied(Some(id), &refusal.into(), &needs));
            }
        }
        let acting = Acting {
            principal: &access.principal,
            access: Some(&access),
            surface: Some(Arc::clone(&surface)),
        };
        self.judged(&candidate.admit(), &acting, &inbound, outbox).await
    }
}

/// Whether scopes are looked at only once it is known what a request is about, so that one challenge names them all.
pub(crate) fn asks_later(params: &Params<'_>) -> bool {
    match params {
        Params::Listen { .. }
        | Params::GetTask { .. }
        | Params::UpdateTask { .. }
        | Params::CancelTask { .. } => true,
        Params::Discover
        | Params::List { .. }
        | Params::CallTool { .. }
        | Params::ReadResource { .. }
        | Params::GetPrompt { .. }
        | Params::Complete { .. }
        | Params::Extension { .. } => false,
    }
}
