//! Task lists in Markdown, and todo files with a JSON head.

use serde_json::{Map, Value};

use super::draft::{Draft, DraftFault, Drafts};
use super::value::{text, texts};

pub(super) fn read(source: &str) -> Drafts {
    if source.trim_start().starts_with('{') { headed(source) } else { lists(source) }
}

/// Task lists: `- [ ] text`. What is indented below an entry belongs to it; other entries below it are its children.
fn lists(source: &str) -> Drafts {
    let mut drafts: Vec<Draft> = Vec::new();
    // The entries that the next line may belong to: their indentation and position.
    let mut above: Vec<(usize, usize)> = Vec::new();
    let mut is_code = false;
    for (at, line) in source.lines().enumerate() {
        if line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~") {
            is_code = !is_code;
        }
        let indent = indentation(line);
        let entry = if is_code { None } else { entry(line) };
        let Some((done, words)) = entry else {
            let is_below = above.last().is_some_and(|(outer, _)| indent > *outer);
            match above.last().and_then(|(_, position)| drafts.get_mut(*position)) {
                Some(owner) if is_below && !line.trim().is_empty() => {
                    if !owner.body.is_empty() {
                        owner.body.push('\n');
                    }
                    owner.body.push_str(line.trim());
                }
                Some(_) if line.trim().is_empty() => {}
                Some(_) | None => above.clear(),
            }
            continue;
        };
        above.retain(|(outer, _)| *outer < indent);
        let parent = above.last().and_then(|(_, position)| drafts.get(*position));
        let parent = parent.and_then(|parent| parent.reference.clone());
        if let Some(mut draft) = named(at + 1, words) {
            draft.reference = Some(format!("line {}", at + 1));
            draft.parent = parent;
            draft.closed = done.then(String::new);
            above.push((indent, drafts.len()));
            drafts.push(draft);
        }
    }
    Drafts { drafts, faults: Vec::new() }
}

/// Columns before the first sign; a tabulator counts as four.
fn indentation(line: &str) -> usize {
    line.chars().take_while(|c| c.is_whitespace()).map(|c| if c == '\t' { 4 } else { 1 }).sum()
}

/// Whether an entry is done, and its words.
fn entry(line: &str) -> Option<(bool, &str)> {
    let line = line.trim_start();
    let after = line.strip_prefix(['-', '*', '+']).or_else(|| {
        let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
        (digits.len() < line.len()).then(|| digits.strip_prefix(['.', ')'])).flatten()
    })?;
    let boxed = after.trim_start().strip_prefix('[')?;
    let (mark, words) = boxed.split_once(']')?;
    match mark {
        " " | "" => Some((false, words.trim())),
        "x" | "X" => Some((true, words.trim())),
        _ => None,
    }
}

/// A title with its `#tags` and its priority `p0` to `p4` taken out of it.
fn named(place: usize, words: &str) -> Option<Draft> {
    let mut tags: Vec<Value> = Vec::new();
    let mut priority = None;
    let mut kept: Vec<&str> = Vec::new();
    for word in words.split_whitespace() {
        let tag = word.strip_prefix('#').filter(|tag| {
            !tag.is_empty() && tag.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '/'))
        });
        // A number behind the sign refers to something elsewhere.
        match tag.filter(|tag| !tag.chars().all(|c| c.is_ascii_digit())) {
            Some(tag) => tags.push(tag.into()),
            None => match level(word) {
                Some(level) => priority = Some(level),
                None => kept.push(word),
            },
        }
    }
    let title = kept.join(" ");
    if title.is_empty() {
        return None;
    }
    let mut fields = Map::new();
    if !tags.is_empty() {
        fields.insert("tags".to_owned(), tags.into());
    }
    if let Some(priority) = priority {
        fields.insert("priority".to_owned(), priority.into());
    }
    Some(Draft { place, title, fields, ..Draft::default() })
}

/// `p1`, `(P1)` or `!p1`.
fn level(word: &str) -> Option<u8> {
    let bare = word.trim_matches(['(', ')', '[', ']', '!']);
    let digit = bare.strip_prefix(['p', 'P'])?;
    digit.parse().ok().filter(|level| digit.len() == 1 && *level <= 4)
}

/// A file whose head is a JSON object and whose rest is the body.
fn headed(source: &str) -> Drafts {
    let mut objects = serde_json::Deserializer::from_str(source).into_iter::<Value>();
    let head = objects.next();
    let end = objects.byte_offset();
    let Some(Ok(Value::Object(members))) = head else {
        return Drafts { faults: vec![fault("the head is no JSON object")], ..Drafts::default() };
    };
    let Some(title) = text(&members, "title") else {
        return Drafts { faults: vec![fault("the head has no `title`")], ..Drafts::default() };
    };
    let mut fields = Map::new();
    let tags = texts(&members, "tags");
    if !tags.is_empty() {
        fields.insert("tags".to_owned(), tags.into());
    }
    let done = text(&members, "status")
        .is_some_and(|status| matches!(status.as_str(), "done" | "closed" | "completed"));
    let draft = Draft {
        place: 1,
        reference: text(&members, "id"),
        title,
        fields,
        body: source.get(end..).unwrap_or_default().trim().to_owned(),
        closed: done.then(String::new),
        ..Draft::default()
    };
    Drafts { drafts: vec![draft], faults: Vec::new() }
}

fn fault(detail: &str) -> DraftFault {
    DraftFault { place: 1, detail: detail.to_owned() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lists_become_items_with_parents_tags_and_priorities() {
        let read = read(
            "# Release\n\nSome words.\n\n- [ ] Ship it (p1) #release\n  More about it.\n  - [x] Build for #12\n  - [ ] Sign\n* [ ] Tell people\nNot a task\n1. [ ] Rest\n```\n- [ ] no task\n```\n- [-] no task either\n",
        );
        let titles: Vec<&str> = read.drafts.iter().map(|draft| draft.title.as_str()).collect();
        assert_eq!(titles, ["Ship it", "Build for #12", "Sign", "Tell people", "Rest"]);
        let ship = &read.drafts[0];
        assert_eq!(Value::Object(ship.fields.clone()), json!({"tags": ["release"], "priority": 1}));
        assert_eq!(ship.body, "More about it.");
        assert_eq!(read.drafts[1].parent, ship.reference);
        assert_eq!(read.drafts[2].parent, ship.reference);
        assert!(read.drafts[1].closed.is_some() && read.drafts[2].closed.is_none());
        assert_eq!(read.drafts[3].parent, None);
    }

    #[test]
    fn a_todo_file_is_one_item() {
        let read = read(
            "{\n  \"id\": \"deadbeef\", \"title\": \"Fix\", \"tags\": [\"qa\"], \"status\": \"done\"\n}\n\nWhy and how.\n",
        );
        let draft = &read.drafts[0];
        assert_eq!((draft.title.as_str(), draft.body.as_str()), ("Fix", "Why and how."));
        assert_eq!(draft.reference.as_deref(), Some("deadbeef"));
        assert!(draft.closed.is_some());
    }
}
