//! Signature algorithms, and which keys they are for.

use pm_mcp_ports::driven::{KeyMaterial, VerificationKey};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256,
    RSA_PKCS1_2048_8192_SHA384, RSA_PKCS1_2048_8192_SHA512, RSA_PSS_2048_8192_SHA256,
    RSA_PSS_2048_8192_SHA384, RSA_PSS_2048_8192_SHA512, RsaParameters, RsaPublicKeyComponents,
    UnparsedPublicKey, VerificationAlgorithm,
};

/// The algorithms of [RFC 7518](https://www.rfc-editor.org/rfc/rfc7518#section-3.1) and
/// [RFC 8037](https://www.rfc-editor.org/rfc/rfc8037) that are checked with a public key and that ring has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Algorithm {
    Rs256,
    Rs384,
    Rs512,
    Ps256,
    Ps384,
    Ps512,
    Es256,
    Es384,
    EdDsa,
}

impl Algorithm {
    /// The algorithm of this name. Names are case-sensitive.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "RS256" => Self::Rs256,
            "RS384" => Self::Rs384,
            "RS512" => Self::Rs512,
            "PS256" => Self::Ps256,
            "PS384" => Self::Ps384,
            "PS512" => Self::Ps512,
            "ES256" => Self::Es256,
            "ES384" => Self::Es384,
            // RFC 9864 gives the curve its own name.
            "EdDSA" | "Ed25519" => Self::EdDsa,
            _ => return None,
        })
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Rs256 => "RS256",
            Self::Rs384 => "RS384",
            Self::Rs512 => "RS512",
            Self::Ps256 => "PS256",
            Self::Ps384 => "PS384",
            Self::Ps512 => "PS512",
            Self::Es256 => "ES256",
            Self::Es384 => "ES384",
            Self::EdDsa => "EdDSA",
        }
    }

    /// Whether `key` may check this algorithm: by its kind, and by the one algorithm that it is for, if it says so.
    pub(crate) fn fits(self, key: &VerificationKey) -> bool {
        let kind = match (&key.material, self) {
            (
                KeyMaterial::Rsa { .. },
                Self::Rs256 | Self::Rs384 | Self::Rs512 | Self::Ps256 | Self::Ps384 | Self::Ps512,
            )
            | (KeyMaterial::P256(_), Self::Es256)
            | (KeyMaterial::P384(_), Self::Es384)
            | (KeyMaterial::Ed25519(_), Self::EdDsa) => true,
            (
                KeyMaterial::Rsa { .. }
                | KeyMaterial::P256(_)
                | KeyMaterial::P384(_)
                | KeyMaterial::Ed25519(_),
                _,
            ) => false,
        };
        kind && key.algorithm.as_deref().is_none_or(|name| Self::named(name) == Some(self))
    }

    /// Whether `key`, which fits, made `signature` of `message`.
    pub(crate) fn is_signed(self, key: &KeyMaterial, message: &[u8], signature: &[u8]) -> bool {
        match key {
            KeyMaterial::Rsa { n, e } => self.rsa().is_some_and(|parameters| {
                RsaPublicKeyComponents { n, e }.verify(parameters, message, signature).is_ok()
            }),
            KeyMaterial::P256(point) | KeyMaterial::P384(point) | KeyMaterial::Ed25519(point) => self
                .curve()
                .is_some_and(|curve| UnparsedPublicKey::new(curve, point).verify(message, signature).is_ok()),
        }
    }

    const fn rsa(self) -> Option<&'static RsaParameters> {
        match self {
            Self::Rs256 => Some(&RSA_PKCS1_2048_8192_SHA256),
            Self::Rs384 => Some(&RSA_PKCS1_2048_8192_SHA384),
            Self::Rs512 => Some(&RSA_PKCS1_2048_8192_SHA512),
            Self::Ps256 => Some(&RSA_PSS_2048_8192_SHA256),
            Self::Ps384 => Some(&RSA_PSS_2048_8192_SHA384),
            Self::Ps512 => Some(&RSA_PSS_2048_8192_SHA512),
            Self::Es256 | Self::Es384 | Self::EdDsa => None,
        }
    }

    /// Signatures on curves are two numbers of fixed length, never ASN.1.
    fn curve(self) -> Option<&'static dyn VerificationAlgorithm> {
        match self {
            Self::Es256 => Some(&ECDSA_P256_SHA256_FIXED),
            Self::Es384 => Some(&ECDSA_P384_SHA384_FIXED),
            Self::EdDsa => Some(&ED25519),
            Self::Rs256 | Self::Rs384 | Self::Rs512 | Self::Ps256 | Self::Ps384 | Self::Ps512 => None,
        }
    }
}
