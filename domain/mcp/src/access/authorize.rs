//! Whether a grant is enough.

use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use super::address::{Issuer, Resource};
use super::grant::Grant;
use super::hierarchy::ScopeHierarchy;
use super::refusal::AccessRefusal;
use super::scope::Scopes;
use crate::ident::Principal;
use crate::time::Timestamp;

/// How far the clocks of issuer and server may differ when a host says nothing.
pub const DEFAULT_LEEWAY: Duration = Duration::from_secs(30);

/// What a server asks of every token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AccessPolicy {
    /// What a token has to be for.
    pub resource: Resource,
    /// Who may have issued it; at least one, or nobody gets in.
    pub issuers: Vec<Issuer>,
    /// How far the clocks of issuer and server may differ, for the end and the beginning of a token's time.
    pub leeway: Duration,
    /// Which scopes imply others.
    pub hierarchy: ScopeHierarchy,
}

impl AccessPolicy {
    /// Tokens of this issuer for this resource, with [`DEFAULT_LEEWAY`] and scopes that imply nothing.
    pub fn new(resource: Resource, issuer: Issuer) -> Self {
        Self {
            resource,
            issuers: alloc::vec![issuer],
            leeway: DEFAULT_LEEWAY,
            hierarchy: ScopeHierarchy::default(),
        }
    }

    /// Whether the grant is from a trusted issuer, for this resource, for somebody, and of this time. Strings are compared
    /// letter for letter.
    ///
    /// # Errors
    ///
    /// Any [`AccessRefusal`] but the one about scopes.
    pub fn authenticate(&self, grant: Grant, now: Timestamp) -> Result<Authorized, AccessRefusal> {
        let Grant { issuer, subject, audiences, scopes, client, expires, not_before } = grant;
        if !self.issuers.iter().any(|trusted| trusted.as_str() == issuer) {
            return Err(AccessRefusal::OtherIssuer);
        }
        if !audiences.iter().any(|audience| audience == self.resource.as_str()) {
            return Err(AccessRefusal::OtherAudience);
        }
        if subject.is_empty() {
            return Err(AccessRefusal::NoSubject);
        }
        if expires.is_some_and(|expires| now >= expires.after(self.leeway)) {
            return Err(AccessRefusal::Expired);
        }
        if not_before.is_some_and(|begins| now.after(self.leeway) < begins) {
            return Err(AccessRefusal::NotYetValid);
        }
        let principal = Principal::of_subject(&issuer, &subject);
        let ends = expires.map(|expires| expires.after(self.leeway));
        Ok(Authorized { principal, issuer, subject, scopes, client, ends })
    }

    /// Whether an authenticated caller holds every scope of `needs`, by name or by what the hierarchy implies.
    ///
    /// # Errors
    ///
    /// [`AccessRefusal::InsufficientScope`] with all of `needs`, so that one consent is enough.
    pub fn permit(&self, caller: &Authorized, needs: &Scopes) -> Result<(), AccessRefusal> {
        if self.hierarchy.covers_all(&caller.scopes, needs) {
            Ok(())
        } else {
            Err(AccessRefusal::InsufficientScope { needs: needs.clone() })
        }
    }
}

/// Whether a grant is enough for an operation: its issuer, audience, subject, time and scopes, in this order.
///
/// ```
/// use pm_mcp_domain::access::{AccessPolicy, AccessRefusal, Grant, Issuer, Resource, Scopes, authorize};
/// use pm_mcp_domain::time::Timestamp;
///
/// let policy = AccessPolicy::new(
///     Resource::parse("https://tools.example/mcp").unwrap(),
///     Issuer::parse("https://login.example").unwrap(),
/// );
/// let grant = Grant {
///     issuer: "https://login.example".into(),
///     subject: "ada".into(),
///     audiences: vec!["https://tools.example/mcp".into()],
///     scopes: Scopes::parse("files:read").unwrap(),
///     client: None,
///     expires: Some(Timestamp::from_unix_ms(60_000)),
///     not_before: None,
/// };
/// let needs = Scopes::parse("files:write").unwrap();
/// let refused = authorize(grant, &needs, &policy, Timestamp::from_unix_ms(0)).unwrap_err();
/// assert_eq!(refused, AccessRefusal::InsufficientScope { needs });
/// ```
///
/// # Errors
///
/// The first [`AccessRefusal`] that applies.
pub fn authorize(
    grant: Grant,
    needs: &Scopes,
    policy: &AccessPolicy,
    now: Timestamp,
) -> Result<Authorized, AccessRefusal> {
    let caller = policy.authenticate(grant, now)?;
    policy.permit(&caller, needs)?;
    Ok(caller)
}

/// A caller whose token was good. It holds nothing of the token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Authorized {
    /// Whom the caller acts for: issuer and subject together.
    pub principal: Principal,
    /// Who issued the token.
    pub issuer: String,
    /// Whom the issuer named.
    pub subject: String,
    /// What the token allows.
    pub scopes: Scopes,
    /// The client that the token was issued to, if it says so.
    pub client: Option<String>,
    /// When the token is of no use any more, leeway included. What goes on for long ends then.
    pub ends: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Scope;
    use std::borrow::ToOwned;

    const RESOURCE: &str = "https://h/mcp";
    const ISSUER: &str = "https://as/t1";

    fn policy() -> AccessPolicy {
        AccessPolicy::new(Resource::parse(RESOURCE).unwrap(), Issuer::parse(ISSUER).unwrap())
    }

    fn grant() -> Grant {
        Grant {
            issuer: ISSUER.to_owned(),
            subject: "ada".to_owned(),
            audiences: alloc::vec![RESOURCE.to_owned()],
            scopes: Scopes::parse("read").unwrap(),
            client: Some("shell".to_owned()),
            expires: None,
            not_before: None,
        }
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_unix_ms(seconds * 1000)
    }

    fn refusal(grant: Grant, now: Timestamp) -> Option<AccessRefusal> {
        policy().authenticate(grant, now).err()
    }

    #[test]
    fn only_this_very_resource_is_an_audience() {
        for (audiences, fits) in [
            (&["https://h/mcp"][..], true),
            (&["https://other", "https://h/mcp"], true),
            (&[], false),
            (&["https://h"], false),
            (&["https://h/mcp/"], false),
            (&["https://H/mcp"], false),
            (&["https://h/%6Dcp"], false),
            (&["https://h/mcp https://h/mcp"], false),
            (&["http://h/mcp"], false),
        ] {
            let audiences = audiences.iter().map(|&audience| audience.to_owned()).collect();
            let refused = refusal(Grant { audiences, ..grant() }, at(0));
            assert_eq!(refused, (!fits).then_some(AccessRefusal::OtherAudience));
        }
    }

    #[test]
    fn only_this_very_issuer_is_trusted() {
        for issuer in ["https://as/t1/", "https://as/T1", "https://as", "https://as/t2", "", "https://аs/t1"]
        {
            let refused = refusal(Grant { issuer: issuer.to_owned(), ..grant() }, at(0));
            assert_eq!(refused, Some(AccessRefusal::OtherIssuer), "{issuer}");
        }
    }

    #[test]
    fn the_leeway_bounds_both_ends_of_a_tokens_time() {
        for (expires, not_before, refused) in [
            (None, None, None),
            (Some(-20), None, None),
            (Some(-30), None, Some(AccessRefusal::Expired)),
            (Some(-40), None, Some(AccessRefusal::Expired)),
            (Some(600), Some(30), None),
            (Some(600), Some(31), Some(AccessRefusal::NotYetValid)),
        ] {
            let grant = Grant { expires: expires.map(at), not_before: not_before.map(at), ..grant() };
            assert_eq!(refusal(grant, at(0)), refused, "{expires:?} {not_before:?}");
        }
    }

    #[test]
    fn a_token_for_nobody_is_refused() {
        let refused = refusal(Grant { subject: String::new(), ..grant() }, at(0));
        assert_eq!(refused, Some(AccessRefusal::NoSubject));
    }

    #[test]
    fn a_missing_scope_is_told_with_all_that_are_needed() {
        let needs = Scopes::parse("read write admin").unwrap();
        let refused = authorize(grant(), &needs, &policy(), at(0)).unwrap_err();
        assert_eq!(refused, AccessRefusal::InsufficientScope { needs: needs.clone() });
        let mut policy = policy();
        policy.hierarchy.imply(Scope::parse("read").unwrap(), Scope::parse("write").unwrap());
        policy.hierarchy.imply(Scope::parse("read").unwrap(), Scope::parse("admin").unwrap());
        assert!(authorize(grant(), &needs, &policy, at(0)).is_ok());
    }

    #[test]
    fn one_subject_of_two_issuers_is_two_principals() {
        let mut policy = policy();
        policy.issuers.push(Issuer::parse("https://as").unwrap());
        let here = policy.authenticate(grant(), at(0)).unwrap().principal;
        let there = policy.authenticate(Grant { issuer: "https://as".to_owned(), ..grant() }, at(0)).unwrap();
        assert_ne!(here, there.principal);
    }
}
