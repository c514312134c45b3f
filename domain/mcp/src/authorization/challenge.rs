//! What a server says in `WWW-Authenticate` when it refuses
//! ([RFC 9110 section 11.6.1](https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1)).

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use thiserror::Error;

mod reader;

use reader::Reader;

/// The longest value of the header that is read, in bytes.
pub const LONGEST_CHALLENGE: usize = 8 << 10;
/// The most challenges of one value.
pub const MOST_CHALLENGES: usize = 16;
/// The most parameters of one challenge.
pub const MOST_PARAMETERS: usize = 32;

/// One challenge: a scheme and what it asks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Challenge {
    /// The scheme as it was written; its case does not matter.
    pub scheme: String,
    /// The single value that some schemes have in place of parameters.
    pub token68: Option<String>,
    /// Names in lower case, and values without their quotes.
    pub parameters: Vec<(String, String)>,
}

impl Challenge {
    /// Whether this is the scheme.
    pub fn is_of(&self, scheme: &str) -> bool {
        self.scheme.eq_ignore_ascii_case(scheme)
    }

    /// The value of a parameter, named in lower case.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }
}

/// Why a value of `WWW-Authenticate` is not read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ChallengeFault {
    /// It is longer than [`LONGEST_CHALLENGE`].
    #[error("the challenge is longer than {LONGEST_CHALLENGE} bytes")]
    TooLong,
    /// It has more than [`MOST_CHALLENGES`] challenges, or one of them more than [`MOST_PARAMETERS`] parameters.
    #[error(
        "there are more than {MOST_CHALLENGES} challenges in one value, or more than {MOST_PARAMETERS} parameters in one challenge"
    )]
    TooMany,
    /// It does not follow the grammar of the header.
    #[error("the challenge does not follow the grammar of WWW-Authenticate")]
    Grammar,
    /// A parameter occurs twice in one challenge.
    #[error("a parameter occurs twice in one challenge")]
    Repeated,
}

/// Reads one value of `WWW-Authenticate`: several challenges with commas between. A value is read whole or not at all,
/// because in one that breaks the grammar a server and its client would see different parameters.
///
/// # Errors
///
/// [`ChallengeFault`] when the value breaks the grammar or a bound.
pub fn read_challenges(value: &str) -> Result<Vec<Challenge>, ChallengeFault> {
    if value.len() > LONGEST_CHALLENGE {
        return Err(ChallengeFault::TooLong);
    }
    let mut reader = Reader::new(value);
    let mut challenges = Vec::new();
    reader.skip_list();
    while !reader.is_at_end() {
        if challenges.len() == MOST_CHALLENGES {
            return Err(ChallengeFault::TooMany);
        }
        challenges.push(read_challenge(&mut reader)?);
    }
    Ok(challenges)
}

/// Reads one challenge and the commas behind it.
fn read_challenge(reader: &mut Reader<'_>) -> Result<Challenge, ChallengeFault> {
    let scheme = reader.token().ok_or(ChallengeFault::Grammar)?.to_owned();
    let blanks = reader.skip_blanks();
    let mut challenge = Challenge { scheme, token68: None, parameters: Vec::new() };
    if reader.is_at_end() || reader.is_at(b',') {
        reader.skip_list();
        return Ok(challenge);
    }
    if blanks == 0 {
        return Err(ChallengeFault::Grammar);
    }
    if let Some(value) = reader.token68() {
        challenge.token68 = Some(value.to_owned());
        reader.skip_list();
        return Ok(challenge);
    }
    loop {
        let (name, value) = reader.parameter().ok_or(ChallengeFault::Grammar)?;
        if challenge.parameter(&name).is_some() {
            return Err(ChallengeFault::Repeated);
        }
        if challenge.parameters.len() == MOST_PARAMETERS {
            return Err(ChallengeFault::TooMany);
        }
        challenge.parameters.push((name, value));
        reader.skip_blanks();
        if reader.is_at_end() {
            return Ok(challenge);
        }
        if !reader.is_at(b',') {
            return Err(ChallengeFault::Grammar);
        }
        reader.skip_list();
        // What follows a comma is one more parameter if it has an equals sign, and the next challenge if not.
        if reader.is_at_end() || !reader.is_before_parameter() {
            return Ok(challenge);
        }
    }
}

#[cfg(test)]
mod tests;
