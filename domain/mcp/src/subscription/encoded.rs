//! One serialisation for every stream.

use alloc::boxed::Box;

use super::change::Change;
use super::wire;

/// A change as a notification with a gap where the id of the subscription goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EncodedChange {
    text: Box<str>,
    gap: usize,
}

impl EncodedChange {
    /// Serialises `change`.
    pub fn new(change: &Change) -> Self {
        let (text, gap) = wire::change(change);
        Self { text: text.into_boxed_str(), gap }
    }

    /// What precedes the id.
    pub fn prefix(&self) -> &str {
        self.text.get(..self.gap).unwrap_or_default()
    }

    /// What follows the id.
    pub fn suffix(&self) -> &str {
        self.text.get(self.gap..).unwrap_or_default()
    }

    /// How many bytes it takes, without an id.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// Whether there is nothing to send; never so for a change.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}
