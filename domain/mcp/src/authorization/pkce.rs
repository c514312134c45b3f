//! Proof that whoever redeems a code is who asked for it
//! ([RFC 7636](https://www.rfc-editor.org/rfc/rfc7636)), and the state that ties a response to its request.

use alloc::string::String;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use super::secret::Secret;

/// How many random bytes a verifier is made of: as many as RFC 7636 section 4.1 recommends.
pub const VERIFIER_BYTES: usize = 32;
/// How many random bytes a state is made of.
pub const STATE_BYTES: usize = 16;

/// The code verifier of one authorization request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeVerifier(Secret);

impl CodeVerifier {
    /// The verifier of these random bytes.
    pub fn from_random(bytes: &[u8; VERIFIER_BYTES]) -> Self {
        Self(Secret::new(&URL_SAFE_NO_PAD.encode(bytes)))
    }

    /// The verifier, for the token request.
    pub fn expose(&self) -> &str {
        self.0.expose()
    }

    /// What the authorization request says of it, by the method `S256`.
    pub fn challenge(&self) -> String {
        URL_SAFE_NO_PAD.encode(Sha256::digest(self.expose()))
    }
}

/// The `state` of one authorization request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RequestState(Secret);

impl RequestState {
    /// The state of these random bytes.
    pub fn from_random(bytes: &[u8; STATE_BYTES]) -> Self {
        Self(Secret::new(&URL_SAFE_NO_PAD.encode(bytes)))
    }

    /// The state, for the authorization request.
    pub fn expose(&self) -> &str {
        self.0.expose()
    }

    /// Whether a response has this state. How long it takes tells nothing of where they differ.
    pub fn is(&self, received: &str) -> bool {
        let (own, received) = (self.expose().as_bytes(), received.as_bytes());
        let differ = own.iter().zip(received).fold(0, |differ, (own, received)| differ | (own ^ received));
        own.len() == received.len() && differ == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;

    /// The octets of RFC 7636 appendix B.
    const OCTETS: [u8; 32] = [
        116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105,
        214, 191, 240, 91, 88, 5, 88, 83, 132, 141, 121,
    ];

    #[test]
    fn the_example_of_rfc_7636_holds() {
        let verifier = CodeVerifier::from_random(&OCTETS);
        assert_eq!(verifier.expose(), "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
        assert_eq!(verifier.challenge(), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
        assert_eq!(format!("{verifier:?}"), "CodeVerifier(Secret(..))");
    }

    #[test]
    fn only_the_very_state_is_taken() {
        let state = RequestState::from_random(&[7; 16]);
        assert!(state.is(state.expose()));
        for other in ["", "BwcHBwcHBwcHBwcHBwcHB", "BwcHBwcHBwcHBwcHBwcHBwA", "bwcHBwcHBwcHBwcHBwcHBw"] {
            assert!(!state.is(other), "{other}");
        }
    }
}
