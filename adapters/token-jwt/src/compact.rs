//! The compact form of a JWS ([RFC 7515 section 7.1](https://www.rfc-editor.org/rfc/rfc7515#section-7.1)).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pm_mcp_ports::driven::{KeySet, VerificationKey};
use serde_json::{Map, Value};

use crate::algorithm::Algorithm;
use crate::json;
use crate::refusal::TokenRefusal;

/// The largest header, in bytes before decoding. Certificate chains may travel in it, though they are not looked at.
const LONGEST_HEADER: usize = 8 << 10;
/// The longest signature, in bytes before decoding: that of an RSA key of 8192 bits.
const LONGEST_SIGNATURE: usize = 1366;
/// The longest name of a key, in bytes.
const LONGEST_KID: usize = 256;
/// How many arrays and objects of a header may lie within one another: an embedded key is one in one.
const HEADER_DEPTH: usize = 4;
/// How many keys are tried for one token. Names pick few; without a name this bounds the work.
const MOST_TRIED: usize = 16;

/// Header members that change what a token means, or say that it is something else.
const REFUSED: [&str; 5] = ["crit", "b64", "zip", "enc", "cty"];

/// A token taken apart; nothing in it is believed yet.
pub(crate) struct Compact<'a> {
    algorithm: Algorithm,
    kid: Option<String>,
    signed: &'a str,
    signature: Vec<u8>,
    claims: Vec<u8>,
}

impl<'a> Compact<'a> {
    pub(crate) fn parse(token: &'a str) -> Result<Self, TokenRefusal> {
        let mut parts = token.split('.');
        let (Some(header), Some(claims), Some(signature), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(TokenRefusal::Form);
        };
        if header.len() > LONGEST_HEADER || signature.len() > LONGEST_SIGNATURE {
            return Err(TokenRefusal::Form);
        }
        let members = json::object(&decoded(header)?, HEADER_DEPTH).ok_or(TokenRefusal::Json("header"))?;
        let (algorithm, kid) = read(&members)?;
        let signed = token.get(..header.len() + 1 + claims.len()).ok_or(TokenRefusal::Form)?;
        Ok(Self { algorithm, kid, signed, signature: decoded(signature)?, claims: decoded(claims)? })
    }

    /// The claims as JSON text.
    pub(crate) fn claims(&self) -> &[u8] {
        &self.claims
    }

    pub(crate) const fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Whether one of `keys` made the signature.
    pub(crate) fn is_signed_by(&self, keys: &KeySet) -> bool {
        let named = |key: &&VerificationKey| match &self.kid {
            Some(kid) => key.id.as_ref() == Some(kid),
            None => true,
        };
        keys.keys()
            .iter()
            .filter(named)
            .filter(|key| self.algorithm.fits(key))
            .take(MOST_TRIED)
            .any(|key| self.algorithm.is_signed(&key.material, self.signed.as_bytes(), &self.signature))
    }
}

fn decoded(part: &str) -> Result<Vec<u8>, TokenRefusal> {
    // An empty signature is that of the algorithm `none`.
    if part.is_empty() {
        return Err(TokenRefusal::Form);
    }
    URL_SAFE_NO_PAD.decode(part).map_err(|_| TokenRefusal::Form)
}

fn read(header: &Map<String, Value>) -> Result<(Algorithm, Option<String>), TokenRefusal> {
    let algorithm = header
        .get("alg")
        .and_then(Value::as_str)
        .and_then(Algorithm::named)
        .ok_or(TokenRefusal::Algorithm)?;
    if let Some(name) = REFUSED.into_iter().find(|name| header.contains_key(*name)) {
        return Err(TokenRefusal::Header(name));
    }
    match header.get("typ") {
        None => {}
        Some(Value::String(name)) if is_access_token(name) => {}
        Some(_) => return Err(TokenRefusal::Type),
    }
    let kid = match header.get("kid") {
        None => None,
        Some(Value::String(kid)) if kid.len() <= LONGEST_KID => Some(kid.clone()),
        Some(_) => return Err(TokenRefusal::HeaderMember("kid")),
    };
    Ok((algorithm, kid))
}

/// Media types are the same in any case, and `application/` may be left out
/// ([RFC 7515 section 4.1.9](https://www.rfc-editor.org/rfc/rfc7515#section-4.1.9)).
fn is_access_token(typ: &str) -> bool {
    ["at+jwt", "application/at+jwt", "jwt"].iter().any(|name| typ.eq_ignore_ascii_case(name))
}
