//! Published keys ([RFC 7517](https://www.rfc-editor.org/rfc/rfc7517)).

use base64::Engine as _;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use pm_mcp_ports::driven::{KeyMaterial, KeySet, VerificationKey};
use serde_json::{Map, Value};
use thiserror::Error;

use crate::algorithm::Algorithm;
use crate::json;

/// The most keys of a set.
const MOST_KEYS: usize = 100;
/// The largest set, in bytes.
pub(crate) const LONGEST_SET: usize = 256 << 10;
/// The longest name of a key, in bytes.
const LONGEST_KID: usize = 256;
/// How many arrays and objects may lie within one another: a certificate chain is an array in a key in a set.
const DEPTH: usize = 6;
/// The sizes of RSA keys that ring checks signatures with, in bits.
const RSA_BITS: std::ops::RangeInclusive<usize> = 2048..=8192;

/// Some publishers pad, though [RFC 7515 section 2](https://www.rfc-editor.org/rfc/rfc7515#section-2) says not to; a key
/// means the same with and without.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The keys of a set that can be used, and why others cannot.
#[derive(Debug)]
#[non_exhaustive]
pub struct KeysOfSet {
    /// The keys that can be used; at least one.
    pub keys: KeySet,
    /// The places of other keys in the set, from 0, and what is wrong with them.
    pub unused: Vec<(usize, KeyFault)>,
}

/// A document that gives no key.
#[derive(Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum JwksError {
    /// It is no JSON object with an array `keys`, or is too large or nested too deeply, or names a member twice.
    #[error("the document is no JSON Web Key Set of at most {LONGEST_SET} bytes")]
    Form,
    /// It has too many keys.
    #[error("the key set has {0} keys, and at most {MOST_KEYS} are taken")]
    TooMany(usize),
    /// None of its keys can be used.
    #[error("none of the {} keys of the set can be used{}", .0.len(), first(.0))]
    NoneUsable(Vec<(usize, KeyFault)>),
}

fn first(unused: &[(usize, KeyFault)]) -> String {
    unused.first().map_or_else(String::new, |(place, fault)| format!("; key {place}: {fault}"))
}

/// Why a key is not used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum KeyFault {
    /// It is no object with the members that its kind needs.
    #[error("{0} is missing, of the wrong type or not base64url")]
    Member(&'static str),
    /// Its kind or curve is not supported.
    #[error("its kind is none of RSA, EC with P-256 or P-384, and OKP with Ed25519")]
    Kind,
    /// It is a shared secret, with which whoever can check can also sign.
    #[error("it is a shared secret, which checks no signature here")]
    Symmetric,
    /// It is a private key, which by now others may know.
    #[error("it is a private key; publish public keys only, and replace this one")]
    Private,
    /// It is for something else than signatures.
    #[error("its use or key_ops is not for checking signatures")]
    Use,
    /// It is for an algorithm that is not supported.
    #[error("its alg is none that is supported for its kind")]
    Algorithm,
    /// It is an RSA key that is too short to be safe, or too long.
    #[error("it is an RSA key of {0} bits, and 2048 to 8192 are taken")]
    RsaSize(usize),
    /// It is an RSA key with an exponent that is unsafe.
    #[error("its RSA exponent is even, below 3 or above 32 bits")]
    RsaExponent,
    /// Its coordinates have not the length of its curve.
    #[error("its coordinates have not the length that its curve needs")]
    Coordinates,
}

/// Reads a JSON Web Key Set. Keys that cannot be used are left out and told of, as the RFC asks
/// ([RFC 7517 section 5](https://www.rfc-editor.org/rfc/rfc7517#section-5)).
///
/// # Errors
///
/// [`JwksError`] when no key is left.
pub fn parse_jwks(document: &[u8]) -> Result<KeysOfSet, JwksError> {
    let members = if document.len() <= LONGEST_SET { json::object(document, DEPTH) } else { None };
    let mut members = members.ok_or(JwksError::Form)?;
    let Some(Value::Array(all)) = members.remove("keys") else { return Err(JwksError::Form) };
    if all.len() > MOST_KEYS {
        return Err(JwksError::TooMany(all.len()));
    }
    let (mut keys, mut unused) = (Vec::new(), Vec::new());
    for (place, value) in all.iter().enumerate() {
        match value.as_object().ok_or(KeyFault::Member("kty")).and_then(key) {
            Ok(key) => keys.push(key),
            Err(fault) => unused.push((place, fault)),
        }
    }
    if keys.is_empty() {
        Err(JwksError::NoneUsable(unused))
    } else {
        Ok(KeysOfSet { keys: KeySet::new(keys), unused })
    }
}

fn key(members: &Map<String, Value>) -> Result<VerificationKey, KeyFault> {
    let kind = text(members, "kty")?.ok_or(KeyFault::Member("kty"))?;
    if kind == "oct" || members.contains_key("k") {
        return Err(KeyFault::Symmetric);
    }
    if members.contains_key("d") {
        return Err(KeyFault::Private);
    }
    if text(members, "use")?.is_some_and(|purpose| purpose != "sig") || !may_verify(members)? {
        return Err(KeyFault::Use);
    }
    let material = match (kind, text(members, "crv")?) {
        ("RSA", _) => rsa(members)?,
        ("EC", Some("P-256")) => KeyMaterial::P256(point(members, 32)?),
        ("EC", Some("P-384")) => KeyMaterial::P384(point(members, 48)?),
        ("OKP", Some("Ed25519")) => KeyMaterial::Ed25519(sized(members, "x", 32)?),
        (_, _) => return Err(KeyFault::Kind),
    };
    let id = match text(members, "kid")? {
        Some(kid) if kid.len() > LONGEST_KID => return Err(KeyFault::Member("kid")),
        kid => kid.map(str::to_owned),
    };
    let key = VerificationKey { id, algorithm: text(members, "alg")?.map(str::to_owned), material };
    match key.algorithm.as_deref().map(Algorithm::named) {
        None => Ok(key),
        Some(Some(algorithm)) if algorithm.fits(&key) => Ok(key),
        Some(_) => Err(KeyFault::Algorithm),
    }
}

fn text<'a>(members: &'a Map<String, Value>, name: &'static str) -> Result<Option<&'a str>, KeyFault> {
    match members.get(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(KeyFault::Member(name)),
    }
}

fn may_verify(members: &Map<String, Value>) -> Result<bool, KeyFault> {
    match members.get("key_ops") {
        None => Ok(true),
        Some(Value::Array(operations)) => Ok(operations.iter().any(|operation| operation == "verify")),
        Some(_) => Err(KeyFault::Member("key_ops")),
    }
}

fn bytes(members: &Map<String, Value>, name: &'static str) -> Result<Vec<u8>, KeyFault> {
    let text = text(members, name)?.ok_or(KeyFault::Member(name))?;
    LENIENT.decode(text).map_err(|_| KeyFault::Member(name))
}

fn sized(members: &Map<String, Value>, name: &'static str, size: usize) -> Result<Vec<u8>, KeyFault> {
    let bytes = bytes(members, name)?;
    if bytes.len() == size { Ok(bytes) } else { Err(KeyFault::Coordinates) }
}

/// An uncompressed point, as ring takes it. Whether it lies on the curve is found out there, at each use.
fn point(members: &Map<String, Value>, size: usize) -> Result<Vec<u8>, KeyFault> {
    let (x, y) = (sized(members, "x", size)?, sized(members, "y", size)?);
    Ok([&[4], x.as_slice(), y.as_slice()].concat())
}

fn rsa(members: &Map<String, Value>) -> Result<KeyMaterial, KeyFault> {
    let (n, e) = (number(members, "n")?, number(members, "e")?);
    let bits = n.first().map_or(0, |first| n.len() * 8 - first.leading_zeros() as usize);
    if !RSA_BITS.contains(&bits) {
        return Err(KeyFault::RsaSize(bits));
    }
    let is_odd = e.last().is_some_and(|last| last % 2 == 1);
    if !is_odd || e == [1] || e.len() > 4 {
        return Err(KeyFault::RsaExponent);
    }
    Ok(KeyMaterial::Rsa { n, e })
}

/// A number without the zeros that some publishers put in front.
fn number(members: &Map<String, Value>, name: &'static str) -> Result<Vec<u8>, KeyFault> {
    let bytes = bytes(members, name)?;
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    Ok(bytes.get(zeros..).unwrap_or_default().to_vec())
}

#[cfg(test)]
mod tests;
