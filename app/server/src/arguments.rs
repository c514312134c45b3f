//! The command line: two flags, and for `pm-mcp` two words.

use std::ffi::OsString;
use std::path::PathBuf;

use thiserror::Error;

use crate::settings::Program;

/// What a command line asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(clippy::exhaustive_enums, reason = "a program handles each")]
pub enum Invocation {
    /// Serve.
    Serve,
    /// Print the help and end.
    Help,
    /// Print the version and end.
    Version,
    /// Make a workspace and end.
    Init {
        /// The project; the repository around the current folder without one.
        folder: Option<PathBuf>,
    },
    /// Probe a server and end.
    Doctor {
        /// A URL, or a command and its arguments.
        target: Vec<String>,
    },
}

/// A command line that a program does not understand.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ArgumentError {
    /// An argument that it does not have.
    #[error("unknown argument {argument}; everything is set by environment variables, see --help")]
    Unknown {
        /// The argument, quoted.
        argument: String,
    },
    /// A word with more behind it than it takes.
    #[error("`{word}` takes no argument {argument}; see --help")]
    TooMany {
        /// The word.
        word: &'static str,
        /// The first argument that is too many, quoted.
        argument: String,
    },
    /// An argument that must be text and is not.
    #[error("argument {argument} is not UTF-8")]
    NotText {
        /// The argument, quoted.
        argument: String,
    },
}

/// Reads the arguments after the program's name. The first one decides.
///
/// # Errors
///
/// [`ArgumentError`] for anything that the program does not have.
pub fn read(
    program: Program,
    arguments: impl IntoIterator<Item = OsString>,
) -> Result<Invocation, ArgumentError> {
    let mut arguments = arguments.into_iter();
    let Some(first) = arguments.next() else { return Ok(Invocation::Serve) };
    let quoted = |argument: &OsString| format!("{argument:?}");
    let unknown = |argument: &OsString| ArgumentError::Unknown { argument: quoted(argument) };
    let words = program == Program::Stdio;
    let asked = match first.to_str() {
        Some("--help" | "-h") => Invocation::Help,
        Some("--version" | "-V") => Invocation::Version,
        Some("init") if words => {
            let folder = arguments.next();
            if let Some(flag) = folder.as_ref().filter(|folder| folder.as_encoded_bytes().starts_with(b"-")) {
                return Err(unknown(flag));
            }
            if let Some(more) = arguments.next() {
                return Err(ArgumentError::TooMany { word: "init", argument: quoted(&more) });
            }
            return Ok(Invocation::Init { folder: folder.map(PathBuf::from) });
        }
        Some("doctor") if words => {
            let text = |argument: OsString| {
                argument
                    .into_string()
                    .map_err(|argument| ArgumentError::NotText { argument: quoted(&argument) })
            };
            let target = arguments.map(text).collect::<Result<_, _>>()?;
            return Ok(Invocation::Doctor { target });
        }
        Some(_) | None => return Err(unknown(&first)),
    };
    match arguments.next() {
        None => Ok(asked),
        Some(second) => Err(unknown(&second)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_by(program: Program, words: &[&str]) -> Result<Invocation, String> {
        read(program, words.iter().map(OsString::from)).map_err(|fault| fault.to_string())
    }

    #[test]
    fn flags_are_known_to_both_programs() {
        for program in [Program::Stdio, Program::Http] {
            let read = |words: &[&str]| read_by(program, words);
            assert_eq!(read(&[]), Ok(Invocation::Serve));
            assert_eq!(read(&["--help"]), Ok(Invocation::Help));
            assert_eq!(read(&["-V"]), Ok(Invocation::Version));
            for words in [&["--port", "1"][..], &["serve"], &[""], &["--help", "--port\n"], &["--version=1"]]
            {
                let line = read(words).unwrap_err();
                assert!(line.starts_with("unknown argument \"") && !line.contains('\n'), "{line}");
            }
        }
    }

    #[test]
    fn words_are_known_to_one_program() {
        let read = |words: &[&str]| read_by(Program::Stdio, words);
        assert_eq!(read(&["init"]), Ok(Invocation::Init { folder: None }));
        assert_eq!(read(&["init", "a b"]), Ok(Invocation::Init { folder: Some("a b".into()) }));
        let target = vec!["npx".to_owned(), "--yes".to_owned()];
        assert_eq!(read(&["doctor", "npx", "--yes"]), Ok(Invocation::Doctor { target }));
        assert!(read(&["init", "a", "b"]).unwrap_err().contains("takes no argument \"b\""));
        assert!(read(&["init", "--force"]).unwrap_err().starts_with("unknown argument"));
        assert!(read_by(Program::Http, &["init"]).is_err());
    }
}
