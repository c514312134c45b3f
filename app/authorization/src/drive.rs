//! Does what a flow asks for.

use pm_mcp_domain::access::Issuer;
use pm_mcp_domain::authorization::{
    Action, Event, Fetch, FetchBody, Flow, FlowRandom, Granted, LONGEST_METADATA, STATE_BYTES, VERIFIER_BYTES,
};
use pm_mcp_ports::driven::{
    ConsentError, ConsentRequest, CredentialHold, Entropy, FetchMethod, FetchRequest, Revision,
};

use crate::error::AuthorizeError;
use crate::ports::Ports;

/// One flow under way: the hold of its issuer, and the write that the next one replaces.
pub(crate) struct Drive<'a> {
    ports: &'a Ports,
    registrations: &'a mut u8,
    hold: Option<CredentialHold>,
    revision: Option<Revision>,
}

impl<'a> Drive<'a> {
    pub(crate) fn new(ports: &'a Ports, registrations: &'a mut u8) -> Self {
        Self { ports, registrations, hold: None, revision: None }
    }

    /// Drives a flow to its end.
    pub(crate) async fn run(mut self, mut flow: Flow, mut action: Action) -> Result<Granted, AuthorizeError> {
        loop {
            let event = match action {
                Action::Finish(granted) => return Ok(*granted),
                other => self.carry_out(other).await?,
            };
            (flow, action) = flow.next(event, self.ports.clock.now())?;
        }
    }

    async fn carry_out(&mut self, action: Action) -> Result<Event, AuthorizeError> {
        match action {
            Action::Fetch(fetch) => Ok(self.fetch(fetch).await),
            Action::Load(issuer) => self.load(&issuer).await,
            Action::Save { issuer, credential } => {
                let saved = self.ports.store.save(&issuer, &credential, self.revision).await?;
                self.revision = Some(saved);
                Ok(Event::Stored)
            }
            Action::Remove(issuer) => {
                if let Some(revision) = self.revision.take() {
                    self.ports.store.remove(&issuer, revision).await?;
                }
                Ok(Event::Stored)
            }
            Action::AskClient(issuer) => {
                let told = self.ports.consent.client_at(&issuer).await;
                let told = told.or_else(|fault| declined(fault).map(|_| None))?;
                Ok(Event::Client(told.map(|client| (client.client_id, client.secret))))
            }
            Action::Assert { issuer, resource } => {
                let Some(source) = &self.ports.assertions else { return Ok(Event::Asserted(None)) };
                let assertion = source.assertion(&issuer, &resource).await;
                assertion.map(|found| Event::Asserted(Some(found))).map_err(AuthorizeError::Assertion)
            }
            Action::SendUser { url, issuer, resource, scopes } => {
                let request = ConsentRequest { url, issuer, resource, scopes };
                let returned_to = self.ports.consent.consent(&request).await;
                returned_to.map(Event::Returned).or_else(declined)
            }
            Action::Finish(granted) => Ok(Event::Loaded(Some(granted.credential))),
        }
    }

    async fn load(&mut self, issuer: &Issuer) -> Result<Event, AuthorizeError> {
        // Whoever was here first may have gained what is wanted; so the hold comes before the look.
        self.hold = Some(self.ports.store.hold(issuer).await?);
        let found = self.ports.store.load(issuer).await?;
        self.revision = found.as_ref().map(|stored| stored.revision);
        Ok(Event::Loaded(found.map(|stored| stored.credential)))
    }

    async fn fetch(&mut self, fetch: Fetch) -> Event {
        if fetch.is_registration() {
            *self.registrations = self.registrations.saturating_add(1);
        }
        let request = FetchRequest::json(fetch.url, LONGEST_METADATA);
        let method = match fetch.body {
            FetchBody::None => FetchMethod::Get,
            FetchBody::Form(form) => FetchMethod::Post {
                content_type: "application/x-www-form-urlencoded",
                body: form.expose().as_bytes().to_vec(),
            },
            FetchBody::Json(document) => {
                FetchMethod::Post { content_type: "application/json", body: document.into_bytes() }
            }
        };
        let request = FetchRequest { method, ..request };
        let request = match fetch.authorization {
            Some(value) => request.with_header("Authorization", value.expose().to_owned()),
            None => request,
        };
        let url = request.url.clone();
        match self.ports.fetch.fetch(request).await {
            Ok(response) => Event::Answered { status: response.status, body: response.body },
            Err(fault) => {
                tracing::warn!(?url, %fault, "no answer while authorizing");
                Event::Unreachable
            }
        }
    }
}

/// What a user who does not consent means for a flow; a user who cannot be asked ends it.
fn declined(fault: ConsentError) -> Result<Event, AuthorizeError> {
    match fault {
        ConsentError::Declined => Ok(Event::Declined),
        ConsentError::Unavailable(source) => Err(AuthorizeError::Consent(source)),
    }
}

/// Random bytes for one flow.
pub(crate) fn random(entropy: &dyn Entropy) -> Result<FlowRandom, AuthorizeError> {
    let mut random = FlowRandom { verifier: [0; VERIFIER_BYTES], state: [0; STATE_BYTES] };
    entropy.fill(&mut random.verifier)?;
    entropy.fill(&mut random.state)?;
    Ok(random)
}
