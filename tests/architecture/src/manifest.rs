//! `docs/requirements.json` as other pages need it: what is done, what is not, and how much of each.

use serde_json::{Map, Value};

/// The rows by number.
#[derive(Debug, Clone)]
pub struct Manifest {
    rows: Map<String, Value>,
}

impl Manifest {
    /// Reads the manifest.
    ///
    /// # Errors
    ///
    /// When it is no JSON object.
    pub fn read(text: &str) -> serde_json::Result<Self> {
        Ok(Self { rows: serde_json::from_str(text)? })
    }

    fn text(&self, number: &str, key: &str) -> &str {
        self.rows.get(number).and_then(|row| row.get(key)).and_then(Value::as_str).unwrap_or_default()
    }

    /// Every number.
    pub fn numbers(&self) -> impl Iterator<Item = &str> {
        self.rows.keys().map(String::as_str)
    }

    /// Whether the requirement is there.
    #[must_use]
    pub fn has(&self, number: &str) -> bool {
        self.rows.contains_key(number)
    }

    /// Whether it is done.
    #[must_use]
    pub fn is_done(&self, number: &str) -> bool {
        self.text(number, "state") == "done"
    }

    /// Why it is not.
    #[must_use]
    pub fn reason(&self, number: &str) -> &str {
        match self.text(number, "reason") {
            "" => "is no known number",
            reason => reason,
        }
    }

    /// The line at the end of the readme.
    #[must_use]
    pub fn sums(&self) -> String {
        let count = |state: &str| self.numbers().filter(|number| self.text(number, "state") == state).count();
        let (done, open, out) = (count("done"), count("open"), count("out_of_scope"));
        format!(
            "Requirements: {done} done, {open} open, {out} out of scope; \
             [docs/requirements.json](docs/requirements.json) has each with its tests or its reason."
        )
    }
}
