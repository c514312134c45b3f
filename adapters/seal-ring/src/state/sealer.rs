//! A ring of keys that seals with one and opens with all.

use std::fmt;

use pm_mcp_ports::driven::{SealError, StateSealer};
use ring::rand::SystemRandom;

use super::{
    form::StateForm,
    key::{HEADER, KeyId, OVERHEAD, StateKey},
};
use crate::{
    entropy::{EntropyError, random},
    key::{KeyTooShort, SHORTEST_KEY, strong},
    text,
};

/// The longest state that is sealed, in bytes. A longer text is refused before it is decoded.
pub const LONGEST_STATE: usize = 1024 * 1024;

/// Characters of the longest sealed state.
const LONGEST_TEXT: usize = (LONGEST_STATE + OVERHEAD).div_ceil(3) * 4;

/// Seals state with AES-256-GCM, or signs it with HMAC-SHA-256 when told to leave it readable.
///
/// A sealed state is Base64 for URLs, without padding. It names its key, so that keys can be
/// rotated: give every process the new key as an older one, then make it the active one and keep
/// the former as an older one until the states that it sealed have expired, then drop it.
/// Sub-keys are derived by HKDF for this use alone, so that one configured key can also serve
/// [`HmacCursorSigner`](crate::HmacCursorSigner).
///
/// What is sealed in either form opens with every sealer that holds its key. Nonces are random:
/// change the active key before it has sealed 2^32 states, about fifty days of a thousand a second
/// (NIST SP 800-38D section 8.3).
///
/// ```
/// use pm_mcp_ports::driven::StateSealer;
/// use pm_mcp_seal_ring::RingSealer;
///
/// let former = b"the key of last month, 32 bytes or more";
/// let before = RingSealer::new(former)?;
/// let sealed = before.seal(b"step 2", b"tools/call")?;
///
/// let now = RingSealer::new(b"the key of this month, 32 bytes or more")?.with_older(former)?;
/// assert_eq!(now.open(&sealed, b"tools/call").as_deref(), Some(&b"step 2"[..]));
/// assert_eq!(now.open(&sealed, b"prompts/get"), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct RingSealer {
    form: StateForm,
    active: StateKey,
    older: Vec<StateKey>,
    random: SystemRandom,
}

impl RingSealer {
    /// A sealer that encrypts with a configured key; every sealer with this key opens its states.
    ///
    /// # Errors
    ///
    /// [`KeyTooShort`] for fewer than [`SHORTEST_KEY`] bytes, so that a weak key is found at start.
    pub fn new(active: &[u8]) -> Result<Self, KeyTooShort> {
        Ok(Self {
            form: StateForm::Encrypted,
            active: StateKey::derive(strong(active)?),
            older: Vec::new(),
            random: SystemRandom::new(),
        })
    }

    /// A sealer with a random key of its own: its states end with it, and no other process opens
    /// them. The client is then told to start its operation again.
    ///
    /// # Errors
    ///
    /// [`EntropyError`] if the operating system gives no random bytes.
    pub fn random() -> Result<Self, EntropyError> {
        let key: [u8; SHORTEST_KEY] = random()?;
        Ok(Self {
            form: StateForm::Encrypted,
            active: StateKey::derive(&key),
            older: Vec::new(),
            random: SystemRandom::new(),
        })
    }

    /// Adds a key that opens and does not seal: one that was active before, or will be next.
    ///
    /// # Errors
    ///
    /// [`KeyTooShort`] for fewer than [`SHORTEST_KEY`] bytes.
    pub fn with_older(mut self, key: &[u8]) -> Result<Self, KeyTooShort> {
        let key = StateKey::derive(strong(key)?);
        if self.keys().all(|held| held.id() != key.id()) {
            self.older.push(key);
        }
        Ok(self)
    }

    /// Signs only, from now on: clients can read what the server remembers. Handy where states
    /// hold nothing private and are to be looked at while a fault is searched for.
    #[must_use]
    pub fn signed_only(mut self) -> Self {
        self.form = StateForm::Signed;
        self
    }

    /// The form of what it seals.
    pub const fn form(&self) -> StateForm {
        self.form
    }

    fn keys(&self) -> impl Iterator<Item = &StateKey> {
        std::iter::once(&self.active).chain(&self.older)
    }
}

impl StateSealer for RingSealer {
    /// # Errors
    ///
    /// [`SealError`] also for more than [`LONGEST_STATE`] bytes, which could not be opened again.
    fn seal(&self, plain: &[u8], context: &[u8]) -> Result<String, SealError> {
        if plain.len() > LONGEST_STATE {
            return Err(SealError);
        }
        let sealed = match self.form {
            StateForm::Encrypted => self.active.encrypt(plain, context, &self.random)?,
            StateForm::Signed => self.active.sign(plain, context),
        };
        Ok(text::write(&sealed))
    }

    fn open(&self, sealed: &str, context: &[u8]) -> Option<Vec<u8>> {
        if sealed.len() > LONGEST_TEXT {
            return None;
        }
        let sealed = text::read(sealed)?;
        let [form, id @ ..] = *sealed.first_chunk::<HEADER>()?;
        let (form, id) = (StateForm::parse(form)?, KeyId::from_bytes(id));
        let key = self.keys().find(|key| key.id() == id)?;
        match form {
            StateForm::Encrypted => key.decrypt(sealed, context),
            StateForm::Signed => key.verify(sealed, context),
        }
    }
}

impl fmt::Debug for RingSealer {
    /// Keys are named, never shown: a log can tell whether two processes share them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RingSealer")
            .field("form", &self.form)
            .field("active", &self.active.id())
            .field("older", &self.older.iter().map(StateKey::id).collect::<Vec<_>>())
            .finish()
    }
}
