//! Who may call a server, and what for.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use pm_mcp_domain::access::{
    AccessPolicy, AddressFault, Issuer, MethodNeeds, Resource, Scope, ScopeFault, ScopeHierarchy, Scopes,
};
use pm_mcp_domain::request::Method;
use pm_mcp_engine::{AccessSettings, ArgumentScopes};
use pm_mcp_ports::driven::TokenVerifier;
use pm_mcp_ports::feature::Visibility;
use serde_json::Value;
use thiserror::Error;

use crate::builder::{BuildError, ServerBuilder};

/// Why what was said of authorization cannot hold.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum AccessFault {
    /// Only a part of what authorization needs is set.
    #[error(
        "{given} is set and {missing} is not; authorization needs token_verifier, resource_uri and issuer together"
    )]
    Half {
        /// What is set.
        given: &'static str,
        /// What is missing.
        missing: &'static str,
    },
    /// Strangers are let in and asked for tokens at once.
    #[error("allow_anonymous and token_verifier are both set; leave one out")]
    Both,
    /// The resource's URI is not usable.
    #[error("resource_uri {0}")]
    Resource(AddressFault),
    /// An issuer is not usable.
    #[error("issuer {0}")]
    Issuer(AddressFault),
    /// A scope is not usable.
    #[error(transparent)]
    Scope(#[from] ScopeFault),
}

/// What is asked of callers, and who verifies it.
type Asked = (AccessSettings, Arc<dyn TokenVerifier>);

/// What was said of authorization so far.
#[derive(Default)]
pub(crate) struct AccessDraft {
    verifier: Option<Arc<dyn TokenVerifier>>,
    resource: Option<Resource>,
    issuers: Vec<Issuer>,
    leeway: Option<Duration>,
    hierarchy: ScopeHierarchy,
    needs: MethodNeeds,
    consent: Option<Scopes>,
    fault: Option<AccessFault>,
}

impl AccessDraft {
    /// All of it, or nothing where nothing was said.
    pub(crate) fn finish(self, anonymous: bool) -> Result<Option<Asked>, AccessFault> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let half = |given, missing| Err(AccessFault::Half { given, missing });
        let (resource, mut issuers) = (self.resource, self.issuers.into_iter());
        match (self.verifier, resource, issuers.next()) {
            (None, None, None) => Ok(None),
            (Some(_), _, _) if anonymous => Err(AccessFault::Both),
            (Some(verifier), Some(resource), Some(issuer)) => {
                let mut policy = AccessPolicy::new(resource, issuer);
                policy.issuers.extend(issuers);
                policy.leeway = self.leeway.unwrap_or(policy.leeway);
                policy.hierarchy = self.hierarchy;
                Ok(Some((AccessSettings { policy, needs: self.needs, consent: self.consent }, verifier)))
            }
            (Some(_), None, _) => half("token_verifier", "resource_uri"),
            (Some(_), Some(_), None) => half("token_verifier", "issuer"),
            (None, Some(_), _) => half("resource_uri", "token_verifier"),
            (None, None, Some(_)) => half("issuer", "token_verifier"),
        }
    }

    fn note<T>(&mut self, value: Result<T, AccessFault>) -> Option<T> {
        match value {
            Ok(value) => Some(value),
            Err(fault) => {
                self.fault.get_or_insert(fault);
                None
            }
        }
    }
}

impl fmt::Debug for AccessDraft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AccessDraft").field("resource", &self.resource).finish_non_exhaustive()
    }
}

impl ServerBuilder {
    /// Asks every caller for a token that `verifier` finds authentic, together with [`resource_uri`](Self::resource_uri) and
    /// [`issuer`](Self::issuer). Callers over stdio are of this machine and are not asked.
    ///
    /// The verifier says what is in a token. Whether that is enough is decided here, the same for every verifier: the
    /// issuer, that the token is for this server, its time and its scopes.
    #[must_use]
    pub fn token_verifier(mut self, verifier: impl TokenVerifier) -> Self {
        self.access.verifier = Some(Arc::new(verifier));
        self
    }

    /// The canonical URI of this server, such as `https://tools.example/mcp`: tokens must be for it, letter for letter, and
    /// its metadata document names it.
    #[must_use]
    pub fn resource_uri(mut self, uri: &str) -> Self {
        let resource = Resource::parse(uri).map_err(AccessFault::Resource);
        self.access.resource = self.access.note(resource).or(self.access.resource);
        self
    }

    /// Who issues tokens for this server, letter for letter as in its own metadata. Said again, it adds another issuer.
    #[must_use]
    pub fn issuer(mut self, url: &str) -> Self {
        let issuer = Issuer::parse(url).map_err(AccessFault::Issuer);
        let issuer = self.access.note(issuer);
        self.access.issuers.extend(issuer);
        self
    }

    /// How far the clocks of issuer and server may differ; 30 s unless told.
    #[must_use]
    pub fn token_leeway(mut self, leeway: Duration) -> Self {
        self.access.leeway = Some(leeway);
        self
    }

    /// Lets whoever holds `broad` do what needs `narrow`. Unless told, a scope stands for itself alone.
    #[must_use]
    pub fn scope_implies(mut self, broad: &str, narrow: &str) -> Self {
        let broad = Scope::parse(broad).map_err(AccessFault::from);
        let narrow = Scope::parse(narrow).map_err(AccessFault::from);
        if let (Some(broad), Some(narrow)) = (self.access.note(broad), self.access.note(narrow)) {
            self.access.hierarchy.imply(broad, narrow);
        }
        self
    }

    /// Asks for these scopes, with spaces between, in every request but `server/discover`, whatever it names.
    #[must_use]
    pub fn require_scope(mut self, scopes: &str) -> Self {
        let scopes = Scopes::parse(scopes).map_err(AccessFault::from);
        if let Some(scopes) = self.access.note(scopes) {
            self.access.needs.require(&scopes);
        }
        self
    }

    /// Asks for these scopes, with spaces between, in every request of one method.
    #[must_use]
    pub fn require_scope_for(mut self, method: Method, scopes: &str) -> Self {
        let scopes = Scopes::parse(scopes).map_err(AccessFault::from);
        if let Some(scopes) = self.access.note(scopes) {
            self.access.needs.require_for(method, &scopes);
        }
        self
    }

    /// For which scopes, with spaces between, the metadata document lets clients ask consent. Unless told, all that some
    /// entry or method needs.
    #[must_use]
    pub fn consent_scopes(mut self, scopes: &str) -> Self {
        let scopes = Scopes::parse(scopes).map_err(AccessFault::from);
        self.access.consent = self.access.note(scopes).or(self.access.consent);
        self
    }

    /// Lets strangers call without a token, also from other machines. Without this, and without a token verifier, HTTP
    /// listens on loopback addresses only.
    #[must_use]
    pub fn allow_anonymous(mut self) -> Self {
        self.settings.anonymous = true;
        self
    }

    /// Decides what a caller may know of; everything unless told.
    #[must_use]
    pub fn visibility(mut self, policy: impl Visibility) -> Self {
        self.settings.visibility = Some(Arc::new(policy));
        self
    }

    /// Leaves out of the lists what the caller's token has no scopes for. It can be called all the same, and answers with
    /// the scopes that it needs.
    #[must_use]
    pub fn list_usable_only(mut self) -> Self {
        self.settings.lists_usable_only = true;
        self
    }
}

/// The scopes of one entry, as they are said one after the other.
#[derive(Clone, Default, Debug)]
pub(crate) struct EntryScopes {
    scopes: Scopes,
    fault: Option<ScopeFault>,
}

impl EntryScopes {
    pub(crate) fn add(&mut self, scopes: &str) {
        match Scopes::parse(scopes) {
            Ok(more) => self.scopes.extend(&more),
            Err(fault) => self.fault = self.fault.take().or(Some(fault)),
        }
    }

    pub(crate) fn finish(self) -> Result<Scopes, BuildError> {
        match self.fault {
            None => Ok(self.scopes),
            Some(fault) => Err(AccessFault::Scope(fault).into()),
        }
    }
}

/// Whether arguments have a call need more scopes.
type Condition = Box<dyn Fn(&Value) -> bool + Send + Sync>;

/// The scopes of a tool that depend on its arguments.
#[derive(Default)]
pub(crate) struct ConditionalScopes {
    conditions: Vec<(EntryScopes, Condition)>,
}

impl ConditionalScopes {
    pub(crate) fn add(&mut self, scopes: &str, when: impl Fn(&Value) -> bool + Send + Sync + 'static) {
        let mut entry = EntryScopes::default();
        entry.add(scopes);
        self.conditions.push((entry, Box::new(when)));
    }

    pub(crate) fn finish(self) -> Result<Option<ArgumentScopes>, BuildError> {
        let conditions = self.conditions.into_iter().map(|(entry, when)| Ok((entry.finish()?, when)));
        let conditions = conditions.collect::<Result<Vec<_>, BuildError>>()?;
        if conditions.is_empty() {
            return Ok(None);
        }
        Ok(Some(ArgumentScopes::new(move |arguments| {
            let mut needs = Scopes::default();
            for (scopes, _) in conditions.iter().filter(|(_, when)| when(arguments)) {
                needs.extend(scopes);
            }
            needs
        })))
    }
}

impl fmt::Debug for ConditionalScopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConditionalScopes").field("conditions", &self.conditions.len()).finish()
    }
}
