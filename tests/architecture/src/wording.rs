//! Words that have no place in the tree: unfinished work, silenced tests, one machine's paths, talk of plans and
//! addresses of package registries.

use crate::code::code_only;
use crate::fault::Fault;
use crate::tree::Source;

/// Where this crate lies: its own texts have to name what they refuse.
const RULES: &str = "tests/architecture/";

/// Where the numbers of requirements belong, beside tests.
const REQUIREMENTS: [&str; 2] = ["docs/conformance-matrix.md", "docs/requirements.json"];

/// Marks of work left for later, as whole words.
const LEFT_FOR_LATER: [&str; 2] = ["TODO", "FIXME"];

/// Code that says that it is not written yet, or a test that does not run.
const UNWRITTEN: [&str; 3] = ["todo!", "unimplemented!", "#[ignore"];

/// Folders of single machines; the project's own files name none.
const MACHINES: [&str; 4] = ["/work/", "/farm/", "/tmp/target", "/root/"];

/// Hosts of package registries, which clients know by themselves.
const REGISTRIES: [&str; 5] = ["crates.io", "npmjs.org", "pypi.org", "pythonhosted.org", "deb.debian.org"];

/// Every refused word in `sources`.
#[must_use]
pub fn faults(sources: &[Source]) -> Vec<Fault> {
    let mut faults = Vec::new();
    for source in sources.iter().filter(|source| !source.path.starts_with(RULES)) {
        unwritten(source, &mut faults);
        let mut in_tests = source.is_test() || REQUIREMENTS.contains(&source.path.as_str());
        for (index, line) in source.text.lines().enumerate() {
            in_tests |= source.is_rust() && line.trim_start().starts_with("#[cfg(test)]");
            let mut say = |what: String| {
                faults.push(Fault::new(format!("{}:{}", source.path, index + 1), what));
            };
            for mark in LEFT_FOR_LATER.iter().filter(|mark| has_word(line, mark)) {
                say(format!("says {mark}; do it, or leave it out"));
            }
            for folder in MACHINES.iter().filter(|folder| starts_a_path(line, folder)) {
                say(format!("names {folder}, a path of one machine"));
            }
            for host in REGISTRIES.iter().filter(|host| line.contains(*host)) {
                say(format!("names {host}, a package registry; clients know where it is"));
            }
            if let Some(talk) = plan_talk(line).filter(|_| !in_tests) {
                say(format!("says `{talk}`, which a reader cannot look up"));
            }
        }
    }
    faults
}

fn unwritten(source: &Source, faults: &mut Vec<Fault>) {
    if !source.is_rust() {
        return;
    }
    for (index, line) in code_only(&source.text).lines().enumerate() {
        for mark in UNWRITTEN.iter().filter(|mark| line.contains(*mark)) {
            faults.push(Fault::new(format!("{}:{}", source.path, index + 1), format!("has `{mark}`")));
        }
    }
}

fn has_word(line: &str, word: &str) -> bool {
    line.split(|next: char| !next.is_alphanumeric() && next != '_').any(|found| found == word)
}

/// Whether an absolute path in `line` starts with `folder`; `{root}/work/` or `a/work/b` do not.
fn starts_a_path(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        let before = line.get(..at).and_then(|before| before.chars().next_back());
        !before.is_some_and(|before| before.is_alphanumeric() || "._-~/}$*".contains(before))
    })
}

/// The first number of an issue, part or requirement in `line`.
fn plan_talk(line: &str) -> Option<String> {
    let words: Vec<&str> = line
        .split(|next: char| !next.is_alphanumeric() && next != '_')
        .filter(|word| !word.is_empty())
        .collect();
    let number = |word: &&str| !word.is_empty() && word.chars().all(|next| next.is_ascii_digit());
    if let Some(found) = words.iter().find(|word| requirement(word)) {
        return Some((*found).to_owned());
    }
    let issue = words.windows(2).find_map(|pair| match pair {
        [word, count] if word.eq_ignore_ascii_case("issue") && number(count) => {
            Some(format!("{word} {count}"))
        }
        _ => None,
    });
    issue.or_else(|| part(line))
}

/// `R` and three digits.
fn requirement(word: &str) -> bool {
    word.strip_prefix('R')
        .is_some_and(|rest| rest.len() == 3 && rest.chars().all(|next| next.is_ascii_digit()))
}

/// A part of a plan: two numbers with "of" between them, in parentheses.
fn part(line: &str) -> Option<String> {
    line.split('(').skip(1).filter_map(|rest| rest.split_once(')')).find_map(|(inside, _)| {
        let (this, all) = inside.split_once(" of ")?;
        let numbers = [this, all].iter().all(|count| count.parse::<u32>().is_ok());
        numbers.then(|| format!("({inside})"))
    })
}
