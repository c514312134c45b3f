//! One key of the ring: what is derived from it and the bytes it makes.
//!
//! | Form | Layout |
//! |---|---|
//! | encrypted | form, key id (8 bytes), nonce (12), encrypted state, tag (16); form, key id and context are authenticated along |
//! | signed | form, key id (8 bytes), state, HMAC (32) over form, key id, length of the context (8), context and state |

use std::fmt;

use pm_mcp_ports::driven::SealError;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::hkdf::{self, HKDF_SHA256, KeyType, Okm, Prk};
use ring::hmac::{self, HMAC_SHA256};
use ring::rand::{SecureRandom, SystemRandom};

use super::form::StateForm;

/// Bytes of a key's id.
const ID: usize = 8;
/// Bytes of form and key id.
pub(super) const HEADER: usize = 1 + ID;
/// Bytes of an HMAC-SHA-256.
const MAC: usize = 32;
/// The most bytes that a form adds to a state.
pub(super) const OVERHEAD: usize = HEADER + MAC;

/// Separates what is derived here from every other use of the same configured key.
const SALT: &[u8] = b"pm-mcp sealed state 1";

/// Names a key and tells nothing of it. It is derived from the key, so that processes which share
/// keys agree on names without a setting for them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct KeyId([u8; ID]);

impl KeyId {
    pub(super) const fn from_bytes(bytes: [u8; ID]) -> Self {
        Self(bytes)
    }
}

impl fmt::Debug for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The sub-keys of one configured key. Each form has its own, so that none is used in two ways.
pub(super) struct StateKey {
    id: KeyId,
    cipher: LessSafeKey,
    mac: hmac::Key,
}

impl StateKey {
    /// Derives the sub-keys by HKDF-SHA-256 (RFC 5869).
    pub(super) fn derive(configured: &[u8]) -> Self {
        let root = hkdf::Salt::new(HKDF_SHA256, SALT).extract(configured);
        let cipher = UnboundKey::from(expand(&root, &[b"encrypt"], &AES_256_GCM));
        Self {
            id: KeyId(named(&root)),
            cipher: LessSafeKey::new(cipher),
            mac: hmac::Key::from(expand(&root, &[b"sign"], HMAC_SHA256)),
        }
    }

    pub(super) const fn id(&self) -> KeyId {
        self.id
    }

    /// Encrypts under a fresh random nonce.
    pub(super) fn encrypt(
        &self,
        plain: &[u8],
        context: &[u8],
        random: &SystemRandom,
    ) -> Result<Vec<u8>, SealError> {
        let header = self.header(StateForm::Encrypted);
        let mut nonce = [0; NONCE_LEN];
        random.fill(&mut nonce).map_err(|_| SealError)?;
        let mut sealed = Vec::with_capacity(plain.len() + OVERHEAD);
        sealed.extend_from_slice(&header);
        sealed.extend_from_slice(&nonce);
        sealed.extend_from_slice(plain);
        let (_, body) = sealed.split_at_mut(HEADER + NONCE_LEN);
        let tag = self
            .cipher
            .seal_in_place_separate_tag(
                Nonce::assume_unique_for_key(nonce),
                associated(&header, context),
                body,
            )
            .map_err(|_| SealError)?;
        sealed.extend_from_slice(tag.as_ref());
        Ok(sealed)
    }

    /// Undoes [`encrypt`](Self::encrypt).
    pub(super) fn decrypt(&self, mut sealed: Vec<u8>, context: &[u8]) -> Option<Vec<u8>> {
        let header = self.header(StateForm::Encrypted);
        let (nonce, _) = sealed.get(HEADER..)?.split_first_chunk::<NONCE_LEN>()?;
        let nonce = Nonce::assume_unique_for_key(*nonce);
        let plain = self
            .cipher
            .open_within(nonce, associated(&header, context), &mut sealed, HEADER + NONCE_LEN..)
            .ok()?
            .len();
        // The plain bytes were moved to the front.
        sealed.truncate(plain);
        Some(sealed)
    }

    /// Signs and leaves readable.
    pub(super) fn sign(&self, plain: &[u8], context: &[u8]) -> Vec<u8> {
        let mut sealed = Vec::with_capacity(plain.len() + OVERHEAD);
        sealed.extend_from_slice(&self.header(StateForm::Signed));
        sealed.extend_from_slice(plain);
        sealed.extend_from_slice(hmac::sign(&self.mac, &self.signed(plain, context)).as_ref());
        sealed
    }

    /// Undoes [`sign`](Self::sign).
    pub(super) fn verify(&self, mut sealed: Vec<u8>, context: &[u8]) -> Option<Vec<u8>> {
        let mac = sealed.split_off(sealed.len().checked_sub(MAC)?);
        let signed = self.signed(sealed.get(HEADER..)?, context);
        // ring compares in constant time.
        hmac::verify(&self.mac, &signed, &mac).ok()?;
        sealed.drain(..HEADER);
        Some(sealed)
    }

    /// What the signature is over.
    fn signed(&self, plain: &[u8], context: &[u8]) -> Vec<u8> {
        // Without its length, the end of a context could pass for the beginning of a state.
        let length = (context.len() as u64).to_be_bytes();
        [&self.header(StateForm::Signed)[..], &length, context, plain].concat()
    }

    fn header(&self, form: StateForm) -> [u8; HEADER] {
        let mut header = [form.as_byte(); HEADER];
        for (place, byte) in header.iter_mut().skip(1).zip(self.id.0) {
            *place = byte;
        }
        header
    }
}

/// The header has a fixed length, so that it and the context cannot be taken for one another.
fn associated(header: &[u8; HEADER], context: &[u8]) -> Aad<Vec<u8>> {
    Aad::from([header, context].concat())
}

struct IdLength;

impl KeyType for IdLength {
    fn len(&self) -> usize {
        ID
    }
}

#[expect(clippy::expect_used, reason = "ring refuses only a buffer of another length than was asked for")]
fn named(root: &Prk) -> [u8; ID] {
    let mut id = [0; ID];
    expand(root, &[b"id"], IdLength).fill(&mut id).expect("as many bytes as asked for");
    id
}

#[expect(clippy::expect_used, reason = "HKDF refuses only output of more than 255 digests; a key is one")]
fn expand<'a, L: KeyType>(root: &'a Prk, purpose: &'a [&'a [u8]], length: L) -> Okm<'a, L> {
    root.expand(purpose, length).expect("a key is short enough for HKDF")
}
