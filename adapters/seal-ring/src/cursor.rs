//! List cursors under HMAC-SHA-256.

use std::fmt;

use pm_mcp_ports::driven::CursorSigner;
use ring::hmac;

use crate::{
    entropy::{EntropyError, random},
    key::{KeyTooShort, SHORTEST_KEY, strong},
    text,
};

/// The longest token that is looked at, in bytes. What this signer makes is far shorter unless
/// the positions in a list are extremely long; longer input is refused before it is decoded.
pub const LONGEST_TOKEN: usize = 8 * 1024;

/// Stands before every signed payload, so that a key used elsewhere by mistake cannot make cursors.
const PURPOSE: &[u8] = b"mcp list cursor\0";

/// Bytes of the tag at the end of a token.
const TAG: usize = 32;

/// Signs cursors with HMAC-SHA-256.
///
/// A token is the payload and its tag in Base64 for URLs, without padding. Payloads are protected
/// against change, not against reading: what they hold must be fit for the peer to see.
///
/// ```
/// use pm_mcp_ports::driven::CursorSigner;
/// use pm_mcp_seal_ring::HmacCursorSigner;
///
/// let signer = HmacCursorSigner::new(b"at least thirty-two bytes of secret")?;
/// let token = signer.sign(b"page 2");
/// assert_eq!(signer.open(&token).as_deref(), Some(&b"page 2"[..]));
/// assert_eq!(signer.open("page 2"), None);
/// # Ok::<(), pm_mcp_seal_ring::KeyTooShort>(())
/// ```
pub struct HmacCursorSigner {
    key: hmac::Key,
}

impl HmacCursorSigner {
    /// A signer with a configured key; every signer with this key opens its cursors.
    ///
    /// # Errors
    ///
    /// [`KeyTooShort`] for fewer than [`SHORTEST_KEY`] bytes, so that a weak key is found at start.
    pub fn new(key: &[u8]) -> Result<Self, KeyTooShort> {
        Ok(Self { key: hmac::Key::new(hmac::HMAC_SHA256, strong(key)?) })
    }

    /// A signer with a random key of its own: its cursors end with it, and no other process opens
    /// them.
    ///
    /// # Errors
    ///
    /// [`EntropyError`] if the operating system gives no random bytes.
    pub fn random() -> Result<Self, EntropyError> {
        let key: [u8; SHORTEST_KEY] = random()?;
        Ok(Self { key: hmac::Key::new(hmac::HMAC_SHA256, &key) })
    }
}

impl CursorSigner for HmacCursorSigner {
    fn sign(&self, payload: &[u8]) -> String {
        let mut context = hmac::Context::with_key(&self.key);
        context.update(PURPOSE);
        context.update(payload);
        let mut token = payload.to_vec();
        token.extend_from_slice(context.sign().as_ref());
        text::write(&token)
    }

    fn open(&self, token: &str) -> Option<Vec<u8>> {
        if token.len() > LONGEST_TOKEN {
            return None;
        }
        let mut payload = text::read(token)?;
        let tag = payload.split_off(payload.len().checked_sub(TAG)?);
        let signed = [PURPOSE, &payload].concat();
        // ring compares in constant time.
        hmac::verify(&self.key, &signed, &tag).ok()?;
        Some(payload)
    }
}

impl fmt::Debug for HmacCursorSigner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HmacCursorSigner { key: <redacted> }")
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;

    use super::*;

    const KEY: &[u8] = b"0123456789abcdef0123456789abcdef";

    fn signer() -> HmacCursorSigner {
        HmacCursorSigner::new(KEY).unwrap()
    }

    #[test]
    fn a_signed_payload_opens_unchanged() {
        let long = vec![0xA5; 4_096];
        for payload in [&b""[..], b"x", b"\0\xFF\x7F", &long] {
            let token = signer().sign(payload);
            assert!(token.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)));
            assert_eq!(signer().open(&token).as_deref(), Some(payload));
        }
    }

    #[test]
    fn no_changed_token_opens() {
        let token = signer().sign(b"a position in a list");
        for at in 0..token.len() {
            for other in ["A", "B", "-", "=", "", "é"] {
                let mut changed = token.clone();
                changed.replace_range(at..=at, other);
                if changed != token {
                    assert_eq!(signer().open(&changed), None, "{at} {other}");
                }
            }
            assert_eq!(signer().open(&token[..at]), None);
        }
        for changed in [format!("{token}A"), format!("{token}="), format!(" {token}"), format!("{token}\n")] {
            assert_eq!(signer().open(&changed), None);
        }
    }

    #[test]
    fn what_was_never_signed_does_not_open() {
        let bare_tag = URL_SAFE_NO_PAD.encode(hmac::sign(&signer().key, b""));
        let without_purpose = [&b"x"[..], hmac::sign(&signer().key, b"x").as_ref()].concat();
        for token in ["", "x", "null", "====", &bare_tag, &URL_SAFE_NO_PAD.encode(without_purpose)] {
            assert_eq!(signer().open(token), None, "{token}");
        }
    }

    #[test]
    fn another_key_opens_nothing() {
        let token = signer().sign(b"x");
        let rotated = HmacCursorSigner::new(b"0123456789abcdef0123456789abcdeF").unwrap();
        assert_eq!(rotated.open(&token), None);
        let first = HmacCursorSigner::random().unwrap();
        let second = HmacCursorSigner::random().unwrap();
        assert_eq!(first.open(&first.sign(b"x")).as_deref(), Some(&b"x"[..]));
        assert_eq!(second.open(&first.sign(b"x")), None);
    }

    #[test]
    fn weak_keys_are_refused_with_words() {
        for length in [0, 1, 31] {
            let refused = HmacCursorSigner::new(&vec![b'k'; length]).unwrap_err();
            assert_eq!(refused, KeyTooShort { length });
            let text = refused.to_string();
            assert!(text.contains(&format!("{length} bytes")) && text.contains("at least 32"), "{text}");
        }
        assert!(HmacCursorSigner::new(&[b'k'; 32]).is_ok());
        assert!(HmacCursorSigner::new(&[b'k'; 33]).is_ok());
    }

    #[test]
    fn the_key_shows_nowhere() {
        let shown = format!("{:?} {:#?}", signer(), signer());
        assert_eq!(shown, "HmacCursorSigner { key: <redacted> } HmacCursorSigner { key: <redacted> }");
        let token = signer().sign(b"x");
        assert!(!URL_SAFE_NO_PAD.decode(token).unwrap().windows(8).any(|window| KEY.starts_with(window)));
    }

    #[test]
    fn tokens_are_bounded_before_they_are_decoded() {
        let fitting = LONGEST_TOKEN / 4 * 3 - TAG;
        let at_limit = signer().sign(&vec![b'x'; fitting]);
        assert_eq!(at_limit.len(), LONGEST_TOKEN);
        assert!(signer().open(&at_limit).is_some());
        let above = signer().sign(&vec![b'x'; fitting + 1]);
        assert_eq!(signer().open(&above), None);
    }

    #[test]
    fn the_form_of_tokens_stays() {
        // Processes of different versions share keys; a change here ends all cursors.
        let token = signer().sign(b"payload");
        assert_eq!(token, "cGF5bG9hZI3-w4xeq1MWPUKfDjFjTQ8T7juNdIoYJ4FAAAUG0UPi");
    }
}
