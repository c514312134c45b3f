//! The session file: what is in focus.

use std::{fs, io};

use pm_tracker_domain::Timestamp;
use pm_tracker_ports::WriteError;
use serde_json::{Map, Value};

use super::disk::Disk;

const PATH: &str = "runtime/session.json";

/// Sets or clears the focused item; all other keys stay.
pub(super) fn focus(disk: &Disk, id: Option<&str>, now: Timestamp) -> Result<(), WriteError> {
    let unreadable =
        |detail: &str| WriteError::ReadOnly { detail: format!("`{PATH}` {detail}; mend or remove it") };
    let place = disk.place(PATH)?;
    let mut members: Map<String, Value> = match fs::read_to_string(&place) {
        Ok(text) => match serde_json::from_str(&text) {
            Ok(Value::Object(members)) => members,
            Ok(_) | Err(_) => return Err(unreadable("is not a JSON object")),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Map::new(),
        Err(error) => return Err(unreadable(&error.to_string())),
    };
    match id {
        Some(id) => {
            members.insert("focused_item".to_owned(), id.into());
        }
        None => {
            members.shift_remove("focused_item");
        }
    }
    let text = serde_json::to_string_pretty(&Value::Object(members))
        .map_err(|error| unreadable(&error.to_string()))?;
    disk.replace(PATH, (text + "\n").as_bytes(), now)?;
    Ok(())
}
