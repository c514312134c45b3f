//! Lists, page by page, as hosts read them at the start.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::Era;
use super::shape;
use crate::finding::Report;
use crate::message::{error_code, error_words, plain, request};
use crate::peer::Peer;

/// Most pages that are read of one list.
const PAGES: usize = 100;

/// A list, the member that holds it and what tells its entries apart.
struct List {
    area: &'static str,
    method: &'static str,
    member: &'static str,
    key: &'static str,
    capability: &'static str,
}

const LISTS: [List; 4] = [
    List { area: "tools", method: "tools/list", member: "tools", key: "name", capability: "tools" },
    List {
        area: "resources",
        method: "resources/list",
        member: "resources",
        key: "uri",
        capability: "resources",
    },
    List {
        area: "templates",
        method: "resources/templates/list",
        member: "resourceTemplates",
        key: "uriTemplate",
        capability: "resources",
    },
    List { area: "prompts", method: "prompts/list", member: "prompts", key: "name", capability: "prompts" },
];

/// Reads every list.
pub(crate) async fn lists(peer: &mut Peer, report: &mut Report, era: Era) {
    let offered = capabilities(peer, era).await;
    for list in &LISTS {
        let is_offered = offered.as_ref().is_none_or(|known| known.get(list.capability).is_some());
        read(peer, report, era, list, is_offered).await;
    }
}

/// What the server says that it offers; `None` where that is not known.
async fn capabilities(peer: &mut Peer, era: Era) -> Option<Value> {
    if era != Era::Present {
        return None;
    }
    let heard = peer.send(&request(10, "server/discover", json!({}))).await.ok()?;
    heard.result(10)?.get("capabilities").cloned()
}

async fn read(peer: &mut Peer, report: &mut Report, era: Era, list: &List, is_offered: bool) {
    let mut entries: Vec<Value> = Vec::new();
    let mut cursors = BTreeSet::new();
    let mut cursor: Option<String> = None;
    let mut pages = 0_usize;
    loop {
        let params = cursor.as_ref().map_or_else(|| json!({}), |cursor| json!({"cursor": cursor}));
        let message = match era {
            Era::Present => request(11, list.method, params),
            Era::Earlier | Era::None => plain(11, list.method, &params),
        };
        let heard = match peer.send(&message).await {
            Ok(heard) => heard,
            Err(error) => {
                return report.wrong(
                    list.area,
                    format!("asked for {}, {error}", list.method),
                    "answer every request",
                );
            }
        };
        let Some(result) = heard.result(11) else {
            let words = heard.error().map_or_else(|| "no answer".to_owned(), error_words);
            let unknown = heard.error().and_then(error_code) == Some(-32601);
            if unknown && (!is_offered || era != Era::Present) {
                return;
            }
            return report.wrong(
                list.area,
                format!("{} fails on page {}: {words}", list.method, pages + 1),
                if unknown {
                    format!("answer {}, or do not offer `{}`", list.method, list.capability)
                } else {
                    "answer with a page".to_owned()
                },
            );
        };
        if pages == 0 && era == Era::Present {
            shape::wrapping(&heard, list.method, report);
            shape::kept_result(result, list.method, report);
        }
        match result.get(list.member).and_then(Value::as_array) {
            Some(page) => entries.extend(page.iter().cloned()),
            None => {
                return report.wrong(
                    list.area,
                    format!("the result of {} has no list `{}`", list.method, list.member),
                    "add the list, if an empty one",
                );
            }
        }
        pages += 1;
        match result.get("nextCursor") {
            None => break,
            Some(Value::String(next)) if cursors.insert(next.clone()) && pages < PAGES => {
                cursor = Some(next.clone());
            }
            Some(Value::String(_)) if pages >= PAGES => {
                report.note(list.area, format!("has more than {PAGES} pages; the rest was not read"));
                break;
            }
            Some(Value::String(_)) => {
                return report.wrong(
                    list.area,
                    format!(
                        "{} gives a cursor again that it gave before: hosts would read for ever",
                        list.method
                    ),
                    "leave `nextCursor` out on the last page",
                );
            }
            Some(Value::Null) => {
                report.wrong(list.area, "`nextCursor` is null on the last page", "leave it out there");
                break;
            }
            Some(_) => {
                return report.wrong(list.area, "`nextCursor` is no text", "make it a text, or leave it out");
            }
        }
    }
    judge(report, list, &entries, pages, is_offered);
}

fn judge(report: &mut Report, list: &List, entries: &[Value], pages: usize, is_offered: bool) {
    let mut names = BTreeSet::new();
    for entry in entries {
        let Some(name) = entry.get(list.key).and_then(Value::as_str) else {
            report.wrong(list.area, format!("an entry has no `{}`", list.key), "give every entry its own");
            continue;
        };
        if !names.insert(name) {
            report.wrong(
                list.area,
                format!("`{name}` is listed twice"),
                "list every entry once, on one page",
            );
        }
        if list.area == "tools" {
            tool(report, name, entry);
        }
        if list.area == "resources" && entry.get("name").and_then(Value::as_str).is_none() {
            report.wrong(list.area, format!("`{name}` has no `name`"), "give every resource a name");
        }
    }
    let in_pages = if pages == 1 { String::new() } else { format!(" on {pages} pages") };
    if !is_offered {
        report.doubtful(
            list.area,
            format!("{} is answered, and `{}` is not offered", list.method, list.capability),
            format!(
                "name `{}` among the capabilities: hosts do not ask for what is not offered",
                list.capability
            ),
        );
    } else if !entries.is_empty() || list.area == "tools" {
        report.fine(list.area, format!("{} listed{in_pages}", entries.len()));
    }
}

/// What hosts and models need of a tool.
fn tool(report: &mut Report, name: &str, tool: &Value) {
    const AREA: &str = "tools";
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    if name.is_empty() || name.len() > 128 || !name.chars().all(plain) {
        report.doubtful(
            AREA,
            format!("the name `{name}` has other characters than A-Z a-z 0-9 _ - . / or is longer than 128"),
            "many hosts refuse such names; rename it",
        );
    } else if name.len() > 64 {
        report.doubtful(
            AREA,
            format!("the name `{name}` is longer than 64"),
            "some models' interfaces refuse it; shorten it",
        );
    }
    if tool.get("description").and_then(Value::as_str).is_none_or(|text| text.trim().is_empty()) {
        report.doubtful(
            AREA,
            format!("`{name}` has no description"),
            "say what it does and when to use it: models choose by it",
        );
    }
    for (member, needed) in [("inputSchema", true), ("outputSchema", false)] {
        match tool.get(member) {
            Some(Value::Object(schema)) => {
                let kind = schema.get("type").and_then(Value::as_str);
                if member == "inputSchema" && kind != Some("object") {
                    report.wrong(
                        AREA,
                        format!("`{member}` of `{name}` does not say \"type\": \"object\""),
                        "arguments are always an object; say so at the top of the schema",
                    );
                }
                if let Some(outside) = outside_reference(&Value::Object(schema.clone())) {
                    report.wrong(
                        AREA,
                        format!("`{member}` of `{name}` refers to {outside}"),
                        "put the definition into the schema: hosts do not fetch references",
                    );
                }
            }
            Some(_) => {
                report.wrong(AREA, format!("`{member}` of `{name}` is no object"), "make it a JSON Schema")
            }
            None if needed => report.wrong(
                AREA,
                format!("`{name}` has no `{member}`"),
                "add one; {\"type\": \"object\"} for no arguments",
            ),
            None => {}
        }
    }
}

/// The first reference that leads out of a schema.
fn outside_reference(schema: &Value) -> Option<String> {
    let mut open = vec![schema];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(members) => {
                if let Some(target) = members.get("$ref").and_then(Value::as_str)
                    && !target.starts_with('#')
                    && target.contains("://")
                {
                    return Some(target.to_owned());
                }
                open.extend(members.values());
            }
            Value::Array(list) => open.extend(list),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    None
}
