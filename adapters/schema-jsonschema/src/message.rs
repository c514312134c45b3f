//! Messages a model can act on, of bounded length.

use std::fmt::{self, Display, Write};

use pm_mcp_domain::schema::nearest_name;
use serde_json::Value;

/// The most bytes of one message or pointer; what is longer ends with `…`.
pub const LONGEST_MESSAGE: usize = 400;

/// Unknown properties named from one object.
pub(crate) const MOST_UNKNOWN: usize = 8;

/// A value stands where the schema allows none.
pub(crate) fn nothing_allowed() -> String {
    "nothing is allowed here; leave it out".into()
}

/// A property has to be there and is not.
pub(crate) fn missing_property(name: &str) -> String {
    bounded(format_args!("missing required property `{name}`"))
}

/// Choices belong to the schema, so they can be told; the instance's own text cannot, but the choice that it resembles can.
pub(crate) fn not_a_choice(instance: &Value, options: &Value) -> String {
    let choices: Vec<&str> = options.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let near = instance.as_str().and_then(|text| nearest_name(text, choices.iter().copied()));
    match near {
        Some(near) => bounded(format_args!(
            "not one of the choices; did you mean `{near}`? all: `{}`",
            choices.join("`, `")
        )),
        None if choices.is_empty() => bounded(format_args!("not one of the choices: {options}")),
        None => bounded(format_args!("not one of the choices: `{}`", choices.join("`, `"))),
    }
}

/// A property that the schema does not know, with the one that may have been meant.
pub(crate) fn unknown_property(name: &str, known: &[&str]) -> String {
    let shown = name.escape_debug();
    match nearest_name(name, known.iter().copied()) {
        Some(near) => bounded(format_args!("unknown argument `{shown}`; did you mean `{near}`?")),
        None if known.is_empty() => {
            bounded(format_args!("unknown argument `{shown}`; there are none here, leave it out"))
        }
        None => {
            let known = known.join("`, `");
            bounded(format_args!("unknown argument `{shown}`; known are `{known}`"))
        }
    }
}

/// `text` in full or its beginning. What does not fit is never produced, however long it is.
pub(crate) fn bounded(text: impl Display) -> String {
    let mut room = Room(String::new());
    if write!(room, "{text}").is_err() {
        room.0.push('…');
    }
    room.0
}

struct Room(String);

impl Write for Room {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let left = LONGEST_MESSAGE - '…'.len_utf8() - self.0.len();
        if text.len() <= left {
            self.0.push_str(text);
            return Ok(());
        }
        let end = text.floor_char_boundary(left);
        self.0.push_str(text.get(..end).unwrap_or_default());
        Err(fmt::Error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_at_a_character() {
        assert_eq!(bounded("short"), "short");
        let fits = "x".repeat(LONGEST_MESSAGE - 3);
        assert_eq!(bounded(&fits), fits);
        for long in ["x".repeat(LONGEST_MESSAGE), "é".repeat(LONGEST_MESSAGE), "🙂".repeat(100_000)] {
            let cut = bounded(&long);
            assert!(cut.len() <= LONGEST_MESSAGE && cut.ends_with('…'), "{}", cut.len());
        }
    }
}
