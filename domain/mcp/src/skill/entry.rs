//! One skill.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::{Map, Value};

use super::digest::ContentDigest;
use super::fault::SkillFault;
use super::path::{SkillFilePath, SkillPath};

/// The file that makes a folder a skill.
pub const SKILL_FILE: &str = "SKILL.md";

/// How large a skill may be. The default is what every client has to take ("Limits").
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SkillLimits {
    /// How many files it may have.
    pub files: usize,
    /// How many bytes these may have in all.
    pub bytes: u64,
}

impl Default for SkillLimits {
    fn default() -> Self {
        Self { files: 512, bytes: 16 << 20 }
    }
}

/// A file of a skill, as it is listed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SkillFile {
    /// Where it stands in the skill's folder.
    pub path: SkillFilePath,
    /// The digest of its bytes.
    pub digest: ContentDigest,
    /// How many bytes it has.
    pub size: u64,
}

/// The files of a skill.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SkillFiles {
    /// All of them, ordered by path, `SKILL.md` among them.
    Listed(Vec<SkillFile>),
    /// They are made when they are read, so that nothing lasting can be said of them but where they stand now.
    Dynamic(Vec<SkillFilePath>),
}

/// A skill. What is in it was checked.
#[derive(Clone, PartialEq, Debug)]
pub struct Skill {
    path: SkillPath,
    front_matter: Map<String, Value>,
    files: SkillFiles,
}

impl Skill {
    /// A skill at `path`, with the front matter of its `SKILL.md` and all its files, in any order.
    ///
    /// # Errors
    ///
    /// When the front matter lacks a name or a description, the name is not the folder's, `SKILL.md` is not among the
    /// files, a file is there twice, or there is more than `limits` allow.
    pub fn new(
        path: SkillPath,
        front_matter: Map<String, Value>,
        files: SkillFiles,
        limits: &SkillLimits,
    ) -> Result<Self, SkillFault> {
        let text = |member| match front_matter.get(member) {
            Some(Value::String(text)) if !text.trim().is_empty() => Some(text.as_str()),
            Some(_) | None => None,
        };
        let missing = |member, wanted| SkillFault::Member { member, wanted };
        let name = text("name").ok_or(missing("name", "the name of the folder"))?;
        if name != path.name() {
            return Err(SkillFault::NameMismatch { name: name.to_owned(), folder: path.name().to_owned() });
        }
        let wanted = "1 to 1024 characters that say what the skill does and when to use it";
        if text("description").is_none_or(|text| text.chars().count() > 1024) {
            return Err(missing("description", wanted));
        }
        let files = match files {
            SkillFiles::Dynamic(paths) => SkillFiles::Dynamic(paths),
            SkillFiles::Listed(files) => SkillFiles::Listed(check_files(files, limits)?),
        };
        Ok(Self { path, front_matter, files })
    }

    /// Where the skill stands.
    #[must_use]
    pub fn path(&self) -> &SkillPath {
        &self.path
    }

    /// Everything that its author wrote into the front matter.
    #[must_use]
    pub fn front_matter(&self) -> &Map<String, Value> {
        &self.front_matter
    }

    /// What it does and when to use it.
    #[must_use]
    pub fn description(&self) -> &str {
        self.front_matter.get("description").and_then(Value::as_str).unwrap_or_default()
    }

    /// Its files.
    #[must_use]
    pub fn files(&self) -> &SkillFiles {
        &self.files
    }

    /// Where its files stand, listed or not.
    pub fn paths(&self) -> impl Iterator<Item = &SkillFilePath> {
        let (listed, dynamic): (&[SkillFile], &[SkillFilePath]) = match &self.files {
            SkillFiles::Listed(files) => (files, &[]),
            SkillFiles::Dynamic(paths) => (&[], paths),
        };
        listed.iter().map(|file| &file.path).chain(dynamic)
    }

    /// The listed file at `path`.
    #[must_use]
    pub fn file(&self, path: &str) -> Option<&SkillFile> {
        match &self.files {
            SkillFiles::Listed(files) => files.iter().find(|file| file.path.as_str() == path),
            SkillFiles::Dynamic(_) => None,
        }
    }

    /// Roughly how many tokens a model reads when the skill is loaded: a quarter of the bytes of `SKILL.md`.
    #[must_use]
    pub fn estimated_tokens(&self) -> Option<u64> {
        self.file(SKILL_FILE).map(|file| file.size.div_ceil(4))
    }
}

fn check_files(mut files: Vec<SkillFile>, limits: &SkillLimits) -> Result<Vec<SkillFile>, SkillFault> {
    if files.len() > limits.files {
        return Err(SkillFault::TooManyFiles { limit: limits.files });
    }
    if files.iter().fold(0u64, |sum, file| sum.saturating_add(file.size)) > limits.bytes {
        return Err(SkillFault::TooLarge { limit: limits.bytes });
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    if let Some([_, again]) =
        files.windows(2).find(|pair| matches!(pair, [one, other] if one.path == other.path))
    {
        return Err(SkillFault::Twice(again.path.as_str().to_owned()));
    }
    match files.iter().any(|file| file.path.as_str() == SKILL_FILE) {
        true => Ok(files),
        false => Err(SkillFault::NoSkillFile),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::vec;

    fn file(path: &str, size: u64) -> SkillFile {
        SkillFile { path: SkillFilePath::parse(path).unwrap(), digest: ContentDigest::of(&[]), size }
    }

    fn skill(front_matter: Value, files: Vec<SkillFile>) -> Result<Skill, SkillFault> {
        let Value::Object(front_matter) = front_matter else { panic!("no object") };
        let limits = SkillLimits { files: 3, bytes: 100 };
        let path = SkillPath::parse("acme/refunds").unwrap();
        Skill::new(path, front_matter, SkillFiles::Listed(files), &limits)
    }

    #[test]
    fn a_skill_says_what_it_is_and_has_all_its_files() {
        let whole = json!({"name": "refunds", "description": "Refunds.", "metadata": {"a": [1.5]}});
        let made = skill(whole.clone(), vec![file("b/x", 1), file("SKILL.md", 99)]).unwrap();
        assert_eq!(Value::Object(made.front_matter().clone()), whole);
        assert_eq!(made.file("b/x").map(|file| file.size), Some(1));
        assert_eq!((made.file("b"), made.estimated_tokens()), (None, Some(25)));
        let SkillFiles::Listed(files) = made.files() else { panic!("listed") };
        assert_eq!(files[0].path.as_str(), "SKILL.md");

        let main = || file("SKILL.md", 1);
        let member =
            |member: &str, fault| matches!(fault, Err(SkillFault::Member { member: m, .. }) if m == member);
        for (front_matter, lacks) in [
            (json!({}), "name"),
            (json!({"name": 7, "description": "x"}), "name"),
            (json!({"name": "refunds"}), "description"),
            (json!({"name": "refunds", "description": "  "}), "description"),
            (json!({"name": "refunds", "description": "x".repeat(1025)}), "description"),
        ] {
            assert!(member(lacks, skill(front_matter.clone(), vec![main()])), "{front_matter}");
        }
        let other = json!({"name": "other", "description": "x"});
        let mismatch = SkillFault::NameMismatch { name: "other".into(), folder: "refunds".into() };
        assert_eq!(skill(other, vec![main()]), Err(mismatch));
        for (files, fault) in [
            (vec![], SkillFault::NoSkillFile),
            (vec![file("b/SKILL.md", 1)], SkillFault::NoSkillFile),
            (vec![main(), file("a", 1), file("a", 2)], SkillFault::Twice("a".into())),
            (vec![main(), file("a", 1), file("b", 1), file("c", 1)], SkillFault::TooManyFiles { limit: 3 }),
            (vec![main(), file("a", 100)], SkillFault::TooLarge { limit: 100 }),
            (vec![main(), file("a", u64::MAX)], SkillFault::TooLarge { limit: 100 }),
        ] {
            assert_eq!(skill(whole.clone(), files), Err(fault));
        }
    }

    #[test]
    fn a_digest_is_written_in_lower_case() {
        let written = serde_json::to_value(ContentDigest::of(b"abc")).unwrap();
        assert_eq!(written, "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
