//! The order of the Unicode root collation, which the format sorts by.
//!
//! ASCII is ordered exactly: white space, punctuation, symbols, digits, letters without regard to case, then, if
//! all that is equal, lower before upper at the first difference; control characters count for nothing. Accented
//! Latin letters sort with their base letter and after it. Any other character sorts after all of ASCII by its
//! code point, where the full collation may differ (typographic punctuation, above all); that is decided only if
//! texts first differ there.

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

/// What one character contributes at each level of comparison.
#[derive(Clone, Copy)]
struct Weight {
    primary: u32,
    accent: u8,
    upper: bool,
}

fn weight(c: char) -> Option<Weight> {
    if let Ok(byte) = u8::try_from(u32::from(c))
        && let Some(&primary) = ASCII.get(usize::from(byte))
    {
        let weight = Weight { primary: u32::from(primary), accent: 0, upper: c.is_ascii_uppercase() };
        return (primary > 0).then_some(weight);
    }
    if u32::from(c) >= 0x180 {
        return Some(Weight { primary: 0x100 + u32::from(c), accent: 0, upper: false });
    }
    for (base, forms) in ACCENTED {
        if let Some(at) = forms.chars().position(|form| form == c) {
            let half = forms.chars().count().div_ceil(2);
            let accent = u8::try_from(at % half).unwrap_or(u8::MAX).saturating_add(1);
            return weight(base).map(|plain| Weight { accent, upper: c.is_uppercase(), ..plain });
        }
    }
    Some(Weight { primary: 0x100 + u32::from(c), accent: 0, upper: false })
}

/// Orders two texts by the root collation; texts that are equal on every level are ordered by code point, so that
/// only equal texts are equal.
#[must_use]
pub fn collate(a: &str, b: &str) -> Ordering {
    let levels = |text| str::chars(text).filter_map(weight);
    let by = |key: fn(Weight) -> u32| levels(a).map(key).cmp(levels(b).map(key));
    by(|w| w.primary)
        .then_with(|| by(|w| u32::from(w.accent)))
        .then_with(|| by(|w| u32::from(w.upper)))
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
