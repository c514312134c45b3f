//! Where the public keys of an issuer come from.

use std::error::Error;
use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::time::Timestamp;
use thiserror::Error;

/// Gives the public keys with which one issuer signs its tokens.
///
/// # Laws
///
/// - KS-01: every key belongs to the one issuer that the source was made for.
/// - KS-02: a set is never changed; new keys come in a new set.
/// - KS-03: a set that can no longer be confirmed is given out for a stated time and not longer; then the source is
///   [`KeysUnavailable`], never empty.
/// - KS-04: however often [`KeySource::newer`] is called, the issuer is asked at a bounded rate.
///
/// A dropped future loses nothing: a look that was begun goes on or is begun again.
#[async_trait]
pub trait KeySource: Debug + Send + Sync + 'static {
    /// The keys as they are known at `now`.
    ///
    /// # Errors
    ///
    /// [`KeysUnavailable`] when there are none that may be used.
    async fn keys(&self, now: Timestamp) -> Result<Arc<KeySet>, KeysUnavailable>;

    /// A set that is newer than `seen`, in which no key fitted a token; `None` when `seen` is the newest, as far as
    /// the source may look.
    ///
    /// # Errors
    ///
    /// [`KeysUnavailable`] when the issuer could not be asked, so that it is not known whether there are new keys.
    async fn newer(&self, seen: &Arc<KeySet>, now: Timestamp)
    -> Result<Option<Arc<KeySet>>, KeysUnavailable>;
}

macro_rules! forward {
    ($pointer:ident) => {
        #[deny(clippy::missing_trait_methods, reason = "a pointer answers what its target answers")]
        #[async_trait]
        impl<S: KeySource + ?Sized> KeySource for $pointer<S> {
            async fn keys(&self, now: Timestamp) -> Result<Arc<KeySet>, KeysUnavailable> {
                (**self).keys(now).await
            }

            async fn newer(
                &self,
                seen: &Arc<KeySet>,
                now: Timestamp,
            ) -> Result<Option<Arc<KeySet>>, KeysUnavailable> {
                (**self).newer(seen, now).await
            }
        }
    };
}

forward!(Arc);
forward!(Box);

/// The keys of an issuer at one moment.
#[derive(Debug, PartialEq, Eq, Default)]
pub struct KeySet {
    keys: Vec<VerificationKey>,
}

impl KeySet {
    /// A set of these keys.
    pub fn new(keys: Vec<VerificationKey>) -> Self {
        Self { keys }
    }

    /// The keys, in the order in which they are tried.
    pub fn keys(&self) -> &[VerificationKey] {
        &self.keys
    }
}

/// A public key that checks signatures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerificationKey {
    /// Its name in the set (`kid`); several keys may share one.
    pub id: Option<String>,
    /// The one JWS algorithm that it is for (`alg`), such as `PS256`; any that fits its kind when not said.
    pub algorithm: Option<String>,
    /// The key itself.
    pub material: KeyMaterial,
}

/// A public key by its kind.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(clippy::exhaustive_enums, reason = "a verifier decides for each kind which algorithms it may check")]
pub enum KeyMaterial {
    /// RSA: modulus and exponent, big-endian, without leading zeros.
    Rsa {
        /// The modulus.
        n: Vec<u8>,
        /// The public exponent.
        e: Vec<u8>,
    },
    /// A point on P-256, uncompressed: `04`, x, y (65 bytes).
    P256(Vec<u8>),
    /// A point on P-384, uncompressed: `04`, x, y (97 bytes).
    P384(Vec<u8>),
    /// An Ed25519 key (32 bytes).
    Ed25519(Vec<u8>),
}

/// No keys can be given, so no token can be told right from wrong.
#[derive(Debug, Error)]
#[error("the keys of the issuer are not available")]
pub struct KeysUnavailable(#[source] pub Box<dyn Error + Send + Sync>);
