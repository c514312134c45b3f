//! What comes from a token endpoint ([RFC 6749 section 5](https://www.rfc-editor.org/rfc/rfc6749#section-5)).

use alloc::string::String;
use core::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use thiserror::Error;

use crate::access::{PresentedToken, Scopes};
use crate::time::Timestamp;

use super::bearer::showable;
use super::resource_metadata::LONGEST_METADATA;
use super::secret::Secret;

/// The tokens that a client holds for one resource.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TokenSet {
    /// What requests carry.
    pub access_token: Secret,
    /// What a new access token is got with.
    pub refresh_token: Option<Secret>,
    /// What the access token allows, as far as the server said.
    pub scopes: Option<Scopes>,
    /// When the access token ends, if the server said so.
    pub expires: Option<Timestamp>,
}

impl TokenSet {
    /// Whether the access token ends within `margin` from now.
    pub fn ends_within(&self, margin: Duration, now: Timestamp) -> bool {
        self.expires.is_some_and(|expires| expires <= now.after(margin))
    }

    /// Whether the access token allows all of these, as far as is known.
    pub fn allows(&self, needed: &Scopes) -> bool {
        self.scopes.as_ref().is_none_or(|scopes| needed.iter().all(|scope| scopes.contains(scope)))
    }
}

/// Why there are no tokens.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TokenResponseFault {
    /// The server said no.
    #[error("the authorization server gives no token: {code} {description}")]
    Refused {
        /// Why.
        code: TokenErrorCode,
        /// What the server says to it, cut to a bound.
        description: String,
    },
    /// The server did not answer in a way that says anything; it may later.
    #[error("the token endpoint answered with status {status}")]
    Unavailable {
        /// The status.
        status: u16,
    },
    /// The answer is no token response.
    #[error("the answer of the token endpoint is none of RFC 6749")]
    Malformed,
    /// The token is of a type that is not known here.
    #[error("the token is no bearer token")]
    NotBearer,
}

/// Why a server gives no token (RFC 6749 section 5.2, RFC 8707 section 2).
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum TokenErrorCode {
    /// The code or refresh token is over, was taken back, or belongs to another.
    #[error("invalid_grant")]
    InvalidGrant,
    /// The client is not known, or not who it says.
    #[error("invalid_client")]
    InvalidClient,
    /// The client may not do this.
    #[error("unauthorized_client")]
    UnauthorizedClient,
    /// The scopes are not known or more than were granted.
    #[error("invalid_scope")]
    InvalidScope,
    /// The resource is not one that the server issues tokens for.
    #[error("invalid_target")]
    InvalidTarget,
    /// Another code.
    #[error("{0}")]
    Other(String),
}

/// What a refused token request costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loss {
    /// Nothing: the same may work later.
    Nothing,
    /// The tokens: the user has to consent again.
    Tokens,
    /// The registration too: the client has to become known again.
    Registration,
}

impl TokenResponseFault {
    /// What it costs when this is the answer to a refresh. An outage costs nothing.
    pub const fn loss(&self) -> Loss {
        match self {
            Self::Refused { code: TokenErrorCode::InvalidGrant, .. } => Loss::Tokens,
            Self::Refused {
                code: TokenErrorCode::InvalidClient | TokenErrorCode::UnauthorizedClient,
                ..
            } => Loss::Registration,
            Self::Refused { .. } | Self::Unavailable { .. } | Self::Malformed | Self::NotBearer => {
                Loss::Nothing
            }
        }
    }
}

#[derive(Deserialize)]
struct Given {
    access_token: String,
    token_type: String,
    expires_in: Option<Value>,
    refresh_token: Option<String>,
    scope: Option<String>,
}

#[derive(Deserialize)]
struct Refused {
    error: String,
    error_description: Option<String>,
}

/// Reads an answer of a token endpoint. Where it does not say the scopes, they are the ones that were asked for; where it
/// gives no new refresh token, `earlier` stays good.
///
/// # Errors
///
/// [`TokenResponseFault`] when there is no bearer token.
pub fn read_token_response(
    status: u16,
    body: &[u8],
    asked: Option<&Scopes>,
    earlier: Option<&Secret>,
    now: Timestamp,
) -> Result<TokenSet, TokenResponseFault> {
    if body.len() > LONGEST_METADATA {
        return Err(TokenResponseFault::Malformed);
    }
    if status != 200 {
        return Err(refusal(status, body));
    }
    let read: Given = serde_json::from_slice(body).map_err(|_| TokenResponseFault::Malformed)?;
    if !read.token_type.eq_ignore_ascii_case("bearer") {
        return Err(TokenResponseFault::NotBearer);
    }
    // What does not fit into a header as it is would be cut or split there.
    PresentedToken::parse(&read.access_token).map_err(|_| TokenResponseFault::Malformed)?;
    let expires = read
        .expires_in
        .as_ref()
        .map(|span| lifetime(span).ok_or(TokenResponseFault::Malformed))
        .transpose()?;
    let scopes = match &read.scope {
        Some(scopes) => Some(Scopes::parse(scopes).map_err(|_| TokenResponseFault::Malformed)?),
        None => asked.cloned(),
    };
    let refresh_token = read.refresh_token.filter(|token| !token.is_empty());
    Ok(TokenSet {
        access_token: Secret::new(&read.access_token),
        refresh_token: refresh_token.as_deref().map(Secret::new).or_else(|| earlier.cloned()),
        scopes,
        expires: expires.map(|span| now.after(span)),
    })
}

fn refusal(status: u16, body: &[u8]) -> TokenResponseFault {
    // A proxy or a server in trouble may say anything; only a refusal of the request itself is one.
    if !(400..500).contains(&status) || matches!(status, 408 | 425 | 429) {
        return TokenResponseFault::Unavailable { status };
    }
    let Ok(refused) = serde_json::from_slice::<Refused>(body) else {
        return TokenResponseFault::Unavailable { status };
    };
    let code = match refused.error.as_str() {
        "invalid_grant" => TokenErrorCode::InvalidGrant,
        "invalid_client" => TokenErrorCode::InvalidClient,
        "unauthorized_client" => TokenErrorCode::UnauthorizedClient,
        "invalid_scope" => TokenErrorCode::InvalidScope,
        "invalid_target" => TokenErrorCode::InvalidTarget,
        other => TokenErrorCode::Other(showable(other)),
    };
    TokenResponseFault::Refused {
        code,
        description: showable(&refused.error_description.unwrap_or_default()),
    }
}

/// Seconds, also as a fraction or a text, which some servers write. Negative ones are none.
fn lifetime(span: &Value) -> Option<Duration> {
    let seconds = match span {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => text.parse().ok()?,
        _ => return None,
    };
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::format;
    use std::string::ToString;

    fn read(status: u16, body: &Value) -> Result<TokenSet, TokenResponseFault> {
        let asked = Scopes::parse("asked").unwrap();
        let now = Timestamp::from_unix_ms(1_000);
        let earlier = Secret::new("earlier");
        read_token_response(status, body.to_string().as_bytes(), Some(&asked), Some(&earlier), now)
    }

    #[test]
    fn tokens_are_read() {
        let tokens = read(
            200,
            &json!({"access_token": "abc.d-e_f~+/==", "token_type": "bearer", "expires_in": 3600, "refresh_token": "r", "scope": "b a"}),
        )
        .unwrap();
        assert_eq!(tokens.access_token.expose(), "abc.d-e_f~+/==");
        assert_eq!(tokens.refresh_token, Some(Secret::new("r")));
        assert_eq!(tokens.scopes, Scopes::parse("a b").ok());
        assert_eq!(tokens.expires, Some(Timestamp::from_unix_ms(3_601_000)));
        assert!(!format!("{tokens:?}").contains("abc"));
    }

    #[test]
    fn what_is_not_said_is_as_it_was() {
        let tokens = read(200, &json!({"access_token": "a", "token_type": "Bearer"})).unwrap();
        assert_eq!(tokens.scopes, Scopes::parse("asked").ok());
        assert_eq!((tokens.refresh_token, tokens.expires), (Some(Secret::new("earlier")), None));
        for (span, ms) in
            [(json!("60"), 61_000), (json!(0), 1_000), (json!(0.5), 1_500), (json!(1e18), i64::MAX)]
        {
            let tokens =
                read(200, &json!({"access_token": "a", "token_type": "Bearer", "expires_in": span})).unwrap();
            assert_eq!(tokens.expires, Some(Timestamp::from_unix_ms(ms)), "{span}");
        }
    }

    #[test]
    fn what_is_no_token_response_is_refused() {
        for body in [
            json!(null),
            json!({}),
            json!({"access_token": "a"}),
            json!({"access_token": "", "token_type": "Bearer"}),
            json!({"access_token": "a\r\nX: y", "token_type": "Bearer"}),
            json!({"access_token": "a b", "token_type": "Bearer"}),
            json!({"access_token": "ü", "token_type": "Bearer"}),
            json!({"access_token": "a", "token_type": "Bearer", "expires_in": -1}),
            json!({"access_token": "a", "token_type": "Bearer", "expires_in": "soon"}),
            json!({"access_token": "a", "token_type": "Bearer", "expires_in": {}}),
            json!({"access_token": "a", "token_type": "Bearer", "scope": "a\"b"}),
            json!({"access_token": ["a"], "token_type": "Bearer"}),
        ] {
            assert_eq!(read(200, &body), Err(TokenResponseFault::Malformed), "{body}");
        }
        for kind in ["DPoP", "mac", "", "Bearer "] {
            let outcome = read(200, &json!({"access_token": "a", "token_type": kind}));
            assert_eq!(outcome, Err(TokenResponseFault::NotBearer), "{kind}");
        }
    }

    #[test]
    fn a_refusal_costs_what_it_must_and_an_outage_nothing() {
        for (status, body, loss) in [
            (400, json!({"error": "invalid_grant"}), Loss::Tokens),
            (401, json!({"error": "invalid_client"}), Loss::Registration),
            (400, json!({"error": "unauthorized_client"}), Loss::Registration),
            (400, json!({"error": "invalid_scope"}), Loss::Nothing),
            (400, json!({"error": "temporarily_unavailable"}), Loss::Nothing),
            (400, json!("<html>"), Loss::Nothing),
            (404, json!({}), Loss::Nothing),
            (429, json!({"error": "invalid_grant"}), Loss::Nothing),
            (500, json!({"error": "invalid_grant"}), Loss::Nothing),
            (503, json!({"error": "invalid_client"}), Loss::Nothing),
            (302, json!({"error": "invalid_grant"}), Loss::Nothing),
            (201, json!({"access_token": "a", "token_type": "Bearer"}), Loss::Nothing),
        ] {
            assert_eq!(read(status, &body).unwrap_err().loss(), loss, "{status} {body}");
        }
    }
}
