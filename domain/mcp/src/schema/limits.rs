//! The bounds of a schema and their names.

use core::fmt;

/// How large a schema may be, in each of the ways that cost a validator time, memory or stack.
///
/// The defaults leave room for any schema a person would write and keep a compile within a few
/// milliseconds; raise one by naming it: `SchemaLimits { bytes: 1 << 20, ..Default::default() }`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SchemaLimits {
    /// Length of the schema as compact JSON, in bytes.
    pub bytes: usize,
    /// Number of subschemas, the root included.
    pub subschemas: usize,
    /// Depth of arrays and objects inside one another, the root included.
    pub nesting: usize,
    /// Subschemas on the longest way through references, the first one included. Inside a
    /// recursive group each referenced subschema counts once.
    pub reference_path: usize,
    /// Ways through references and in-place keywords (`allOf`, `anyOf`, `if` …) from any one
    /// subschema: what a validator may have to try on one value.
    pub expansion: usize,
    /// The same when the schema uses `unevaluatedProperties` or `unevaluatedItems`, whose
    /// compilation grows much faster.
    pub unevaluated_expansion: usize,
    /// Values in one `enum`.
    pub enum_values: usize,
    /// Length of one `pattern`, or of one name under `patternProperties`, in bytes.
    pub pattern_bytes: usize,
}

impl Default for SchemaLimits {
    fn default() -> Self {
        Self {
            bytes: 256 * 1024,
            subschemas: 5_000,
            nesting: 64,
            reference_path: 256,
            expansion: 2_000,
            unevaluated_expansion: 256,
            enum_values: 10_000,
            pattern_bytes: 1024,
        }
    }
}

/// The name of one bound of [`SchemaLimits`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaBound {
    /// [`SchemaLimits::bytes`].
    Bytes,
    /// [`SchemaLimits::subschemas`].
    Subschemas,
    /// [`SchemaLimits::nesting`].
    Nesting,
    /// [`SchemaLimits::reference_path`].
    ReferencePath,
    /// [`SchemaLimits::expansion`].
    Expansion,
    /// [`SchemaLimits::unevaluated_expansion`].
    UnevaluatedExpansion,
    /// [`SchemaLimits::enum_values`].
    EnumValues,
    /// [`SchemaLimits::pattern_bytes`].
    PatternBytes,
}

impl SchemaBound {
    /// The value of this bound in `limits`.
    #[must_use]
    pub const fn of(self, limits: &SchemaLimits) -> usize {
        match self {
            Self::Bytes => limits.bytes,
            Self::Subschemas => limits.subschemas,
            Self::Nesting => limits.nesting,
            Self::ReferencePath => limits.reference_path,
            Self::Expansion => limits.expansion,
            Self::UnevaluatedExpansion => limits.unevaluated_expansion,
            Self::EnumValues => limits.enum_values,
            Self::PatternBytes => limits.pattern_bytes,
        }
    }
}

impl fmt::Display for SchemaBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bytes => "bytes of JSON",
            Self::Subschemas => "subschemas",
            Self::Nesting => "levels of nesting",
            Self::ReferencePath => "subschemas on one path through references",
            Self::Expansion => "ways through references and in-place keywords",
            Self::UnevaluatedExpansion => {
                "ways through references and in-place keywords beside an unevaluated keyword"
            }
            Self::EnumValues => "enum values",
            Self::PatternBytes => "bytes in one pattern",
        })
    }
}
