//! The key of the host, and what it protects.

use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::hkdf::{HKDF_SHA256, Salt};
use ring::rand::{SecureRandom, SystemRandom};
use zeroize::Zeroizing;

use crate::fault::OpenError;

/// The fewest bytes of a key: as many as AES-256 has.
pub const SHORTEST_KEY: usize = 32;

/// The form of the files that are written.
const FORM: u8 = 1;
const HEADER: usize = 1 + NONCE_LEN;

/// Separates what is derived here from every other use of the same key.
const SALT: &[u8] = b"pm-mcp credentials 1";

pub(crate) struct FileKey(LessSafeKey);

impl FileKey {
    #[expect(clippy::expect_used, reason = "HKDF refuses only output of more than 255 digests; a key is one")]
    pub(crate) fn derive(key: &[u8]) -> Result<Self, OpenError> {
        if key.len() < SHORTEST_KEY {
            return Err(OpenError::KeyTooShort { length: key.len() });
        }
        let root = Salt::new(HKDF_SHA256, SALT).extract(key);
        let cipher = root.expand(&[b"encrypt"], &AES_256_GCM).expect("a key is short enough for HKDF");
        Ok(Self(LessSafeKey::new(UnboundKey::from(cipher))))
    }

    /// Encrypts for an issuer under a fresh random nonce; `None` without random bytes.
    pub(crate) fn seal(&self, issuer: &str, plain: &[u8], random: &SystemRandom) -> Option<Vec<u8>> {
        let mut nonce = [0; NONCE_LEN];
        random.fill(&mut nonce).ok()?;
        // It grows by the tag and must not be moved meanwhile: what is left behind would be in the clear.
        let mut body = Zeroizing::new(Vec::with_capacity(plain.len() + AES_256_GCM.tag_len()));
        body.extend_from_slice(plain);
        self.0
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), associated(issuer), &mut *body)
            .ok()?;
        Some([&[FORM][..], &nonce, &body].concat())
    }

    /// Undoes [`seal`](Self::seal).
    pub(crate) fn open(&self, issuer: &str, sealed: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
        let (form, rest) = sealed.split_first()?;
        let (nonce, _) = rest.split_first_chunk::<NONCE_LEN>()?;
        if *form != FORM {
            return None;
        }
        let mut body = Zeroizing::new(sealed.get(HEADER..)?.to_vec());
        let nonce = Nonce::assume_unique_for_key(*nonce);
        let length = self.0.open_in_place(nonce, associated(issuer), &mut body).ok()?.len();
        body.truncate(length);
        Some(body)
    }
}

/// The form has one byte, so that it and the issuer cannot be taken for one another.
fn associated(issuer: &str) -> Aad<Vec<u8>> {
    Aad::from([&[FORM], issuer.as_bytes()].concat())
}
