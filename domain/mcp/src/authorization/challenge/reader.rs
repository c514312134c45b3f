//! The words of the header's grammar, one after the other.

use alloc::string::String;

/// What is left to read.
#[derive(Clone)]
pub(super) struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { rest: text }
    }

    pub(super) const fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    pub(super) fn is_at(&self, byte: u8) -> bool {
        self.rest.as_bytes().first() == Some(&byte)
    }

    /// Skips blanks and says how many they were.
    pub(super) fn skip_blanks(&mut self) -> usize {
        self.take_while(is_blank).len()
    }

    /// Skips what may stand between two members of a list: commas and blanks, also several of them.
    pub(super) fn skip_list(&mut self) {
        self.take_while(|byte| byte == b',' || is_blank(byte));
    }

    /// A token, such as the name of a scheme.
    pub(super) fn token(&mut self) -> Option<&'a str> {
        Some(self.take_while(is_token)).filter(|token| !token.is_empty())
    }

    /// A single value up to the next comma; nothing is read if there is none.
    pub(super) fn token68(&mut self) -> Option<&'a str> {
        let mut ahead = self.clone();
        let body = ahead.take_while(|byte| byte.is_ascii_alphanumeric() || b"-._~+/".contains(&byte));
        let padding = ahead.take_while(|byte| byte == b'=');
        let value = self.rest.get(..body.len() + padding.len())?;
        ahead.skip_blanks();
        if body.is_empty() || !(ahead.is_at_end() || ahead.is_at(b',')) {
            return None;
        }
        *self = ahead;
        Some(value)
    }

    /// Whether a parameter follows, and not the scheme of another challenge.
    pub(super) fn is_before_parameter(&self) -> bool {
        let mut ahead = self.clone();
        ahead.token();
        ahead.skip_blanks();
        ahead.is_at(b'=')
    }

    /// A name in lower case, an equals sign and a value, which may be in quotes.
    pub(super) fn parameter(&mut self) -> Option<(String, String)> {
        let name = self.token()?.to_ascii_lowercase();
        self.skip_blanks();
        self.take(b'=')?;
        self.skip_blanks();
        let value = if self.is_at(b'"') { self.quoted()? } else { self.token()?.into() };
        Some((name, value))
    }

    fn quoted(&mut self) -> Option<String> {
        self.take(b'"')?;
        let mut value = String::new();
        let mut characters = self.rest.char_indices();
        while let Some((at, character)) = characters.next() {
            match character {
                '"' => {
                    self.rest = self.rest.get(at + 1..)?;
                    return Some(value);
                }
                '\\' => value.push(characters.next().map(|(_, escaped)| escaped).filter(is_quotable)?),
                other => value.push(Some(other).filter(is_quotable)?),
            }
        }
        None
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        let taken = self.is_at(byte);
        if taken {
            self.rest = self.rest.get(1..)?;
        }
        taken.then_some(())
    }

    fn take_while(&mut self, wanted: impl Fn(u8) -> bool) -> &'a str {
        let end = self.rest.bytes().position(|byte| !wanted(byte)).unwrap_or(self.rest.len());
        // Only ASCII is ever wanted, so that the end is that of a character.
        let (taken, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// Whether quotes may hold the character: all but control characters.
fn is_quotable(character: &char) -> bool {
    *character == '\t' || !character.is_control()
}
