//! A token as it came, which nobody may print, store or send on.

use alloc::boxed::Box;
use core::fmt;

use thiserror::Error;
use zeroize::Zeroizing;

/// The longest token that is looked at, in bytes.
pub const LONGEST_TOKEN: usize = 16 * 1024;

/// A bearer token as a client presented it. It shows nothing of itself in `Debug`, cannot be serialised, and its memory is
/// cleared when it is dropped.
pub struct PresentedToken(Zeroizing<Box<str>>);

impl PresentedToken {
    /// Takes a token of the grammar of [RFC 6750 section 2.1](https://www.rfc-editor.org/rfc/rfc6750#section-2.1): letters,
    /// digits and `-._~+/`, then any number of `=`.
    ///
    /// # Errors
    ///
    /// [`TokenFault`], which repeats nothing of the token.
    pub fn parse(token: &str) -> Result<Self, TokenFault> {
        let body = token.trim_end_matches('=');
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/".contains(&byte);
        if body.is_empty() || !body.bytes().all(allowed) {
            return Err(TokenFault::Grammar);
        }
        if token.len() > LONGEST_TOKEN {
            return Err(TokenFault::TooLong);
        }
        Ok(Self(Zeroizing::new(token.into())))
    }

    /// The token's text. Whoever asks must neither print nor keep it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PresentedToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PresentedToken(..)")
    }
}

/// A text that is no bearer token.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum TokenFault {
    /// It is empty, or has characters that no token has.
    #[error("the bearer token is empty or has characters that no token has")]
    Grammar,
    /// It is longer than any token that is looked at.
    #[error("the bearer token is longer than {LONGEST_TOKEN} bytes")]
    TooLong,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;

    #[test]
    fn tokens_show_nothing_of_themselves() {
        let token = PresentedToken::parse("sesame.open~me==").unwrap();
        assert_eq!(token.expose(), "sesame.open~me==");
        assert_eq!(format!("{token:?} {token:#?}"), "PresentedToken(..) PresentedToken(..)");
    }

    #[test]
    fn what_is_no_token_is_refused() {
        for text in ["", "=", "a b", "a,b", "a\"", "a=b", "é", "a\n", "a\0"] {
            assert_eq!(PresentedToken::parse(text).unwrap_err(), TokenFault::Grammar, "{text:?}");
        }
        let long = "a".repeat(LONGEST_TOKEN);
        assert!(PresentedToken::parse(&long).is_ok());
        assert_eq!(PresentedToken::parse(&format!("{long}a")).unwrap_err(), TokenFault::TooLong);
    }
}
