//! The source of the matrix as it is read. Reading refuses nothing: what is missing is found later, all at once.

use serde_json::{Map, Value};

/// What is looked at in each row, in the order of the page.
pub const OUTCOMES: [&str; 9] = [
    "positive",
    "malformed",
    "missing capability",
    "unsupported version",
    "concurrency",
    "disconnect or retry",
    "authorization",
    "bounds",
    "negative control",
];

/// What is said of one outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    /// Tests show it.
    Shown(Vec<String>),
    /// It cannot happen here, and why.
    Inapplicable(String),
    /// It is owed, and what is missing.
    Owed(String),
    /// Nothing is said, or something that is none of these.
    Unclassified,
}

impl Cell {
    fn read(value: Option<&Value>) -> Self {
        match value {
            Some(Value::Array(tests)) if !tests.is_empty() => Self::Shown(texts(tests)),
            Some(Value::String(text)) => match text.split_once(": ") {
                Some(("no", why)) if !why.trim().is_empty() => Self::Inapplicable(why.to_owned()),
                Some(("open", what)) if !what.trim().is_empty() => Self::Owed(what.to_owned()),
                Some(_) | None => Self::Unclassified,
            },
            Some(_) | None => Self::Unclassified,
        }
    }

    /// The tests, if there are any.
    #[must_use]
    pub fn tests(&self) -> &[String] {
        match self {
            Self::Shown(tests) => tests,
            Self::Inapplicable(_) | Self::Owed(_) | Self::Unclassified => &[],
        }
    }
}

/// One change of the revision.
#[derive(Debug, Clone)]
pub struct Row {
    /// Its number in `docs/requirements.json`.
    pub number: String,
    /// The change, in words.
    pub change: String,
    /// The file or folder that decides it.
    pub owner: String,
    /// Where it can be met.
    pub surfaces: Vec<String>,
    /// Whose requests it concerns: current ones, earlier ones.
    pub eras: Vec<String>,
    /// The requirements that belong to it.
    pub requirements: Vec<String>,
    /// What it owes beyond its requirements.
    pub owes: Vec<String>,
    /// What is said of each of [`OUTCOMES`].
    pub outcomes: Vec<(&'static str, Cell)>,
    /// The test with the largest numbers.
    pub scale: Cell,
    /// Names of outcomes that are none of [`OUTCOMES`].
    pub strays: Vec<String>,
}

impl Row {
    fn read(number: &str, row: &Value) -> Self {
        let list =
            |key: &str| row.get(key).and_then(Value::as_array).map(|list| texts(list)).unwrap_or_default();
        let text = |key: &str| row.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let none = Map::new();
        let outcomes = row.get("outcomes").and_then(Value::as_object).unwrap_or(&none);
        let strays = outcomes.keys().filter(|key| !OUTCOMES.contains(&key.as_str()));
        Self {
            number: number.to_owned(),
            change: text("change"),
            owner: text("owner"),
            surfaces: list("surfaces"),
            eras: list("eras"),
            requirements: list("requirements"),
            owes: list("owes"),
            outcomes: OUTCOMES.iter().map(|name| (*name, Cell::read(outcomes.get(*name)))).collect(),
            scale: Cell::read(row.get("scale")),
            strays: strays.cloned().collect(),
        }
    }

    /// Every cell with its name.
    pub fn cells(&self) -> impl Iterator<Item = (&'static str, &Cell)> {
        let outcomes = self.outcomes.iter().map(|(name, cell)| (*name, cell));
        outcomes.chain(std::iter::once(("scale", &self.scale)))
    }
}

/// The whole source.
#[derive(Debug, Clone)]
pub struct Matrix {
    /// The rows by number.
    pub rows: Vec<Row>,
    /// Requirements that show that what is packed and installed behaves like the source.
    pub packed: Vec<String>,
    /// What is said of what has been published.
    pub published: Cell,
}

impl Matrix {
    /// Reads the source.
    ///
    /// # Errors
    ///
    /// When it is no JSON.
    pub fn read(text: &str) -> serde_json::Result<Self> {
        let source: Value = serde_json::from_str(text)?;
        let rows = source.get("rows").and_then(Value::as_object);
        let rows = rows.into_iter().flatten().map(|(number, row)| Row::read(number, row));
        let packed = source.get("packed").and_then(Value::as_array).map(|list| texts(list));
        Ok(Self {
            rows: rows.collect(),
            packed: packed.unwrap_or_default(),
            published: Cell::read(source.get("published")),
        })
    }
}

fn texts(list: &[Value]) -> Vec<String> {
    list.iter().map(|text| text.as_str().unwrap_or_default().to_owned()).collect()
}
