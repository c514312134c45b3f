//! A task's id in the few bytes that it is made of.

use std::fmt::Write as _;

use pm_mcp_domain::task::TaskId;

const PREFIX: &str = "task-";

/// What [`Key::file_name`] ends in.
pub(crate) const SUFFIX: &str = ".record";

/// The random bytes of a task's id. They sort like the id's text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Key([u8; TaskId::RANDOM_BYTES]);

impl Key {
    pub(crate) const fn from_bytes(bytes: [u8; TaskId::RANDOM_BYTES]) -> Self {
        Self(bytes)
    }

    pub(crate) fn of(id: &TaskId) -> Self {
        let digits = id.as_str().strip_prefix(PREFIX).unwrap_or_default().as_bytes();
        let mut bytes = [0; TaskId::RANDOM_BYTES];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = pair.iter().fold(0, |value, digit| value << 4 | nibble(*digit));
        }
        Self(bytes)
    }

    pub(crate) fn of_file_name(name: &str) -> Option<Self> {
        TaskId::parse(name.strip_suffix(SUFFIX)?).map(|id| Self::of(&id))
    }

    pub(crate) fn id(self) -> TaskId {
        TaskId::from_random(&self.0)
    }

    pub(crate) const fn bytes(&self) -> &[u8; TaskId::RANDOM_BYTES] {
        &self.0
    }

    /// The name of the record's file. No id has characters that a file name may not have.
    pub(crate) fn file_name(self) -> String {
        let mut name = String::with_capacity(PREFIX.len() + 2 * self.0.len() + SUFFIX.len());
        name.push_str(PREFIX);
        for byte in self.0 {
            // Writing to a string cannot fail.
            write!(name, "{byte:02x}").ok();
        }
        name.push_str(SUFFIX);
        name
    }
}

const fn nibble(digit: u8) -> u8 {
    match digit {
        b'a'..=b'f' => digit - b'a' + 10,
        _ => digit.wrapping_sub(b'0') & 0xF,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_its_id_and_sorts_like_it() {
        let mut bytes = [0; TaskId::RANDOM_BYTES];
        for (place, byte) in (1_u8..).zip(&mut bytes) {
            *byte = place.wrapping_mul(57);
        }
        let id = TaskId::from_random(&bytes);
        let key = Key::of(&id);
        assert_eq!((key.bytes(), key.id()), (&bytes, id.clone()));
        assert_eq!(key.file_name(), format!("{id}.record"));
        assert_eq!(Key::of_file_name(&key.file_name()), Some(key));
        let (low, high) = (TaskId::from_random(&[0x9F; 20]), TaskId::from_random(&[0xA0; 20]));
        assert_eq!(low < high, Key::of(&low) < Key::of(&high));
    }

    #[test]
    fn other_names_are_no_records() {
        for name in
            ["", ".record", "task-00.record", "lock", &format!("{}.tmp", TaskId::from_random(&[1; 20]))]
        {
            assert_eq!(Key::of_file_name(name), None, "{name}");
        }
    }
}
