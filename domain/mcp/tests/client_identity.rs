//! What a client says of itself, and the bounds of what is kept of it.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use pm_mcp_domain::request::{
    Binding, ClientInfo, Embedding, Episode, MOST_PROVENANCE_ENTRIES, Verdict, judge,
};
use serde_json::{Value, json};

fn client(added: &Value) -> ClientInfo<'static> {
    let mut info = json!({"name": "demo", "version": "1"});
    info.as_object_mut().unwrap().extend(added.as_object().unwrap().clone());
    let text = json!({"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": info,
    }}})
    .to_string();
    let Verdict::Request(request) = judge(text.as_bytes(), Binding::Stdio) else {
        panic!("what a client adds made a request fail: {added}")
    };
    let client = request.meta.client_info.unwrap();
    assert_eq!(client.clone().into_owned(), client);
    client.into_owned()
}

fn embedding(added: &Value) -> Embedding<'static> {
    client(added).embedding.map(|found| *found).unwrap_or_default()
}

fn episode(value: &Value) -> Option<Episode<'static>> {
    embedding(&json!({"episode": value})).episode
}

fn provenance(entries: &Value) -> Vec<(String, String)> {
    embedding(&json!({"provenance": entries}))
        .provenance
        .iter()
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .collect()
}

#[test]
fn a_client_that_adds_nothing_has_neither_provenance_nor_episode() {
    let client = client(&json!({"title": "Demo", "icons": []}));
    assert_eq!((client.name.as_ref(), client.version.as_ref()), ("demo", "1"));
    assert_eq!(client.embedding, None);
}

#[test]
fn provenance_and_episode_are_kept_within_bounds() {
    let found = embedding(&json!({
        "provenance": {"repository": "demo/app", "branch_1-x": "main", "empty": ""},
        "episode": {"id": "run:2026-07.28_a", "label": "Nightly \u{1F319}", "more": {}},
        "other": {"not": "kept"},
    }));
    assert_eq!(found.provenance.value("repository"), Some("demo/app"));
    assert_eq!(found.provenance.value("branch_1-x"), Some("main"));
    assert_eq!(found.provenance.value("empty"), Some(""));
    assert_eq!(found.provenance.iter().len(), 3);
    let episode = found.episode.unwrap();
    assert_eq!(
        (episode.id.as_ref(), episode.label.as_deref()),
        ("run:2026-07.28_a", Some("Nightly \u{1F319}"))
    );
}

#[test]
fn entries_with_other_keys_are_left_out() {
    let longest = "k".repeat(64);
    assert_eq!(provenance(&json!({ &longest: "v" })), [(longest, "v".to_owned())]);
    let longer = "k".repeat(65);
    for key in ["", "A", "a.b", "a b", "1a", "_a", "-a", "aB", "é", "aé", &longer] {
        let kept = provenance(&json!({ key: "v", "fine": "v" }));
        assert_eq!(kept, [("fine".to_owned(), "v".to_owned())], "{key}");
    }
}

#[test]
fn entries_that_are_no_strings_are_left_out() {
    for value in [json!(null), json!(1), json!(true), json!(["v"]), json!({"v": "v"})] {
        let kept = provenance(&json!({"a": value, "b": "v"}));
        assert_eq!(kept, [("b".to_owned(), "v".to_owned())], "{value}");
        assert_eq!(provenance(&value.clone()).len(), usize::from(value.is_object()), "{value} as the whole");
    }
    assert_eq!(provenance(&json!("text")), []);
}

#[test]
fn values_are_cut_at_256_characters() {
    for character in ["x", "é", "\u{1F319}", "\n"] {
        let at_limit = character.repeat(256);
        for length in [255, 256, 257, 5_000] {
            let kept = provenance(&json!({"a": character.repeat(length)}));
            let wanted = character.repeat(length.min(256));
            assert_eq!(kept[0].1, wanted, "{length} times {character:?}");
            assert!(kept[0].1.len() <= at_limit.len());
        }
    }
}

#[test]
fn the_first_32_fitting_entries_are_kept() {
    let mut entries: Vec<String> = (0..40).map(|number| format!(r#""k{number}":"{number}""#)).collect();
    entries.insert(0, r#""Unfit":"x""#.to_owned());
    entries.insert(1, r#""k0":"first""#.to_owned());
    let text = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{{"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{{}},"io.modelcontextprotocol/clientInfo":{{"name":"demo","version":"1","provenance":{{{}}}}}}}}}}}"#,
        entries.join(",")
    );
    let Verdict::Request(request) = judge(text.as_bytes(), Binding::Stdio) else { panic!("refused") };
    let kept = request.meta.client_info.unwrap().embedding.unwrap().provenance;
    assert_eq!(kept.iter().len(), MOST_PROVENANCE_ENTRIES);
    assert_eq!(kept.value("k0"), Some("first"), "the first of two entries with one key counts");
    assert_eq!((kept.value("k31"), kept.value("k32")), (Some("31"), None));
}

#[test]
fn an_episode_without_a_fitting_id_is_none() {
    let longest = "i".repeat(128);
    let kept = episode(&json!({"id": longest})).unwrap();
    assert_eq!((kept.id.as_ref(), kept.label), (longest.as_str(), None));
    let longer = "i".repeat(129);
    for id in
        [json!(""), json!("a b"), json!("a/b"), json!("é"), json!(longer), json!(7), json!(null), json!({})]
    {
        assert_eq!(episode(&json!({"id": id, "label": "x"})), None, "{id}");
    }
    for value in [json!(null), json!("run-1"), json!([]), json!({}), json!({"label": "x"})] {
        assert_eq!(episode(&value), None, "{value}");
    }
}

#[test]
fn a_label_out_of_bounds_is_left_out_and_the_id_kept() {
    for (label, kept) in [
        (json!("é".repeat(256)), true),
        (json!("é".repeat(257)), false),
        (json!(""), true),
        (json!(7), false),
        (json!(null), false),
    ] {
        let episode = episode(&json!({"id": "run-1", "label": label})).unwrap();
        assert_eq!((episode.id.as_ref(), episode.label.is_some()), ("run-1", kept), "{label}");
    }
}

#[test]
fn no_later_request_inherits_what_an_earlier_one_said() {
    client(&json!({"provenance": {"a": "1"}, "episode": {"id": "run-1"}}));
    assert_eq!(client(&json!({})).embedding, None);
}
