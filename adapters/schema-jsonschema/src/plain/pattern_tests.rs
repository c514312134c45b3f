//! Patterns against the crate: same texts, same answers.

use pm_mcp_ports::driven::CompiledSchema as _;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};

use super::pattern::Pattern;
use super::tests::{by_the_crate, checked};

const PATTERNS: usize = 400;
const TEXTS: usize = 40;

fn part() -> impl Strategy<Value = String> {
    let set = prop::sample::select(vec![
        "a",
        "b",
        "0",
        "-",
        "_",
        "/",
        " ",
        "[a-c]",
        "[b-]",
        "[-0-9]",
        "[._-]",
        "[A-Za-z0-9]",
        "[ab]",
        "[\\w-]",
        "[\\d.]",
        "[\\.c]",
        "[_-b]",
        "[-]",
        "\\d",
        "\\w",
        "\\.",
        "\\/",
    ]);
    let count =
        prop::sample::select(vec!["", "", "", "?", "*", "+", "{2}", "{0,2}", "{1,}", "{1,3}", "{0}", "{02}"]);
    (set, count).prop_map(|(set, count)| format!("{set}{count}"))
}

fn pattern() -> impl Strategy<Value = String> {
    prop::collection::vec(part(), 0..4).prop_map(|parts| format!("^{}$", parts.concat()))
}

fn text() -> impl Strategy<Value = String> {
    let character =
        prop::sample::select("aaabbc09-_./ AZ`\\$^\n\u{e9}\u{661}\u{212a}".chars().collect::<Vec<_>>());
    prop::collection::vec(character, 0..6).prop_map(|characters| characters.into_iter().collect())
}

#[test]
fn a_pattern_matches_what_it_matches_in_the_crate() {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[9; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let (mut read, mut matching) = (0_usize, 0_usize);
    for _ in 0..PATTERNS {
        let source = pattern().new_tree(&mut runner).unwrap().current();
        let Some(pattern) = Pattern::read(&source) else { continue };
        let reference = by_the_crate(&checked(&json!({ "pattern": source })));
        for _ in 0..TEXTS {
            let text = text().new_tree(&mut runner).unwrap().current();
            let matches = reference.is_valid(&Value::from(text.as_str()));
            assert_eq!(pattern.matches(&text), matches, "{source} {text:?}");
            matching += usize::from(matches);
        }
        read += 1;
    }
    assert!(
        read > PATTERNS / 2 && matching > PATTERNS,
        "{read} patterns were read, {matching} texts matched"
    );
}

#[test]
fn a_name_of_bounded_length_is_told_from_what_is_none() {
    let pattern = Pattern::read("^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$").unwrap();
    let longest = "x".repeat(128);
    for name in ["a", "_", "-", "a.b", "batch-1_2.3", longest.as_str()] {
        assert!(pattern.matches(name), "{name}");
    }
    let too_long = "x".repeat(129);
    for other in ["", ".a", "a b", "a\n", "\u{e9}", "a\u{e9}", too_long.as_str()] {
        assert!(!pattern.matches(other), "{other:?}");
    }
}

#[test]
fn a_pattern_that_may_mean_more_is_left_to_the_crate() {
    for source in [
        "",
        "a",
        "^a",
        "a$",
        "^a|b$",
        "^(a)$",
        "^(?:a)$",
        "^.$",
        "^[^a]$",
        "^[]$",
        "^[a$",
        "^[b-a]$",
        "^[a-z-9]$",
        "^[\\w-z]$",
        "^[a-\\d]$",
        "^[[:alpha:]]$",
        "^[a&&b]$",
        "^[--a]$",
        "^a**$",
        "^a+?$",
        "^a{2}{3}$",
        "^a{,2}$",
        "^a{2,1}$",
        "^a{99999}$",
        "^a{2$",
        "^\\D$",
        "^\\p{L}$",
        "^\\b$",
        "^a\\$",
        "^{2}$",
        "^*$",
        "^a*a$",
        "^a?[ab]$",
        "^a*b?a$",
        "^a{600}b{600}$",
        "^\u{e9}$",
        "^^a$",
        "^a$$",
    ] {
        assert!(Pattern::read(source).is_none(), "{source}");
    }
}
