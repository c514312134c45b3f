//! The collation against a list that a full implementation of the Unicode root collation sorted (ICU 78, Unicode 17).

use pm_tracker_domain::collate;

#[test]
fn random_printable_texts_are_sorted_as_by_a_full_implementation() {
    let expected: Vec<&str> = include_str!("collated.txt").lines().collect();
    let mut sorted = expected.clone();
    sorted.sort_unstable();
    assert_ne!(sorted, expected, "byte order is another order");
    sorted.sort_by(|a, b| collate(a, b));
    assert_eq!((sorted.len(), sorted), (600, expected));
}
