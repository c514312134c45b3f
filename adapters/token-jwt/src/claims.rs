//! What a token says.

use pm_mcp_domain::access::{Grant, Scope, Scopes};
use pm_mcp_domain::time::Timestamp;
use serde_json::{Map, Value};

use crate::json;
use crate::refusal::TokenRefusal;

/// How many arrays and objects of the claims may lie within one another.
const DEPTH: usize = 16;
/// The last second that a token may name, that of the year 9999: later ones are slips or worse.
const LAST_SECOND: f64 = 253_402_300_799.0;

/// Claims whose types are right; nothing in them is believed yet.
pub(crate) struct Claims {
    issuer: String,
    members: Map<String, Value>,
}

impl Claims {
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, TokenRefusal> {
        let members = json::object(bytes, DEPTH).ok_or(TokenRefusal::Json("claims"))?;
        let issuer = text(&members, "iss")?.ok_or(TokenRefusal::NoClaim("iss"))?;
        Ok(Self { issuer, members })
    }

    /// Who says that it issued the token.
    pub(crate) fn issuer(&self) -> &str {
        &self.issuer
    }

    /// The grant of a token whose signature was checked.
    pub(crate) fn into_grant(self) -> Result<Grant, TokenRefusal> {
        let members = &self.members;
        if members.contains_key("cnf") {
            return Err(TokenRefusal::Bound);
        }
        let client = match text(members, "client_id")? {
            Some(client) => Some(client),
            None => text(members, "azp")?,
        };
        instant(members, "iat")?;
        Ok(Grant {
            subject: text(members, "sub")?.unwrap_or_default(),
            audiences: audiences(members)?,
            scopes: scopes(members)?,
            client,
            expires: Some(instant(members, "exp")?.ok_or(TokenRefusal::NoClaim("exp"))?),
            not_before: instant(members, "nbf")?,
            issuer: self.issuer,
        })
    }
}

fn text(members: &Map<String, Value>, name: &'static str) -> Result<Option<String>, TokenRefusal> {
    match members.get(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(TokenRefusal::Claim(name)),
    }
}

/// A number of seconds since 1970, perhaps with a fraction
/// ([RFC 7519 section 2](https://www.rfc-editor.org/rfc/rfc7519#section-2)).
fn instant(members: &Map<String, Value>, name: &'static str) -> Result<Option<Timestamp>, TokenRefusal> {
    let Some(value) = members.get(name) else { return Ok(None) };
    let seconds = value.as_f64().filter(|seconds| (0.0..=LAST_SECOND).contains(seconds));
    let seconds = seconds.ok_or(TokenRefusal::Claim(name))?;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the range above fits, and parts of milliseconds are dropped"
    )]
    let ms = (seconds * 1000.0) as i64;
    Ok(Some(Timestamp::from_unix_ms(ms)))
}

fn audiences(members: &Map<String, Value>) -> Result<Vec<String>, TokenRefusal> {
    match members.get("aud") {
        None => Ok(Vec::new()),
        Some(Value::String(one)) => Ok(vec![one.clone()]),
        Some(Value::Array(all)) => texts(all, "aud"),
        Some(_) => Err(TokenRefusal::Claim("aud")),
    }
}

fn texts(values: &[Value], name: &'static str) -> Result<Vec<String>, TokenRefusal> {
    values.iter().map(|value| value.as_str().map(str::to_owned).ok_or(TokenRefusal::Claim(name))).collect()
}

/// Providers differ in the name and in the type; the first name that is there counts. What is no scope by its grammar
/// can be asked for by nobody, and refuses the token rather than being passed over.
fn scopes(members: &Map<String, Value>) -> Result<Scopes, TokenRefusal> {
    for name in ["scope", "scp", "scopes"] {
        let refused = |_fault| TokenRefusal::Claim(name);
        match members.get(name) {
            None => {}
            Some(Value::String(list)) => return Scopes::parse(list).map_err(refused),
            Some(Value::Array(all)) => {
                return texts(all, name)?
                    .iter()
                    .map(|scope| Scope::parse(scope))
                    .collect::<Result<_, _>>()
                    .map_err(refused);
            }
            Some(_) => return Err(TokenRefusal::Claim(name)),
        }
    }
    Ok(Scopes::default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn grant(changes: Value) -> Result<Grant, TokenRefusal> {
        let mut claims = json!({"iss": "https://as", "sub": "ada", "aud": "https://h", "exp": 100});
        for (name, value) in changes.as_object().unwrap() {
            claims[name] = value.clone();
        }
        Claims::parse(claims.to_string().as_bytes())?.into_grant()
    }

    fn scopes_of(changes: Value) -> Result<String, TokenRefusal> {
        grant(changes).map(|grant| grant.scopes.to_string())
    }

    #[test]
    fn claims_become_a_grant_letter_for_letter() {
        let grant = grant(json!({
            "aud": ["https://h/", "https://h"], "scope": "b a", "client_id": "c", "azp": "d", "nbf": 1.5, "iat": 1,
        }));
        let grant = grant.unwrap();
        assert_eq!((grant.issuer.as_str(), grant.subject.as_str()), ("https://as", "ada"));
        assert_eq!(grant.audiences, ["https://h/", "https://h"]);
        assert_eq!((grant.scopes.to_string().as_str(), grant.client.as_deref()), ("a b", Some("c")));
        assert_eq!(grant.expires, Some(Timestamp::from_unix_ms(100_000)));
        assert_eq!(grant.not_before, Some(Timestamp::from_unix_ms(1_500)));
    }

    #[test]
    fn scopes_come_under_the_names_and_in_the_types_of_many_providers() {
        assert_eq!(scopes_of(json!({"scp": ["a", "b"]})), Ok("a b".into()));
        assert_eq!(scopes_of(json!({"scp": "a b"})), Ok("a b".into()));
        assert_eq!(scopes_of(json!({"scopes": ["a"]})), Ok("a".into()));
        assert_eq!(scopes_of(json!({"scope": "", "scp": "a"})), Ok(String::new()), "the first name counts");
        assert_eq!(scopes_of(json!({})), Ok(String::new()));
        for wrong in
            [json!(1), json!({"a": 1}), json!(null), json!(["a", 1]), json!(["a b"]), json!("a \"b\"")]
        {
            assert_eq!(scopes_of(json!({"scope": wrong})), Err(TokenRefusal::Claim("scope")));
        }
    }

    #[test]
    fn claims_of_the_wrong_type_are_refused() {
        for (name, wrong) in [
            ("iss", json!(["https://as"])),
            ("sub", json!(1)),
            ("aud", json!(1)),
            ("aud", json!({"https://h": true})),
            ("aud", json!(["https://h", 1])),
            ("aud", json!([["https://h"]])),
            ("aud", json!(null)),
            ("exp", json!("100")),
            ("exp", json!(-1)),
            ("exp", json!(1e18)),
            ("exp", json!(1e300)),
            ("exp", json!(true)),
            ("nbf", json!("0")),
            ("iat", json!([])),
            ("client_id", json!(1)),
            ("azp", json!(1)),
        ] {
            assert_eq!(grant(json!({name: wrong})), Err(TokenRefusal::Claim(name)), "{name}: {wrong}");
        }
    }

    #[test]
    fn a_token_without_end_or_issuer_and_one_bound_to_a_key_is_refused() {
        let parsed = |text: &str| Claims::parse(text.as_bytes()).and_then(Claims::into_grant);
        assert_eq!(parsed(r#"{"iss":"a","sub":"b"}"#), Err(TokenRefusal::NoClaim("exp")));
        assert_eq!(parsed(r#"{"exp":1}"#), Err(TokenRefusal::NoClaim("iss")));
        assert_eq!(grant(json!({"cnf": {"jkt": "x"}})), Err(TokenRefusal::Bound));
    }
}
