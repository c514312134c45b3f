//! Which texts of an item search looks at.

use serde_json::Value;

use super::field::SearchField;
use super::index::SearchIndex;
use crate::Item;

const CRITERIA: [&str; 2] = ["acceptance_criteria", "definition_of_ready"];
const RESULTS: [&str; 4] = ["resolution", "expected_result", "actual_result", "close_reason"];
const LOGS: [&str; 3] = ["comments", "notes", "learnings"];

impl SearchIndex {
    /// Puts an item in; an earlier state of it is replaced.
    pub fn insert_item(&mut self, item: &Item) {
        self.insert(item.id(), texts(item));
    }
}

fn texts(item: &Item) -> Vec<(SearchField, &str)> {
    let mut texts = vec![
        (SearchField::Title, item.title()),
        (SearchField::Description, item.description()),
        (SearchField::Status, item.status()),
        (SearchField::Type, item.type_name()),
        (SearchField::Body, item.body()),
    ];
    texts.extend(item.tags().map(|tag| (SearchField::Tags, tag)));
    for (field, keys) in [(SearchField::Criteria, CRITERIA.as_slice()), (SearchField::Results, &RESULTS)] {
        let values = keys.iter().filter_map(|key| item.field(key));
        texts.extend(values.flat_map(strings).map(|text| (field, text)));
    }
    for list in LOGS {
        let entries = item.records(list).filter_map(|entry| entry.get("text").and_then(Value::as_str));
        texts.extend(entries.map(|text| (SearchField::Logs, text)));
    }
    texts
}

/// A text, or the texts of a list: both forms are found in criteria.
fn strings(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::samples::item;

    #[test]
    fn every_named_part_is_found_and_reported() {
        let mut index = SearchIndex::new();
        index.insert_item(&item(json!({
            "id": "demo-aa11", "title": "wtitle", "description": "wdescription", "type": "Wtype", "status": "wstatus",
            "tags": ["wtag"], "acceptance_criteria": ["wcriteria"], "actual_result": "wresult",
            "comments": [{"text": "wcomment"}], "learnings": [{"text": "wlearning"}], "body": "wbody",
            "reporter": "wreporter",
        })));
        let matched = |query: &str| -> Vec<&str> {
            let hits = index.search(query, |left, right| left.cmp(right));
            hits.iter().flat_map(|hit| hit.matched.iter().map(SearchField::name)).collect()
        };
        for (query, field) in [
            ("aa11", "id"),
            ("wtitle", "title"),
            ("wdescription", "description"),
            ("wtag", "tags"),
            ("wstatus", "status"),
            ("wtype", "type"),
            ("wbody", "body"),
            ("wcriteria", "criteria"),
            ("wresult", "results"),
            ("wcomment", "logs"),
            ("wlearning", "logs"),
        ] {
            assert_eq!(matched(query), [field], "{query}");
        }
        assert!(matched("wreporter").is_empty());
    }
}
