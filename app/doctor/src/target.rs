//! What is probed.

use core::fmt;

use thiserror::Error;

use crate::url::Url;

/// A server to probe.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the two standard transports")]
pub enum Target {
    /// One that is started for the purpose and spoken to on its standard streams.
    Command {
        /// The program.
        program: String,
        /// Its arguments.
        arguments: Vec<String>,
    },
    /// One that runs already.
    Url(Url),
}

/// What was given names no server.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TargetError {
    /// Nothing was given.
    #[error("name a server: a URL such as http://127.0.0.1:3000/mcp, or a command and its arguments")]
    Nothing,
    /// A URL that cannot be used.
    #[error("`{url}` is no URL of a server: {detail}")]
    Url {
        /// As given.
        url: String,
        /// What is wrong with it.
        detail: String,
    },
    /// Words behind a URL.
    #[error("`{word}` stands behind a URL, which takes no arguments")]
    Behind {
        /// The first of the words.
        word: String,
    },
}

impl Target {
    /// Reads a target from words of a command line.
    ///
    /// # Errors
    ///
    /// [`TargetError`] if they name none.
    pub fn parse(words: impl IntoIterator<Item = String>) -> Result<Self, TargetError> {
        let mut words = words.into_iter();
        let first = words.next().filter(|word| !word.is_empty()).ok_or(TargetError::Nothing)?;
        if !first.contains("://") {
            return Ok(Self::Command { program: first, arguments: words.collect() });
        }
        let url = Url::parse(&first)
            .map_err(|detail| TargetError::Url { url: first, detail: detail.to_owned() })?;
        match words.next() {
            Some(word) => Err(TargetError::Behind { word }),
            None => Ok(Self::Url(url)),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Command { program, arguments } => {
                f.write_str(program)?;
                arguments.iter().try_for_each(|argument| write!(f, " {argument}"))
            }
            Self::Url(url) => url.fmt(f),
        }
    }
}
