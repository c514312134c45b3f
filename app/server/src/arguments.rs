//! The command line, which has two flags and nothing else.

use std::ffi::OsString;

use thiserror::Error;

/// What a command line asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(clippy::exhaustive_enums, reason = "a program handles each")]
pub enum Invocation {
    /// Serve.
    Serve,
    /// Print the help and end.
    Help,
    /// Print the version and end.
    Version,
}

/// An argument that no program here has.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown argument {argument}; everything is set by environment variables, see --help")]
pub struct UnknownArgument {
    argument: String,
}

/// Reads the arguments after the program's name. The first one decides; it must be the only one.
///
/// # Errors
///
/// [`UnknownArgument`] for anything but `--help`, `-h`, `--version` and `-V` alone.
pub fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Invocation, UnknownArgument> {
    let mut arguments = arguments.into_iter();
    let Some(first) = arguments.next() else { return Ok(Invocation::Serve) };
    let unknown = |argument: &OsString| Err(UnknownArgument { argument: format!("{argument:?}") });
    let asked = match first.to_str() {
        Some("--help" | "-h") => Invocation::Help,
        Some("--version" | "-V") => Invocation::Version,
        Some(_) | None => return unknown(&first),
    };
    match arguments.next() {
        None => Ok(asked),
        Some(second) => unknown(&second),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_flags_are_known_and_nothing_else() {
        let read = |words: &[&str]| read(words.iter().map(OsString::from)).map_err(|fault| fault.to_string());
        assert_eq!(read(&[]), Ok(Invocation::Serve));
        assert_eq!(read(&["--help"]), Ok(Invocation::Help));
        assert_eq!(read(&["-V"]), Ok(Invocation::Version));
        for words in [&["--port", "1"][..], &["serve"], &[""], &["--help", "--port\n"], &["--version=1"]] {
            let line = read(words).unwrap_err();
            assert!(line.starts_with("unknown argument \"") && !line.contains('\n'), "{line}");
        }
    }
}
