//! Patterns that are compared byte by byte.

use std::iter::Peekable;
use std::str::Chars;

/// The most that the counts of one pattern add up to; the crate refuses patterns that need much memory.
const MOST_COUNTED: usize = 1_000;

/// A pattern that a whole text has to match: sets of ASCII characters, one after the other, each a number of times. A text
/// can be divided among them in one way only, so that one look at each character is enough.
#[derive(Debug)]
pub(super) struct Pattern {
    source: String,
    parts: Vec<Part>,
}

#[derive(Debug)]
struct Part {
    set: Set,
    least: usize,
    most: Option<usize>,
}

/// Of the ASCII characters, the bit of each that is in the set.
#[derive(Clone, Copy, Default, Debug)]
struct Set(u128);

impl Pattern {
    /// Reads a pattern, unless it is more than such sets, is not anchored at both ends, or would need to go back.
    pub(super) fn read(source: &str) -> Option<Self> {
        let mut rest = source.strip_prefix('^')?.strip_suffix('$')?.chars().peekable();
        let mut parts = Vec::new();
        while let Some(first) = rest.next() {
            let set = match first {
                '[' => Set::within_brackets(&mut rest)?,
                '\\' => Set::of_escape(rest.next()?)?,
                '-' => Set::default().with('-'),
                other => Set::of_plain(other).filter(|_| other != '.')?,
            };
            let (least, most) = count(&mut rest)?;
            parts.push(Part { set, least, most });
        }
        let counted: usize = parts.iter().map(|part| part.most.unwrap_or(part.least)).sum();
        let pattern = Self { source: source.to_owned(), parts };
        (counted <= MOST_COUNTED && pattern.never_goes_back()).then_some(pattern)
    }

    /// The pattern as it was written.
    pub(super) fn source(&self) -> &str {
        &self.source
    }

    /// Whether the whole text matches.
    pub(super) fn matches(&self, text: &str) -> bool {
        let mut rest = text.as_bytes();
        for Part { set, least, most } in &self.parts {
            let most = most.unwrap_or(usize::MAX);
            let taken = rest.iter().take(most).take_while(|byte| set.holds(**byte)).count();
            match rest.get(taken..) {
                Some(after) if taken >= *least => rest = after,
                Some(_) | None => return false,
            }
        }
        rest.is_empty()
    }

    /// Whether a part that may take more or less shares no character with what may come right after it, so that taking as
    /// much as there is can never be wrong.
    fn never_goes_back(&self) -> bool {
        self.parts.iter().enumerate().filter(|(_, part)| part.most != Some(part.least)).all(
            |(place, part)| {
                let after = self.parts.get(place + 1..).unwrap_or_default();
                let next =
                    after.iter().position(|part| part.least > 0).map_or(after.len(), |place| place + 1);
                after.iter().take(next).all(|next| part.set.0 & next.set.0 == 0)
            },
        )
    }
}

impl Set {
    fn with(self, character: char) -> Self {
        Self(self.0 | 1_u128.checked_shl(u32::from(character)).unwrap_or(0))
    }

    fn with_all(self, from: char, to: char) -> Self {
        (from..=to).fold(self, Self::with)
    }

    fn holds(self, byte: u8) -> bool {
        byte.is_ascii() && self.0 >> byte & 1 == 1
    }

    /// A character that means itself wherever it stands in a pattern, and a point, which does so within brackets.
    fn of_plain(character: char) -> Option<Self> {
        let is_plain = character.is_ascii_alphanumeric() || " ,./:=@_%".contains(character);
        is_plain.then(|| Self::default().with(character))
    }

    /// What an escape means with the `u` flag of ECMA-262.
    fn of_escape(character: char) -> Option<Self> {
        let digits = Self::default().with_all('0', '9');
        match character {
            'd' => Some(digits),
            'w' => Some(digits.with_all('A', 'Z').with_all('a', 'z').with('_')),
            '.' | '/' => Some(Self::default().with(character)),
            _ => None,
        }
    }

    /// A class, after its opening bracket. A hyphen stands first or last in it, or in a range.
    fn within_brackets(rest: &mut Peekable<Chars<'_>>) -> Option<Self> {
        let mut set = Self::default();
        let mut is_first = true;
        loop {
            let next = rest.next()?;
            let is_last = rest.peek() == Some(&']');
            let more = match next {
                ']' if !is_first => return Some(set),
                '-' if is_first || is_last => Self::default().with('-'),
                '\\' => Self::of_escape(rest.next()?)?,
                first => {
                    let one = Self::of_plain(first)?;
                    let mut beyond = rest.clone();
                    match (beyond.next(), beyond.next()) {
                        (Some('-'), Some(last)) if last != ']' => {
                            let is_range = last.is_ascii_alphanumeric() && first <= last;
                            *rest = beyond;
                            is_range.then(|| Self::default().with_all(first, last))?
                        }
                        _ => one,
                    }
                }
            };
            set = Self(set.0 | more.0);
            is_first = false;
        }
    }
}

/// How often the part before may stand there: at the least, and at the most.
fn count(rest: &mut Peekable<Chars<'_>>) -> Option<(usize, Option<usize>)> {
    let is_count = |next: &char| matches!(next, '?' | '*' | '+' | '{');
    match rest.next_if(is_count) {
        None => Some((1, Some(1))),
        Some('?') => Some((0, Some(1))),
        Some('*') => Some((0, None)),
        Some('+') => Some((1, None)),
        Some(_) => {
            let least = number(rest)?;
            let most = match rest.next()? {
                '}' => return Some((least, Some(least))),
                ',' if rest.next_if_eq(&'}').is_some() => return Some((least, None)),
                ',' => number(rest)?,
                _ => return None,
            };
            (rest.next()? == '}' && least <= most).then_some((least, Some(most)))
        }
    }
}

/// A number of one to four digits.
fn number(rest: &mut Peekable<Chars<'_>>) -> Option<usize> {
    let mut digits = String::new();
    while let Some(digit) = rest.next_if(char::is_ascii_digit).filter(|_| digits.len() < 4) {
        digits.push(digit);
    }
    digits.parse().ok()
}
