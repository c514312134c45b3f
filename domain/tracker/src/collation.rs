//! The order of the Unicode root collation, which the format sorts by.
//!
//! ASCII is ordered exactly: white space, punctuation, symbols, digits, letters without regard to case, then, if
//! all that is equal, lower before upper at the first difference; control characters count for nothing. Accented
//! Latin letters sort with their base letter and after it, and the usual typographic marks at their place. Any other
//! character sorts after all of these by its code point, where the full collation may differ; that matters only to
//! texts that first differ there.

use core::cmp::Ordering;

/// Every printable ASCII character and the white space before it that has a weight, lowest first; letters follow.
const BEFORE_LETTERS: &str = "\t\n\u{b}\u{c}\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789";

/// First letter, its accented forms in the Latin-1 and Latin Extended-A blocks.
const ACCENTED: [(char, &str); 19] = [
    ('a', "áàăâåäãąāÁÀĂÂÅÄÃĄĀ"),
    ('c', "ćĉčċçĆĈČĊÇ"),
    ('d', "ďĎ"),
    ('e', "éèĕêěëėęēÉÈĔÊĚËĖĘĒ"),
    ('g', "ğĝġģĞĜĠĢ"),
    ('h', "ĥĤ"),
    ('i', "íìĭîïĩįīÍÌĬÎÏĨİĮĪ"),
    ('j', "ĵĴ"),
    ('k', "ķĶ"),
    ('l', "ĺľļĹĽĻ"),
    ('n', "ńňñņŃŇÑŅ"),
    ('o', "óòŏôöőõøōÓÒŎÔÖŐÕØŌ"),
    ('r', "ŕřŗŔŘŖ"),
    ('s', "śŝšşŚŜŠŞ"),
    ('t', "ťţŤŢ"),
    ('u', "úùŭûůüűũųūÚÙŬÛŮÜŰŨŲŪ"),
    ('w', "ŵŴ"),
    ('y', "ýŷÿÝŶŸ"),
    ('z', "źžżŹŽŻ"),
];

#[expect(clippy::indexing_slicing, reason = "evaluated while compiling, on constants")]
const fn ascii_weights() -> [u8; 128] {
    let mut table = [0; 128];
    let order = BEFORE_LETTERS.as_bytes();
    let mut at: u8 = 0;
    while (at as usize) < order.len() {
        table[order[at as usize] as usize] = at + 1;
        at += 1;
    }
    let mut letter: u8 = 0;
    while letter < 26 {
        table[(b'a' + letter) as usize] = at + 1 + letter;
        table[(b'A' + letter) as usize] = at + 1 + letter;
        letter += 1;
    }
    table
}

const ASCII: [u8; 128] = ascii_weights();

/// Marks beyond ASCII that sort directly after an ASCII character.
const MARKS: [(char, &str); 10] = [
    ('-', "–—"),
    ('.', "·"),
    ('\'', "‘’"),
    ('"', "“”«»"),
    ('}', "§"),
    ('%', "•"),
    ('^', "°←→"),
    ('+', "±×"),
    ('~', "≈≤≥⚠✅✓❌"),
    ('$', "£€"),
];

/// What one character contributes at each level of comparison.
#[derive(Clone, Copy)]
struct Weight {
    primary: u32,
    accent: u8,
    variant: u8,
}

/// Room between the weights of two ASCII characters, for marks.
const STEP: u32 = 16;

fn weight(c: char) -> Option<Weight> {
    if let Some(&primary) = usize::try_from(u32::from(c)).ok().and_then(|at| ASCII.get(at)) {
        let variant = u8::from(c.is_ascii_uppercase());
        return (primary > 0).then_some(Weight { primary: u32::from(primary) * STEP, accent: 0, variant });
    }
    if u32::from(c) < 0x180 {
        for (base, forms) in ACCENTED {
            if let Some(at) = forms.chars().position(|form| form == c) {
                let half = forms.chars().count().div_ceil(2);
                let accent = u8::try_from(at % half).unwrap_or(u8::MAX).saturating_add(1);
                let variant = u8::from(c.is_uppercase());
                return weight(base).map(|plain| Weight { accent, variant, ..plain });
            }
        }
    }
    for (before, marks) in MARKS {
        if let Some(at) = marks.chars().position(|mark| mark == c) {
            let place = u32::try_from(at).unwrap_or_default() + 1;
            return weight(before).map(|plain| Weight { primary: plain.primary + place, ..plain });
        }
    }
    Some(Weight { primary: 0x1000 + u32::from(c), accent: 0, variant: 0 })
}

/// The weights of a text. An ellipsis counts as three dots, a blank that does not break as a blank; both come after
/// what they stand for.
fn weights(text: &str) -> impl Iterator<Item = Weight> {
    text.chars().flat_map(|c| {
        let (stands_for, times) = match c {
            '…' => ('.', 3),
            '\u{a0}' => (' ', 1),
            other => (other, 1),
        };
        let variant = u8::from(stands_for != c);
        let weight =
            weight(stands_for).map(|weight| Weight { variant: weight.variant.max(variant), ..weight });
        core::iter::repeat_n(weight, times).flatten()
    })
}

/// Orders two texts by the root collation; texts that are equal on every level are ordered by code point, so that
/// only equal texts are equal.
#[must_use]
pub fn collate(a: &str, b: &str) -> Ordering {
    let by = |key: fn(Weight) -> u32| weights(a).map(key).cmp(weights(b).map(key));
    by(|w| w.primary)
        .then_with(|| by(|w| u32::from(w.accent)))
        .then_with(|| by(|w| u32::from(w.variant)))
        .then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_of_the_format_stays_in_order() {
        let sample = ["a_b", "a-b", "a.b", "a/b", "a1", "aa", "AA", "ab", "Ab", "b"];
        let mut sorted = sample;
        sorted.sort_by(|a, b| collate(a, b));
        assert_eq!(sorted, sample);
        sorted.sort_unstable();
        assert_ne!(sorted, sample, "byte order is another order");
    }

    #[test]
    fn every_printable_character_has_its_own_place() {
        let mut places: Vec<_> =
            (b' '..=b'~').map(|byte| (ASCII[usize::from(byte)], byte.is_ascii_uppercase())).collect();
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), 95);
        assert!(places.iter().all(|(place, _)| *place > 0));
    }

    #[test]
    fn accents_decide_after_letters_and_before_case() {
        for (a, b) in
            [("e", "é"), ("é", "f"), ("E", "é"), ("éa", "eb"), ("z", "я"), ("a", "ab"), ("a\u{1}", "ab")]
        {
            assert_eq!(collate(a, b), Ordering::Less, "{a} {b}");
            assert_eq!(collate(b, a), Ordering::Greater, "{b} {a}");
        }
    }
}
