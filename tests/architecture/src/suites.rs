//! The focused suites, `tests/suites.txt`: what each line names has to be there, or a suite would shrink unseen.

use crate::cargo::Member;
use crate::code::code_only;
use crate::fault::Fault;
use crate::tree::Source;

/// What can be run by itself.
pub const SUITES: &[&str] = &[
    "protocol",
    "stateless",
    "interactions",
    "tasks",
    "subscriptions",
    "transport-headers",
    "authorization",
    "streamable-http",
    "deprecations",
];

/// What is wrong with the table `text` of suites, and with the guide that has to name each.
#[must_use]
pub fn faults(
    text: &str,
    guide: &str,
    wanted: &[&str],
    members: &[Member],
    sources: &[Source],
) -> Vec<Fault> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let lines: Vec<(&str, Vec<&str>)> = lines
        .filter_map(|line| line.split_once(' '))
        .map(|(name, rest)| (name, rest.split_whitespace().collect()))
        .collect();
    let mut faults = Vec::new();
    for name in wanted {
        if !lines.iter().any(|(known, _)| known == name) {
            faults.push(Fault::new(*name, "has no line in the table of suites"));
        }
        if !guide.contains(&format!("`{name}`")) {
            faults.push(Fault::new(*name, "is not in the guide"));
        }
    }
    for (name, arguments) in &lines {
        if !wanted.contains(name) {
            faults.push(Fault::new(*name, "is no known suite"));
        }
        if let Err(what) = looked_up(arguments, members, sources) {
            faults.push(Fault::new(*name, format!("`{}`: {what}", arguments.join(" "))));
        }
    }
    faults
}

fn looked_up(arguments: &[&str], members: &[Member], sources: &[Source]) -> Result<(), String> {
    let ["-p", package, rest @ ..] = arguments else {
        return Err("begins with no package".to_owned());
    };
    let member = members.iter().find(|member| member.name == *package).ok_or("there is no such package")?;
    let (prefix, filter) = match rest {
        [] => return Ok(()),
        ["--lib", filter] => (format!("{}/src/", member.folder), *filter),
        ["--test", test] => (format!("{}/tests/{test}", member.folder), ""),
        ["--test", test, filter] => (format!("{}/tests/{test}", member.folder), *filter),
        _ => return Err("has arguments that the table does not know".to_owned()),
    };
    let ends = |source: &&Source| {
        source
            .path
            .strip_prefix(&prefix)
            .is_some_and(|rest| prefix.ends_with('/') || rest.starts_with(['/', '.']))
    };
    let found = sources.iter().filter(ends).any(|source| {
        let path = source.path.strip_prefix(&prefix).unwrap_or_default();
        let code = code_only(&source.text);
        let named = path.contains(filter) || code.contains(&format!("fn {filter}"));
        named && code.contains("test]")
    });
    if found { Ok(()) } else { Err("no test there has such a name".to_owned()) }
}
