//! The page that the ratchet reads.

/// A removed or deprecated symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// The text that is looked for, without regard to case.
    pub text: String,
    /// What became of it.
    pub fate: String,
}

/// What the page declares. Places that end with `/` are folders.
#[derive(Debug, Clone, Default)]
pub struct Declaration {
    /// What is looked for.
    pub symbols: Vec<Symbol>,
    /// What is said of the adapter for earlier revisions: name and value.
    pub adapter: Vec<(String, String)>,
    /// Where that adapter and its tests lie.
    pub adapter_places: Vec<String>,
    /// Pages and files that tell of removed symbols.
    pub migration: Vec<String>,
    /// Tests that show that removed symbols are refused. In a source file only its tests are meant.
    pub controls: Vec<String>,
    /// Single lines: the file, and the whole line without the blanks around it.
    pub lines: Vec<(String, String)>,
}

impl Declaration {
    /// Reads the page. Rows of its tables are told apart by the heading above them; cells may be in backticks.
    #[must_use]
    pub fn read(page: &str) -> Self {
        let mut read = Self::default();
        let mut section = String::new();
        let mut in_head = true;
        for line in page.lines() {
            if let Some(heading) = line.strip_prefix("## ") {
                heading.clone_into(&mut section);
                in_head = true;
                continue;
            }
            let Some(row) = line.trim().strip_prefix('|').and_then(|row| row.strip_suffix('|')) else {
                continue;
            };
            if in_head {
                in_head = !row.trim().starts_with("---");
                continue;
            }
            let cells: Vec<String> = row.split(" | ").map(plain).collect();
            if let [first, second, ..] = cells.as_slice() {
                read.take(&section, first.clone(), second.clone());
            }
        }
        read
    }

    fn take(&mut self, section: &str, first: String, second: String) {
        match section {
            "Symbols" => self.symbols.push(Symbol { text: first, fate: second }),
            "The adapter for earlier revisions" => self.adapter.push((first, second)),
            "Where the adapter lies" => self.adapter_places.push(first),
            "Where migration is told" => self.migration.push(first),
            "Negative controls" => self.controls.push(first),
            "Single lines" => self.lines.push((first, second)),
            _ => {}
        }
    }

    /// What is said of the adapter under this name.
    #[must_use]
    pub fn adapter_says(&self, name: &str) -> Option<&str> {
        self.adapter.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

fn plain(cell: &str) -> String {
    let cell = cell.trim();
    cell.strip_prefix('`').and_then(|inner| inner.strip_suffix('`')).unwrap_or(cell).to_owned()
}
