//! What was read.

use serde_json::{Map, Value};

use super::{beads, items, todos};

/// Most items of one import.
pub const IMPORT_MAX: usize = 5_000;

/// Where the text comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the tool lists all formats in its schema")]
pub enum ImportFormat {
    /// Objects with the fields of items: a JSON array, or one object a line.
    Items,
    /// Task lists in Markdown, or todo files with a JSON head.
    Todos,
    /// The export of the beads tracker: one JSON object a line.
    Beads,
}

impl ImportFormat {
    /// Every format, in the order of the tool's schema.
    pub const ALL: [Self; 3] = [Self::Items, Self::Todos, Self::Beads];

    /// The name that callers use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Items => "items",
            Self::Todos => "todos",
            Self::Beads => "beads",
        }
    }

    /// The format with a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}

/// An edge to another draft, or to an item that exists.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts")]
pub struct DraftEdge {
    /// The reference of the other draft, or an item's id.
    pub to: String,
    /// The kind of edge.
    pub kind: String,
}

/// One item as the text states it.
#[derive(Debug, Clone, PartialEq, Default)]
#[expect(clippy::exhaustive_structs, reason = "plain facts")]
pub struct Draft {
    /// Where it stands in the text, from 1: the line, or the object's number in an array.
    pub place: usize,
    /// What others of the same text call it: its id there.
    pub reference: Option<String>,
    /// The title.
    pub title: String,
    /// The type's name, as the text has it.
    pub type_name: Option<String>,
    /// Further fields by their stored names.
    pub fields: Map<String, Value>,
    /// The body.
    pub body: String,
    /// The reference of its parent, or an item's id.
    pub parent: Option<String>,
    /// Edges.
    pub edges: Vec<DraftEdge>,
    /// Whether it is finished, and why if the text says so.
    pub closed: Option<String>,
}

/// A part of the text that is no item.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts")]
pub struct DraftFault {
    /// Where it stands, as [`Draft::place`].
    pub place: usize,
    /// What is wrong with it.
    pub detail: String,
}

/// All that was read of a text.
#[derive(Debug, Clone, PartialEq, Default)]
#[expect(clippy::exhaustive_structs, reason = "plain facts")]
pub struct Drafts {
    /// The items, parents before their children.
    pub drafts: Vec<Draft>,
    /// What is no item.
    pub faults: Vec<DraftFault>,
}

/// Reads a text.
#[must_use]
pub fn read(format: ImportFormat, text: &str) -> Drafts {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut read = match format {
        ImportFormat::Items => items::read(text),
        ImportFormat::Todos => todos::read(text),
        ImportFormat::Beads => beads::read(text),
    };
    if read.drafts.len() > IMPORT_MAX {
        let place = read.drafts.get(IMPORT_MAX).map_or(0, |draft| draft.place);
        read.drafts.truncate(IMPORT_MAX);
        let detail = format!("more than {IMPORT_MAX} items; import the rest by itself");
        read.faults.push(DraftFault { place, detail });
    }
    read.drafts = parents_first(read.drafts);
    read
}

/// The same drafts with every parent before its children; what is its own ancestor stays where it is.
fn parents_first(drafts: Vec<Draft>) -> Vec<Draft> {
    let is_waiting = |draft: &Draft, left: &[Draft]| {
        let parent = draft.parent.as_deref();
        parent.is_some_and(|parent| left.iter().any(|other| other.reference.as_deref() == Some(parent)))
    };
    let mut left = drafts;
    let mut ordered = Vec::with_capacity(left.len());
    loop {
        let (waiting, ready): (Vec<Draft>, Vec<Draft>) = {
            let known = left.clone();
            left.into_iter().partition(|draft| is_waiting(draft, &known))
        };
        if ready.is_empty() {
            ordered.extend(waiting);
            return ordered;
        }
        ordered.extend(ready);
        left = waiting;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(read: &Drafts) -> Vec<&str> {
        read.drafts.iter().map(|draft| draft.title.as_str()).collect()
    }

    #[test]
    fn parents_come_first_and_rings_end() {
        let text = r#"[{"id": "c", "title": "Child", "parent": "p"}, {"id": "p", "title": "Parent"},
            {"id": "x", "title": "X", "parent": "y"}, {"id": "y", "title": "Y", "parent": "x"}]"#;
        let read = read(ImportFormat::Items, text);
        assert_eq!(titles(&read), ["Parent", "Child", "X", "Y"]);
    }

    #[test]
    fn too_many_are_cut_and_said() {
        let text: String = (0..=IMPORT_MAX).map(|number| format!("- [ ] Thing {number}\n")).collect();
        let read = read(ImportFormat::Todos, &text);
        assert_eq!((read.drafts.len(), read.faults.len()), (IMPORT_MAX, 1));
    }

    #[test]
    fn no_text_of_any_kind_fails_as_a_whole() {
        for text in ["", "\u{feff}", "{", "[1, null, \"x\"]", "---\n---", "\0\n- [", "{\"title\": 1}\n[]\n"] {
            for format in ImportFormat::ALL {
                assert!(read(format, text).drafts.is_empty(), "{text:?}");
            }
        }
    }
}
