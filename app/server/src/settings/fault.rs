//! What is wrong with a setting.

use thiserror::Error;

/// Most characters of a wrong value that are shown.
const SHOWN: usize = 80;

/// Why the server does not start: the setting, what is wrong with it, and what would be right. One line, and never
/// the value of a secret.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{name}: {fault}; {advice}")]
pub struct SettingFault {
    name: String,
    fault: String,
    advice: String,
}

impl SettingFault {
    /// A fault of the setting `name`, with what to do about it. `fault` must not hold the value of a secret.
    pub fn new(name: &str, fault: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { name: name.escape_debug().to_string(), fault: fault.into(), advice: advice.into() }
    }

    /// The setting.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// A value in quotes, on one line and cut if it is long.
pub(super) fn shown(value: &str) -> String {
    match value.char_indices().nth(SHOWN) {
        None => format!("{value:?}"),
        Some((end, _)) => format!("{:?} and so on", value.get(..end).unwrap_or_default()),
    }
}
