//! The parts of an item that search looks at.

/// One searchable part of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SearchField {
    /// The id. It lifts a hit, but is no text: it counts neither as an occurrence nor towards the length.
    Id,
    /// The title; a hit here is lifted.
    Title,
    /// The description.
    Description,
    /// The tags.
    Tags,
    /// The status id.
    Status,
    /// The type name.
    Type,
    /// The body.
    Body,
    /// Acceptance criteria and definition of ready.
    Criteria,
    /// Resolution, expected and actual result, close reason.
    Results,
    /// Comments, notes and learnings.
    Logs,
}

impl SearchField {
    /// Every field, in the order in which matches are reported.
    pub const ALL: [Self; 10] = [
        Self::Id,
        Self::Title,
        Self::Description,
        Self::Tags,
        Self::Status,
        Self::Type,
        Self::Body,
        Self::Criteria,
        Self::Results,
        Self::Logs,
    ];

    /// The name that results report.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Title => "title",
            Self::Description => "description",
            Self::Tags => "tags",
            Self::Status => "status",
            Self::Type => "type",
            Self::Body => "body",
            Self::Criteria => "criteria",
            Self::Results => "results",
            Self::Logs => "logs",
        }
    }

    const fn bit(self) -> u16 {
        match self {
            Self::Id => 1,
            Self::Title => 1 << 1,
            Self::Description => 1 << 2,
            Self::Tags => 1 << 3,
            Self::Status => 1 << 4,
            Self::Type => 1 << 5,
            Self::Body => 1 << 6,
            Self::Criteria => 1 << 7,
            Self::Results => 1 << 8,
            Self::Logs => 1 << 9,
        }
    }
}

/// A set of fields, two bytes wide because the index keeps one for every posting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FieldSet(u16);

impl FieldSet {
    /// Adds one field.
    pub fn insert(&mut self, field: SearchField) {
        self.0 |= field.bit();
    }

    /// Adds every field of `other`.
    pub fn extend(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// Whether `field` is in the set.
    #[must_use]
    pub const fn contains(self, field: SearchField) -> bool {
        self.0 & field.bit() != 0
    }

    /// The fields in reporting order.
    pub fn iter(self) -> impl Iterator<Item = SearchField> {
        SearchField::ALL.into_iter().filter(move |field| self.contains(*field))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_field_has_its_own_bit() {
        for field in SearchField::ALL {
            let mut set = FieldSet::default();
            set.insert(field);
            assert_eq!(set.iter().collect::<Vec<_>>(), [field]);
        }
    }
}
