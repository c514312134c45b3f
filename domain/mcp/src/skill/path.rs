//! Where skills and their files stand.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use core::fmt;

use thiserror::Error;

use crate::uri_template::names_drive;
use crate::wire::SKILL_SCHEME;

/// How long a path may be, in bytes.
const LONGEST: usize = 512;

/// Why a text is no path of a skill or of one of its files.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PathFault {
    /// A name is no skill's name.
    #[error(
        "{0:?} is no name of a skill: 1 to 64 lower-case letters, digits and single hyphens between them"
    )]
    Name(String),
    /// A segment is empty, leads elsewhere or holds what a URI segment cannot.
    #[error("{0:?} is no part of a skill's path")]
    Segment(String),
    /// The whole is too long.
    #[error("the path is longer than {LONGEST} bytes")]
    TooLong,
}

/// Where a skill stands among those of a server: its name, with the segments of a prefix before it if it has one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SkillPath(String);

impl SkillPath {
    /// Reads a path such as `refunds` or `billing/refunds`. The last segment is the skill's name; those before it have
    /// letters, digits, `-`, `_` and `.`.
    ///
    /// # Errors
    ///
    /// [`PathFault`] when a segment breaks the rules, or the whole is longer than 512 bytes.
    pub fn parse(path: &str) -> Result<Self, PathFault> {
        if path.len() > LONGEST {
            return Err(PathFault::TooLong);
        }
        let (prefix, name) = path.rsplit_once('/').map_or(("", path), |(prefix, name)| (prefix, name));
        if !is_name(name) {
            return Err(PathFault::Name(name.to_owned()));
        }
        let has_prefix = path.len() > name.len();
        match prefix.split('/').find(|segment| has_prefix && !is_prefix_segment(segment)) {
            Some(segment) => Err(PathFault::Segment(segment.to_owned())),
            None => Ok(Self(path.to_owned())),
        }
    }

    /// The path's text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The skill's name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }

    /// The URI of the skill's folder.
    #[must_use]
    pub fn uri(&self) -> String {
        format!("{SKILL_SCHEME}{}", self.0)
    }

    /// The URI of one of its files.
    #[must_use]
    pub fn file_uri(&self, file: &SkillFilePath) -> String {
        format!("{SKILL_SCHEME}{}/{}", self.0, Encoded(file.as_str()))
    }
}

impl fmt::Display for SkillPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Where a file stands in the folder of its skill, with `/` between folders.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SkillFilePath(String);

impl SkillFilePath {
    /// Reads a path such as `SKILL.md` or `references/FORMS.md`.
    ///
    /// # Errors
    ///
    /// [`PathFault`] when a segment is empty, `.` or `..`, begins as a drive does (`C:`), or holds a backslash or a control
    /// character, or the whole is longer than 512 bytes.
    pub fn parse(path: &str) -> Result<Self, PathFault> {
        if path.len() > LONGEST {
            return Err(PathFault::TooLong);
        }
        match path.split('/').find(|segment| !is_file_segment(segment)) {
            Some(segment) => Err(PathFault::Segment(segment.to_owned())),
            None => Ok(Self(path.to_owned())),
        }
    }

    /// The path's text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What a URI of a skill, of a folder or of a file names: the path after the scheme, decoded once, without any segment
/// that could lead elsewhere. `None` for every other URI.
#[must_use]
pub fn skill_address(uri: &str) -> Option<String> {
    let path = uri.strip_prefix(SKILL_SCHEME)?;
    if path.len() > 4 * LONGEST || path.contains(['?', '#']) {
        return None;
    }
    let mut address = String::with_capacity(path.len());
    for segment in path.split('/') {
        let decoded = crate::uri_template::percent_decode(segment)?;
        if !is_file_segment(&decoded) || decoded.contains('/') {
            return None;
        }
        if !address.is_empty() {
            address.push('/');
        }
        address.push_str(&decoded);
    }
    Some(address)
}

fn is_name(name: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    name.len() <= 64 && name.split('-').all(is_part)
}

fn is_prefix_segment(segment: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    is_file_segment(segment) && segment.bytes().all(allowed)
}

fn is_file_segment(segment: &str) -> bool {
    let leads_elsewhere = segment.is_empty() || segment == "." || segment == ".." || names_drive(segment);
    !leads_elsewhere && !segment.contains('\\') && !segment.chars().any(char::is_control)
}

/// A path in a URI: everything but unreserved characters and slashes is percent-encoded.
struct Encoded<'a>(&'a str);

impl fmt::Display for Encoded<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for byte in self.0.bytes() {
            if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'/') {
                write!(f, "{}", char::from(byte))?;
            } else {
                write!(f, "%{byte:02X}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn a_skill_is_known_by_its_last_segment() {
        for (path, name) in
            [("refunds", "refunds"), ("acme/billing/re-funds2", "re-funds2"), ("A.b_c/x", "x")]
        {
            let parsed = SkillPath::parse(path).unwrap();
            assert_eq!((parsed.as_str(), parsed.name()), (path, name));
            assert_eq!(parsed.uri(), ["skill://", path].concat());
        }
        for path in [
            "",
            "/",
            "a/",
            "/a",
            "a//b",
            "Refunds",
            "-a",
            "a-",
            "a--b",
            "a_b",
            "a b",
            "../a",
            "./a",
            "a b/c",
            "ü",
            "a%2fb/c",
            "a:b/c",
            &"a".repeat(65),
        ] {
            assert!(SkillPath::parse(path).is_err(), "{path}");
        }
        assert_eq!(SkillPath::parse(&"a/".repeat(300)), Err(PathFault::TooLong));
    }

    #[test]
    fn every_file_is_found_again_under_its_uri() {
        let skill = SkillPath::parse("acme/refunds").unwrap();
        for (file, uri) in [
            ("SKILL.md", "skill://acme/refunds/SKILL.md"),
            ("a b/ü?#%.md", "skill://acme/refunds/a%20b/%C3%BC%3F%23%25.md"),
            ("~x/-_.txt", "skill://acme/refunds/~x/-_.txt"),
            ("12:30 1:a.md", "skill://acme/refunds/12%3A30%201%3Aa.md"),
        ] {
            let parsed = SkillFilePath::parse(file).unwrap();
            assert_eq!(skill.file_uri(&parsed), uri);
            // Whatever is listed must also get past the template that reads it.
            let read = crate::uri_template::UriTemplate::parse("skill://{+path}").unwrap().matches(uri);
            assert_eq!(read.unwrap()["path"], ["acme/refunds/", file].concat());
            assert_eq!(skill_address(uri).unwrap(), ["acme/refunds/", file].concat());
        }
        for file in [
            "",
            "/a",
            "a/",
            "a//b",
            "..",
            "a/../b",
            "./a",
            "a\\b",
            "a\nb",
            "C:a.md",
            "a/c:",
            &"a".repeat(513),
        ] {
            assert!(SkillFilePath::parse(file).is_err(), "{file:?}");
        }
    }

    #[test]
    fn no_uri_leads_elsewhere() {
        for uri in [
            "skill://",
            "skill:///a",
            "skill://a/",
            "skill://a//b",
            "skill://a/../b",
            "skill://a/%2e%2e/b",
            "skill://a/%2fetc",
            "skill://a/..%5cb",
            "skill://a/%00",
            "skill://a/C%3Ab",
            "skill://a/c:",
            "skill://a/%zz",
            "skill://a?b",
            "skill://a#b",
            "SKILL://a",
            "file:///a",
            "",
        ] {
            assert_eq!(skill_address(uri), None, "{uri}");
        }
        assert_eq!(skill_address(&["skill://", &"a/".repeat(2_000)].concat()), None);
        assert_eq!(PathFault::TooLong.to_string(), "the path is longer than 512 bytes");
    }
}
