//! Front matter, from YAML to JSON.

use pm_mcp_domain::skill::{SkillFault, front_matter};
use serde_json::{Map, Value};
use serde_saphyr::options::DuplicateKeyPolicy;

/// The front matter of a `SKILL.md` as a JSON object. Booleans and numbers are those of YAML 1.2, as clients read them;
/// aliases are bounded, keys must not repeat.
pub(crate) fn read(text: &str) -> Result<Map<String, Value>, SkillFault> {
    let head = front_matter(text)?;
    let options = serde_saphyr::options! {
        strict_booleans: true,
        underscored_numbers_as_strings: true,
        duplicate_keys: DuplicateKeyPolicy::Error,
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: 1_000 },
        budget: serde_saphyr::budget! { max_depth: 64, max_nodes: 10_000, max_documents: 1 },
    };
    match serde_saphyr::from_str_with_options::<Value>(head, options) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Err(SkillFault::FrontMatter("it is no mapping".to_owned())),
        Err(fault) => {
            let said = fault.to_string();
            let first = said.lines().next().unwrap_or_default();
            Err(SkillFault::FrontMatter(first.chars().take(200).collect()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(head: &str) -> Result<Value, SkillFault> {
        read(&format!("---\n{head}\n---\n# Body\n")).map(Value::Object)
    }

    #[test]
    fn front_matter_is_passed_on_as_it_was_written() {
        for (head, wanted) in [
            ("name: a", json!({"name": "a"})),
            ("yes: no\non: off", json!({"yes": "no", "on": "off"})),
            ("a: 1\nb: 1.50\nc: '1'\nd: 1_000", json!({"a": 1, "b": 1.5, "c": "1", "d": "1_000"})),
            (
                "a: true\nb: False\nc: null\nd: ~\ne:",
                json!({"a": true, "b": false, "c": null, "d": null, "e": null}),
            ),
            ("a: 2026-07-28\nb: 1.2.3", json!({"a": "2026-07-28", "b": "1.2.3"})),
            ("a: [1, {b: c}]\nd:\n  - e\n  - f: g", json!({"a": [1, {"b": "c"}], "d": ["e", {"f": "g"}]})),
            ("a: >\n  one\n  two\nb: |\n  one\n  two", json!({"a": "one two\n", "b": "one\ntwo\n"})),
            ("a: \"x: y # z\" # a comment", json!({"a": "x: y # z"})),
            ("allowed-tools: Bash(git:*) Read", json!({"allowed-tools": "Bash(git:*) Read"})),
        ] {
            assert_eq!(of(head), Ok(wanted), "{head}");
        }
    }

    #[test]
    fn what_is_no_mapping_or_grows_without_end_is_refused() {
        let bomb = {
            let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
            for level in 1..12 {
                let before = level - 1;
                let aliases = vec![format!("*a{before}"); 10].join(", ");
                text.push_str(&format!("a{level}: &a{level} [{aliases}]\n"));
            }
            text
        };
        for head in
            ["- a", "just words", "7", "a: b: c", "a: [1", "a: 1\na: 2", "a: *none", "a: 1\n---\nb: 2", &bomb]
        {
            let refused = match of(head) {
                // A second line of hyphens ends the front matter; what follows is the body.
                Ok(found) => found == json!({"a": 1}),
                Err(SkillFault::FrontMatter(words)) => !words.is_empty() && words.chars().count() <= 200,
                Err(_) => false,
            };
            assert!(refused, "{:.80}: {:?}", head, of(head).map(|value| value.to_string().len()));
        }
    }
}
