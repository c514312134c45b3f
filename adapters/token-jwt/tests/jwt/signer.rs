//! An issuer's keys, and tokens made with them.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pm_mcp_domain::access::{AccessPolicy, Issuer, PresentedToken, Resource};
use pm_mcp_domain::time::Timestamp;
use ring::rand::SystemRandom;
use ring::signature::{self, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _, RsaKeyPair};
use serde_json::{Value, json};

pub(crate) const ISSUER: &str = "https://login.example";
pub(crate) const RESOURCE: &str = "https://tools.example/mcp";

/// The time of all these tests, in seconds.
pub(crate) const NOW: i64 = 1_800_000_000;

pub(crate) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_unix_ms(seconds * 1000)
}

pub(crate) fn issuer() -> Issuer {
    Issuer::parse(ISSUER).unwrap()
}

pub(crate) fn policy() -> AccessPolicy {
    AccessPolicy::new(Resource::parse(RESOURCE).unwrap(), issuer())
}

pub(crate) fn presented(token: &str) -> PresentedToken {
    PresentedToken::parse(token).unwrap()
}

pub(crate) fn b64(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Claims that are right in every way.
pub(crate) fn claims() -> Value {
    json!({
        "iss": ISSUER, "sub": "ada", "aud": RESOURCE, "exp": NOW + 600, "nbf": NOW - 5, "iat": NOW - 5,
        "scope": "pm:read pm:write", "client_id": "shell", "jti": "1",
    })
}

pub(crate) fn with(mut object: Value, name: &str, value: Value) -> Value {
    object[name] = value;
    object
}

pub(crate) fn without(mut object: Value, name: &str) -> Value {
    object.as_object_mut().unwrap().remove(name);
    object
}

/// A private key with its name.
pub(crate) struct Signer {
    pub(crate) kid: String,
    key: Key,
}

enum Key {
    Rsa(RsaKeyPair),
    P256(EcdsaKeyPair),
    P384(EcdsaKeyPair),
    Ed(Ed25519KeyPair),
}

impl Signer {
    pub(crate) fn rsa(kid: &str, number: usize) -> Self {
        let der: &[u8] = [&include_bytes!("rsa-1.pk8")[..], include_bytes!("rsa-2.pk8")][number];
        Self { kid: kid.to_owned(), key: Key::Rsa(RsaKeyPair::from_pkcs8(der).unwrap()) }
    }

    pub(crate) fn p256(kid: &str) -> Self {
        let (random, kind) = (SystemRandom::new(), &signature::ECDSA_P256_SHA256_FIXED_SIGNING);
        let der = EcdsaKeyPair::generate_pkcs8(kind, &random).unwrap();
        let key = EcdsaKeyPair::from_pkcs8(kind, der.as_ref(), &random).unwrap();
        Self { kid: kid.to_owned(), key: Key::P256(key) }
    }

    pub(crate) fn p384(kid: &str) -> Self {
        let (random, kind) = (SystemRandom::new(), &signature::ECDSA_P384_SHA384_FIXED_SIGNING);
        let der = EcdsaKeyPair::generate_pkcs8(kind, &random).unwrap();
        let key = EcdsaKeyPair::from_pkcs8(kind, der.as_ref(), &random).unwrap();
        Self { kid: kid.to_owned(), key: Key::P384(key) }
    }

    pub(crate) fn ed(kid: &str) -> Self {
        let der = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
        Self { kid: kid.to_owned(), key: Key::Ed(Ed25519KeyPair::from_pkcs8(der.as_ref()).unwrap()) }
    }

    pub(crate) fn public(&self) -> Vec<u8> {
        match &self.key {
            Key::Rsa(key) => key.public().as_ref().to_vec(),
            Key::P256(key) | Key::P384(key) => key.public_key().as_ref().to_vec(),
            Key::Ed(key) => key.public_key().as_ref().to_vec(),
        }
    }

    pub(crate) fn jwk(&self) -> Value {
        let point = self.public();
        let mut jwk = match &self.key {
            Key::Rsa(key) => {
                let parts: signature::RsaPublicKeyComponents<Vec<u8>> = key.public().into();
                json!({"kty": "RSA", "n": b64(parts.n), "e": b64(parts.e)})
            }
            Key::P256(_) => {
                json!({"kty": "EC", "crv": "P-256", "x": b64(&point[1..33]), "y": b64(&point[33..])})
            }
            Key::P384(_) => {
                json!({"kty": "EC", "crv": "P-384", "x": b64(&point[1..49]), "y": b64(&point[49..])})
            }
            Key::Ed(_) => json!({"kty": "OKP", "crv": "Ed25519", "x": b64(&point)}),
        };
        jwk["kid"] = self.kid.clone().into();
        jwk["use"] = "sig".into();
        jwk
    }

    /// The algorithm that the key is mostly used with.
    pub(crate) const fn algorithm(&self) -> &'static str {
        match self.key {
            Key::Rsa(_) => "RS256",
            Key::P256(_) => "ES256",
            Key::P384(_) => "ES384",
            Key::Ed(_) => "EdDSA",
        }
    }

    pub(crate) fn signature(&self, algorithm: &str, message: &str) -> Vec<u8> {
        let random = SystemRandom::new();
        match &self.key {
            Key::Rsa(key) => {
                let padding: &dyn signature::RsaEncoding = match algorithm {
                    "RS384" => &signature::RSA_PKCS1_SHA384,
                    "RS512" => &signature::RSA_PKCS1_SHA512,
                    "PS256" => &signature::RSA_PSS_SHA256,
                    "PS384" => &signature::RSA_PSS_SHA384,
                    "PS512" => &signature::RSA_PSS_SHA512,
                    _ => &signature::RSA_PKCS1_SHA256,
                };
                let mut made = vec![0; key.public().modulus_len()];
                key.sign(padding, &random, message.as_bytes(), &mut made).unwrap();
                made
            }
            Key::P256(key) | Key::P384(key) => {
                key.sign(&random, message.as_bytes()).unwrap().as_ref().to_vec()
            }
            Key::Ed(key) => key.sign(message.as_bytes()).as_ref().to_vec(),
        }
    }

    /// The header of this key's tokens.
    pub(crate) fn header(&self) -> Value {
        json!({"alg": self.algorithm(), "typ": "at+jwt", "kid": self.kid})
    }

    pub(crate) fn token(&self, claims: &Value) -> String {
        self.token_as(&self.header(), claims)
    }

    /// A token with this header, signed by its `alg` where the key can.
    pub(crate) fn token_as(&self, header: &Value, claims: &Value) -> String {
        self.token_of(&header.to_string(), &claims.to_string(), header["alg"].as_str().unwrap_or_default())
    }

    /// A token of these very texts.
    pub(crate) fn token_of(&self, header: &str, claims: &str, algorithm: &str) -> String {
        let signed = format!("{}.{}", b64(header), b64(claims));
        let signature = self.signature(algorithm, &signed);
        format!("{signed}.{}", b64(signature))
    }
}

pub(crate) fn jwks<'a>(signers: impl IntoIterator<Item = &'a Signer>) -> String {
    json!({"keys": signers.into_iter().map(Signer::jwk).collect::<Vec<_>>()}).to_string()
}
