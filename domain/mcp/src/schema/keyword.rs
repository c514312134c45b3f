//! Where JSON Schema 2020-12 keeps subschemas.

/// What a keyword's value holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// One subschema.
    One,
    /// An array of subschemas.
    List,
    /// An object whose members are subschemas.
    Map,
    /// An object whose members are subschemas or lists of property names.
    MapOrNames,
}

/// How a subschema is used when the one around it is applied to a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    /// Applied to the same value.
    InPlace,
    /// Applied to a member, an item or a name of the value.
    Below,
    /// Not applied by itself, only by reference.
    Defined,
}

/// Keyword, shape of its value, use of the subschemas in it.
///
/// Every other keyword holds data: what looks like a reference or an annotation inside `const`,
/// `enum`, `default` or `examples` is none. `definitions` and `dependencies` are the older
/// spellings that the 2020-12 meta-schema still describes.
const KEYWORDS: [(&str, Shape, Use); 22] = [
    ("$defs", Shape::Map, Use::Defined),
    ("additionalProperties", Shape::One, Use::Below),
    ("allOf", Shape::List, Use::InPlace),
    ("anyOf", Shape::List, Use::InPlace),
    ("contains", Shape::One, Use::Below),
    ("contentSchema", Shape::One, Use::Below),
    ("definitions", Shape::Map, Use::Defined),
    ("dependencies", Shape::MapOrNames, Use::InPlace),
    ("dependentSchemas", Shape::Map, Use::InPlace),
    ("else", Shape::One, Use::InPlace),
    ("if", Shape::One, Use::InPlace),
    ("items", Shape::One, Use::Below),
    ("not", Shape::One, Use::InPlace),
    ("oneOf", Shape::List, Use::InPlace),
    ("patternProperties", Shape::Map, Use::Below),
    ("prefixItems", Shape::List, Use::Below),
    ("properties", Shape::Map, Use::Below),
    ("propertyNames", Shape::One, Use::Below),
    ("then", Shape::One, Use::InPlace),
    ("unevaluatedItems", Shape::One, Use::Below),
    ("unevaluatedProperties", Shape::One, Use::Below),
    ("additionalItems", Shape::One, Use::Below),
];

/// The keyword's own spelling, with shape and use, if it holds subschemas.
pub(super) fn holder(keyword: &str) -> Option<(&'static str, Shape, Use)> {
    KEYWORDS.into_iter().find(|(name, _, _)| *name == keyword)
}
