//! What the authorization server says of a token.

use pm_mcp_domain::access::{Grant, Scopes};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::FetchResponse;
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::refusal::{IntrospectionError, IntrospectionRefusal};

/// The last second that a token may name, that of the year 9999.
const LAST_SECOND: f64 = 253_402_300_799.0;

/// What the authorization server says of a token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    Active(Grant),
    Refused(IntrospectionRefusal),
}

/// The members of [RFC 7662 section 2.2](https://www.rfc-editor.org/rfc/rfc7662#section-2.2) that count here.
#[derive(Deserialize)]
struct Members {
    active: bool,
    iss: Option<String>,
    sub: Option<String>,
    aud: Option<Audiences>,
    scope: Option<String>,
    client_id: Option<String>,
    token_type: Option<String>,
    exp: Option<f64>,
    nbf: Option<f64>,
    cnf: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audiences {
    One(String),
    Many(Vec<String>),
}

impl Answer {
    /// Reads a response; `issuer` is whose endpoint it is.
    pub(crate) fn read(response: &FetchResponse, issuer: &str) -> Result<Self, IntrospectionError> {
        match response.status {
            200 => {}
            // The token itself is never a reason for these: RFC 7662 section 2.3.
            status @ (401 | 403) => return Err(IntrospectionError::Client(status)),
            status => return Err(IntrospectionError::Status(status)),
        }
        let members: Members = serde_json::from_slice(&response.body)
            .map_err(|_| IntrospectionError::Answer("JSON with active"))?;
        if !members.active {
            return Ok(Self::Refused(IntrospectionRefusal::Inactive));
        }
        if members.cnf.is_some() {
            return Ok(Self::Refused(IntrospectionRefusal::Bound));
        }
        // Some servers say here what kind of token it is rather than how it is borne.
        let bearer =
            |kind: &str| ["bearer", "access_token"].iter().any(|name| kind.eq_ignore_ascii_case(name));
        if members.token_type.as_deref().is_some_and(|kind| !bearer(kind)) {
            return Ok(Self::Refused(IntrospectionRefusal::Type));
        }
        members.grant(issuer).map(Self::Active)
    }
}

impl Members {
    fn grant(self, issuer: &str) -> Result<Grant, IntrospectionError> {
        let scopes = Scopes::parse(&self.scope.unwrap_or_default());
        Ok(Grant {
            issuer: self.iss.unwrap_or_else(|| issuer.to_owned()),
            subject: self.sub.unwrap_or_default(),
            audiences: match self.aud {
                None => Vec::new(),
                Some(Audiences::One(one)) => vec![one],
                Some(Audiences::Many(many)) => many,
            },
            scopes: scopes.map_err(|_| IntrospectionError::Answer("scope"))?,
            client: self.client_id,
            expires: self.exp.map(|seconds| instant(seconds, "exp")).transpose()?,
            not_before: self.nbf.map(|seconds| instant(seconds, "nbf")).transpose()?,
        })
    }
}

fn instant(seconds: f64, name: &'static str) -> Result<Timestamp, IntrospectionError> {
    if !(0.0..=LAST_SECOND).contains(&seconds) {
        return Err(IntrospectionError::Answer(name));
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the range above fits, and parts of milliseconds are dropped"
    )]
    let ms = (seconds * 1000.0) as i64;
    Ok(Timestamp::from_unix_ms(ms))
}
