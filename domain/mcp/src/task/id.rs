//! The handle of a task.

use alloc::string::String;
use core::fmt;
use core::fmt::Write;

/// Names a task. Whoever knows it and is the task's principal may ask for the task, so it is made of random bytes.
///
/// The text is `task-` and 40 lower-case hexadecimal digits: fit for a file name on every system and for a header.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TaskId(String);

impl TaskId {
    /// How many random bytes an id takes.
    pub const RANDOM_BYTES: usize = 20;

    const PREFIX: &str = "task-";

    /// The id made of these bytes, which must come from a cryptographic source.
    pub fn from_random(bytes: &[u8; Self::RANDOM_BYTES]) -> Self {
        let mut text = String::with_capacity(Self::PREFIX.len() + 2 * bytes.len());
        text.push_str(Self::PREFIX);
        text.push_str(&hexadecimal(bytes));
        Self(text)
    }

    /// Reads an id; `None` for a text that no task has. A peer that sends such a text is told what it would be told of
    /// any other unknown task.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix(Self::PREFIX)?;
        is_hexadecimal(digits, Self::RANDOM_BYTES).then(|| Self(String::from(text)))
    }

    /// The id's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        // Writing to a string cannot fail.
        write!(text, "{byte:02x}").ok();
        text
    })
}

pub(super) fn is_hexadecimal(text: &str, bytes: usize) -> bool {
    text.len() == 2 * bytes && text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn an_id_reads_back_as_itself() {
        let id = TaskId::from_random(&[0xA7; 20]);
        assert_eq!(id.to_string(), "task-a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7");
        assert_eq!(TaskId::parse(id.as_str()), Some(id));
    }

    #[test]
    fn no_other_text_is_an_id() {
        let good = TaskId::from_random(&[0x0f; 20]);
        for text in
            ["", "task-", "t1", "../../etc/passwd", &good.as_str().to_uppercase(), &good.as_str()[..44]]
        {
            assert_eq!(TaskId::parse(text), None, "{text}");
        }
        assert_eq!(TaskId::parse(&(good.to_string() + "0")), None);
    }
}
