use alloc::{format, string::String, vec::Vec};

use proptest::{prelude::*, test_runner::RngSeed};
use serde_json::{Value, json};

use super::*;

fn filter() -> ParamsDigest {
    ParamsDigest::of_list(&json!({"kind": "open"}))
}

fn scope(filter: &ParamsDigest) -> CursorScope<'_> {
    CursorScope { list: "resources/list", filter, generation: 3, caller: Some("ann") }
}

#[test]
fn a_cursor_fits_only_what_it_was_made_for() {
    let filter = filter();
    let scope = scope(&filter);
    let cursor = Cursor::new(&scope, CursorPosition::After("b".into()));
    assert_eq!(cursor.fits(&scope), Ok(&CursorPosition::After("b".into())));
    let other_filter = ParamsDigest::of_list(&json!({}));
    for (other, refusal) in [
        (CursorScope { list: "tools/list", ..scope }, CursorRefusal::OtherList),
        (CursorScope { list: "resources/lis", ..scope }, CursorRefusal::OtherList),
        (CursorScope { filter: &other_filter, ..scope }, CursorRefusal::OtherFilter),
        (CursorScope { caller: Some("bob"), ..scope }, CursorRefusal::OtherCaller),
        (CursorScope { caller: Some(""), ..scope }, CursorRefusal::OtherCaller),
        (CursorScope { caller: None, ..scope }, CursorRefusal::OtherCaller),
        (CursorScope { generation: 2, ..scope }, CursorRefusal::Stale),
        (CursorScope { generation: 4, ..scope }, CursorRefusal::Stale),
        (CursorScope { caller: None, generation: 4, ..scope }, CursorRefusal::OtherCaller),
    ] {
        assert_eq!(cursor.fits(&other), Err(refusal), "{other:?}");
    }
}

#[test]
fn the_encoded_form_is_fixed_and_small() {
    let filter = filter();
    let bytes = Cursor::new(&scope(&filter), CursorPosition::Offset(258)).encode();
    assert_eq!(bytes.len(), 1 + 14 + 1 + 16 + 16 + 8 + 1 + 8);
    assert_eq!(&bytes[..16], b"\x01resources/list\xFF");
    assert_eq!(&bytes[bytes.len() - 17..], b"\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0\x01\x02");
}

#[test]
fn the_caller_does_not_show_in_the_bytes() {
    let filter = filter();
    let scope = CursorScope { caller: Some("ann@example.com"), ..scope(&filter) };
    let bytes = Cursor::new(&scope, CursorPosition::Offset(0)).encode();
    assert!(!bytes.windows(3).any(|window| window == b"ann"));
}

#[test]
fn other_bytes_are_unreadable() {
    let filter = filter();
    let good = Cursor::new(&scope(&filter), CursorPosition::Offset(1)).encode();
    for length in 0..good.len() {
        assert_eq!(Cursor::decode(&good[..length]), Err(CursorRefusal::Unreadable), "{length}");
    }
    let mut longer = good.clone();
    longer.push(0);
    let mut newer = good.clone();
    newer[0] = 2;
    let mut other_place = good.clone();
    other_place[56] = 9;
    for bytes in [longer, newer, other_place] {
        assert_eq!(Cursor::decode(&bytes), Err(CursorRefusal::Unreadable));
    }
}

#[test]
fn the_peer_is_told_to_start_again() {
    assert!(CURSOR_REFUSED.contains("without a cursor"));
}

#[test]
fn digests_ignore_order_and_attempt() {
    let one: Value =
        serde_json::from_str(r#"{"name": "t", "arguments": {"a": 1, "b": [1, {"x": 2, "y": 3}]}}"#).unwrap();
    let same: Value = serde_json::from_str(
        r#"{"requestState": "s", "inputResponses": {"k": 1}, "arguments": {"b": [1, {"y": 3, "x": 2}], "a": 1},
            "_meta": {"progressToken": 1}, "name": "t"}"#,
    )
    .unwrap();
    assert_eq!(ParamsDigest::of_request(&one), ParamsDigest::of_request(&same));
    for other in [
        json!({"name": "t", "arguments": {"a": 2, "b": [1, {"x": 2, "y": 3}]}}),
        json!({"name": "t", "arguments": {"a": 1, "b": [{"x": 2, "y": 3}, 1]}}),
        json!({"name": "t", "arguments": {"a": 1, "b": [1, {"x": 2, "y": 3}], "_meta": {}}}),
        json!({"name": "t", "arguments": {"a": "1", "b": [1, {"x": 2, "y": 3}]}}),
        json!({"name": "t"}),
        json!(null),
    ] {
        assert_ne!(ParamsDigest::of_request(&one), ParamsDigest::of_request(&other), "{other}");
    }
}

#[test]
fn a_name_and_arguments_have_the_digest_of_the_parameters_that_hold_them() {
    for (name, arguments) in [
        ("t", json!({"a": 1, "b": [1, {"x": 2, "_meta": [null, true, -0.5]}]})),
        ("", json!({})),
        ("Zo\u{eb}", json!(null)),
    ] {
        let whole = ParamsDigest::of_request(&json!({"name": name, "arguments": arguments}));
        assert_eq!(ParamsDigest::of_named(name, &arguments), whole, "{name}");
    }
}

#[test]
fn pages_of_one_list_share_a_digest() {
    let first = ParamsDigest::of_list(&json!({"_meta": {"a": 1}}));
    assert_eq!(first, ParamsDigest::of_list(&json!({"cursor": "x"})));
    assert_ne!(first, filter());
}

#[test]
fn neighbouring_values_do_not_run_together() {
    let values = [
        json!([]),
        json!({}),
        json!([[]]),
        json!([[], []]),
        json!(["ab"]),
        json!(["a", "b"]),
        json!({"a": "b"}),
        json!("0"),
        json!(0),
        json!(null),
        json!(false),
        json!(""),
        json!([null]),
    ];
    for (at, one) in values.iter().enumerate() {
        for other in &values[at + 1..] {
            assert_ne!(ParamsDigest::of_list(one), ParamsDigest::of_list(other), "{one} {other}");
        }
    }
    assert!(format!("{:?}", filter()).starts_with("ParamsDigest("));
}

proptest! {
    #![proptest_config(ProptestConfig {
        rng_seed: RngSeed::Fixed(20_260_728),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_cursor_survives_its_encoding(
        list in any::<String>(),
        generation in any::<u64>(),
        caller in proptest::option::of(any::<String>()),
        place in prop_oneof![
            any::<u64>().prop_map(CursorPosition::Offset),
            any::<String>().prop_map(CursorPosition::After),
        ],
    ) {
        let filter = filter();
        let scope = CursorScope { list: &list, filter: &filter, generation, caller: caller.as_deref() };
        let cursor = Cursor::new(&scope, place.clone());
        let read = Cursor::decode(&cursor.encode());
        prop_assert_eq!(read.as_ref(), Ok(&cursor));
        prop_assert_eq!(cursor.fits(&scope), Ok(&place));
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in any::<Vec<u8>>()) {
        if let Ok(cursor) = Cursor::decode(&bytes) {
            prop_assert_eq!(cursor.encode(), bytes);
        }
    }
}
