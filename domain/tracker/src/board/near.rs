//! Names that somebody may have meant.

/// Most names that an error message offers.
pub const NEAR_MAX: usize = 3;

/// Up to `limit` of `known` that are likely meant by `wanted`, most likely first, then in byte order.
///
/// `shared` is a beginning that all names have, such as the prefix of ids; it is left out of the comparison, so that
/// it cannot make unlike names alike. Letter case does not count. A name is near if a third of the letters differ at
/// most (one always may, three at most), or if it goes on where `wanted` ends.
pub fn near<'k>(
    wanted: &str,
    known: impl IntoIterator<Item = &'k str>,
    shared: &str,
    limit: usize,
) -> Vec<&'k str> {
    let letters = |name: &str| -> Vec<char> {
        let name = name.to_lowercase();
        name.strip_prefix(shared).unwrap_or(&name).chars().take(LETTERS_MAX).collect()
    };
    let wanted = letters(wanted);
    let allowed = (wanted.len() / 3).clamp(1, 3);
    let mut found: Vec<(usize, &'k str)> = Vec::new();
    for name in known {
        let other = letters(name);
        let continued = wanted.len() >= 3 && other.starts_with(&wanted);
        if continued || wanted.len().abs_diff(other.len()) <= allowed {
            let distance =
                if continued && other.len() > wanted.len() { 1 } else { distance(&wanted, &other) };
            if distance <= allowed {
                found.push((distance, name));
            }
        }
    }
    found.sort_unstable();
    found.truncate(limit);
    found.into_iter().map(|(_, name)| name).collect()
}

/// Names are compared up to this length, so that a long input cannot cost much.
const LETTERS_MAX: usize = 64;

/// Letters to insert, remove, change or swap with the next one.
fn distance(left: &[char], right: &[char]) -> usize {
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    let mut above: Option<char> = None;
    for (row, letter) in left.iter().enumerate() {
        let mut current = vec![row + 1];
        let mut beside: Option<char> = None;
        for (column, other) in right.iter().enumerate() {
            let cell = |list: &[usize], at: usize| list.get(at).copied().unwrap_or(usize::MAX / 2);
            let change = cell(&last, column) + usize::from(letter != other);
            let mut best = change.min(cell(&last, column + 1) + 1).min(cell(&current, column) + 1);
            if column > 0 && above == Some(*other) && beside == Some(*letter) {
                best = best.min(cell(&before_last, column - 1) + 1);
            }
            current.push(best);
            beside = Some(*other);
        }
        above = Some(*letter);
        before_last = core::mem::replace(&mut last, current);
    }
    last.last().copied().unwrap_or(left.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance_of(left: &str, right: &str) -> usize {
        distance(&left.chars().collect::<Vec<_>>(), &right.chars().collect::<Vec<_>>())
    }

    #[test]
    fn edits_and_swaps_are_counted() {
        for (left, right, wanted) in
            [("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("kitten", "sitting", 3), ("k3x9", "kx39", 1)]
        {
            assert_eq!(distance_of(left, right), wanted, "{left} {right}");
        }
    }

    #[test]
    fn near_ids_come_nearest_first_and_at_most_three() {
        let ids = ["demo-k3x8", "demo-k3x9", "demo-k39x", "demo-kax9", "demo-zzzz", "demo-k3x9.1"];
        assert_eq!(near("demo-k3x9", ids, "demo-", NEAR_MAX), ["demo-k3x9", "demo-k39x", "demo-k3x8"]);
        assert_eq!(near("DEMO-K3", ids, "demo-", NEAR_MAX), Vec::<&str>::new());
        assert_eq!(near("demo-k3x", ids, "demo-", 9), ["demo-k39x", "demo-k3x8", "demo-k3x9", "demo-k3x9.1"]);
        assert!(near("demo-qqqq", ids, "demo-", 3).is_empty());
    }

    #[test]
    fn near_argument_names_are_found() {
        let known = ["acceptanceCriteria", "addTags", "appendBody"];
        assert_eq!(near("acceptance_criteria", known, "", 3), ["acceptanceCriteria"]);
        assert_eq!(near("addtag", known, "", 3), ["addTags"]);
    }
}
