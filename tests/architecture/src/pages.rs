//! What people read: no link leads nowhere, every page is reached from the index, no example goes untried, and no test
//! is named that is not there.

use std::collections::BTreeSet;

use crate::fault::Fault;
use crate::tests::Tests;
use crate::tree::Source;

/// The page that all others are reached from.
const INDEX: &str = "docs/README.md";

/// Code that is no program: forms of data, what is typed into a shell, what comes back, files of other programs.
const NO_PROGRAM: [&str; 9] = ["json", "toml", "yaml", "ini", "nginx", "sh", "console", "text", "http"];

/// The pages among `sources`: those of the folder, and those at the top of the tree.
fn pages(sources: &[Source]) -> impl Iterator<Item = &Source> {
    sources.iter().filter(|source| {
        let inside = source.path.starts_with("docs/") || !source.path.contains('/');
        inside && source.path.ends_with(".md")
    })
}

/// Links to files, folders and headings that are not there. `is_place` says which paths are.
pub fn dead_links(sources: &[Source], is_place: impl Fn(&str) -> bool) -> Vec<Fault> {
    let mut faults = Vec::new();
    for page in pages(sources) {
        for target in links(&page.text) {
            let (path, heading) = target.split_once('#').unwrap_or((target, ""));
            let path = resolved(&page.path, path);
            if !is_place(&path) {
                faults.push(Fault::new(&page.path, format!("links `{target}`, which is not there")));
                continue;
            }
            let linked = sources.iter().find(|source| source.path == path);
            if !heading.is_empty() && !linked.is_some_and(|page| has_heading(&page.text, heading)) {
                faults.push(Fault::new(&page.path, format!("links `{target}`, which has no such heading")));
            }
        }
    }
    faults
}

/// Pages that nobody finds: not linked from the index, or from the index of their folder.
#[must_use]
pub fn unlinked(sources: &[Source]) -> Vec<Fault> {
    let mut reached = BTreeSet::new();
    for index in
        sources.iter().filter(|page| page.path.starts_with("docs/") && page.path.ends_with("/README.md"))
    {
        let links = links(&index.text).map(|link| link.split('#').next().unwrap_or_default());
        reached.extend(links.map(|link| resolved(&index.path, link)));
    }
    let lost = pages(sources).filter(|page| page.path.starts_with("docs/") && page.path != INDEX);
    let lost = lost.filter(|page| !reached.contains(&page.path));
    lost.map(|page| Fault::new(&page.path, format!("is not linked from {INDEX} or the index of its folder")))
        .collect()
}

/// Examples that no test compiles: they have to stand in a page that is included as documentation, or be a part of a
/// source file to the letter, but for indentation.
#[must_use]
pub fn untried_code(sources: &[Source]) -> Vec<Fault> {
    let rust: Vec<(&Source, String)> = sources
        .iter()
        .filter(|source| source.is_rust())
        .map(|source| (source, squeezed(&source.text)))
        .collect();
    let mut faults = Vec::new();
    for page in pages(sources) {
        let name = page.path.rsplit('/').next().unwrap_or_default();
        let inclusion = format!("{name}\")]");
        let is_included = rust.iter().any(|(source, _)| {
            source
                .text
                .lines()
                .any(|line| line.contains("#[doc = include_str!(") && line.contains(&inclusion))
        });
        for (line, tag, code) in blocks(&page.text) {
            let place = format!("{}:{line}", page.path);
            let mut words = tag.split(',');
            match words.next().unwrap_or_default() {
                "rust" if words.any(|word| word == "ignore") => {
                    faults.push(Fault::new(place, "is Rust that is ignored; have it compiled"));
                }
                "rust" if is_included => {}
                "rust" => {
                    let code = squeezed(&code);
                    if !rust.iter().any(|(_, text)| text.contains(&code)) {
                        faults.push(Fault::new(
                            place,
                            "is Rust that no test compiles; quote a source file, or include the page",
                        ));
                    }
                }
                "" => faults.push(Fault::new(place, "has no language; say sh, console, text …")),
                other if NO_PROGRAM.contains(&other) => {}
                other => faults.push(Fault::new(place, format!("is `{other}`, which nobody tries"))),
            }
        }
    }
    faults
}

/// Tests that pages name in backticks, as `PACKAGE::NAME`, and that are not there.
#[must_use]
pub fn unknown_tests(sources: &[Source], tests: &Tests<'_>) -> Vec<Fault> {
    let mut faults = Vec::new();
    for page in pages(sources) {
        for named in page.text.split('`').skip(1).step_by(2).filter(|named| names_a_test(named)) {
            if !tests.has(named) {
                faults.push(Fault::new(&page.path, format!("names the test `{named}`, which is not there")));
            }
        }
    }
    faults
}

/// Words in code that look as if somebody could use them somewhere: long, and of letters of both cases with digits.
#[must_use]
pub fn credentials(sources: &[Source]) -> Vec<Fault> {
    let mut faults = Vec::new();
    for page in pages(sources) {
        for (line, _, code) in blocks(&page.text) {
            let words = code.split(|next: char| !next.is_ascii_alphanumeric() && !"+/=_-".contains(next));
            for word in words.filter(|word| looks_secret(word)) {
                let place = format!("{}:{line}", page.path);
                faults.push(Fault::new(place, format!("shows `{word}`, which looks like a credential")));
            }
        }
    }
    faults
}

fn looks_secret(word: &str) -> bool {
    let has = |kind: fn(&char) -> bool| word.chars().filter(kind).count() >= 3;
    let mixed = has(char::is_ascii_uppercase) && has(char::is_ascii_lowercase) && has(char::is_ascii_digit);
    word.starts_with("eyJ") || (word.len() >= 20 && mixed && !word.contains("//"))
}

/// A package has hyphens, and nothing else that stands before `::` has.
fn names_a_test(text: &str) -> bool {
    text.split_once("::").is_some_and(|(package, name)| {
        package.starts_with("pm-") && !name.is_empty() && !package.contains(char::is_whitespace)
    })
}

/// Targets of the links of a page, without those to other sites and those in code.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    let lines = text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        in_code ^= fence;
        !in_code && !fence
    });
    let links = lines.flat_map(|line| line.split("](").skip(1).filter_map(|rest| rest.split(')').next()));
    links.filter(|link| !link.contains("://") && !link.starts_with("mailto:"))
}

/// The path that a link of `page` leads to, from the root of the tree.
fn resolved(page: &str, link: &str) -> String {
    if link.is_empty() {
        return page.to_owned();
    }
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Whether a heading of `text` has this anchor.
fn has_heading(text: &str, anchor: &str) -> bool {
    let headings = text.lines().filter_map(|line| line.strip_prefix('#'));
    headings.map(|heading| slug(heading.trim_start_matches('#').trim())).any(|heading| heading == anchor)
}

/// The anchor that readers of Markdown give a heading.
fn slug(heading: &str) -> String {
    let kept = heading.chars().filter(|next| next.is_alphanumeric() || " -_".contains(*next));
    kept.flat_map(char::to_lowercase).map(|next| if next == ' ' { '-' } else { next }).collect()
}

/// The blocks of code of a page: line, tag, text without the lines that documentation hides.
fn blocks(text: &str) -> Vec<(usize, String, String)> {
    let mut found = Vec::new();
    let mut open: Option<(usize, String, String)> = None;
    for (index, line) in text.lines().enumerate() {
        let fence = line.trim_start().strip_prefix("```");
        open = match (open, fence) {
            (None, Some(tag)) => Some((index + 1, tag.trim().to_owned(), String::new())),
            (None, None) => None,
            (Some(block), Some(_)) => {
                found.push(block);
                None
            }
            (Some((start, tag, code)), None) => Some((start, tag, code + line + "\n")),
        };
    }
    found.extend(open);
    found
}

/// Lines without the blanks around them and the slashes of documentation, without empty and hidden ones.
fn squeezed(text: &str) -> String {
    let lines = text.lines().map(|line| line.trim().trim_start_matches(['/', '!', ' ']));
    lines
        .filter(|line| !line.is_empty() && *line != "#" && !line.starts_with("# "))
        .collect::<Vec<_>>()
        .join("\n")
}
