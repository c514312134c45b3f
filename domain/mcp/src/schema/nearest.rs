//! The known name that an unknown one was probably meant to be.

use alloc::{vec, vec::Vec};

/// Names longer than this are not compared: nobody mistypes by a little what is that long, and
/// the comparison grows with the product of the lengths.
const LONGEST: usize = 64;

/// The name among `known` closest to `unknown`, if it is close enough to be a slip of the hand:
/// at most one change (a character more, less or other, or two neighbours swapped) for every
/// three characters of the longer name. Letter case and `-`, `_` count as nothing.
///
/// Among equally close names the first wins.
///
/// ```
/// use pm_mcp_domain::schema::nearest_name;
///
/// assert_eq!(nearest_name("titel", ["body", "title"]), Some("title"));
/// assert_eq!(nearest_name("weight", ["body", "title"]), None);
/// ```
#[must_use]
pub fn nearest_name<'k>(unknown: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let unknown = folded(unknown)?;
    known
        .into_iter()
        .filter_map(|name| {
            let folded = folded(name)?;
            let changes = changes(&unknown, &folded);
            let most = unknown.len().max(folded.len()) / 3;
            (changes <= most).then_some((changes, name))
        })
        .min_by_key(|(changes, _)| *changes)
        .map(|(_, name)| name)
}

fn folded(name: &str) -> Option<Vec<char>> {
    (name.len() <= LONGEST).then(|| {
        let kept = name.chars().filter(|c| !matches!(c, '-' | '_'));
        kept.flat_map(char::to_lowercase).collect()
    })
}

/// Optimal string alignment distance.
fn changes(from: &[char], to: &[char]) -> usize {
    let mut before_last: Vec<usize> = vec![0; to.len() + 1];
    let mut last: Vec<usize> = (0..=to.len()).collect();
    let mut from_before = None;
    for (row, &a) in from.iter().enumerate() {
        let mut current = Vec::with_capacity(to.len() + 1);
        current.push(row + 1);
        let mut left = row + 1;
        let mut to_before = None;
        for (column, &b) in to.iter().enumerate() {
            let at = |row: &[usize], column: usize| row.get(column).copied().unwrap_or(usize::MAX);
            let changed = at(&last, column) + usize::from(a != b);
            let mut least = changed.min(at(&last, column + 1) + 1).min(left + 1);
            if column > 0 && from_before == Some(b) && to_before == Some(a) {
                least = least.min(at(&before_last, column - 1) + 1);
            }
            current.push(least);
            left = least;
            to_before = Some(b);
        }
        from_before = Some(a);
        before_last = core::mem::replace(&mut last, current);
    }
    last.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_hand_are_recognised() {
        let known = ["title", "description", "parent_id", "is"];
        for (unknown, nearest) in [
            ("titel", Some("title")),
            ("Title", Some("title")),
            ("tittle", Some("title")),
            ("desription", Some("description")),
            ("parentId", Some("parent_id")),
            ("parent-id", Some("parent_id")),
            ("it", None),
            ("status", None),
            ("", None),
        ] {
            assert_eq!(nearest_name(unknown, known), nearest, "{unknown}");
        }
    }

    #[test]
    fn nothing_is_near_when_nothing_is_known() {
        assert_eq!(nearest_name("a", []), None);
    }

    #[test]
    fn very_long_names_are_not_compared() {
        let long = "a".repeat(LONGEST + 1);
        assert_eq!(nearest_name(&long, [long.as_str()]), None);
        let kept = "a".repeat(LONGEST);
        assert_eq!(nearest_name(&kept, [kept.as_str()]), Some(kept.as_str()));
    }

    #[test]
    fn changes_are_counted_like_the_textbook() {
        for (from, to, expected) in
            [("", "", 0), ("", "abc", 3), ("abc", "", 3), ("ca", "ac", 1), ("kitten", "sitting", 3)]
        {
            let of = |text: &str| text.chars().collect::<Vec<_>>();
            assert_eq!(changes(&of(from), &of(to)), expected, "{from} {to}");
        }
    }
}
