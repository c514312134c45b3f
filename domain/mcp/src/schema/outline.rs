//! The subschemas of a schema, listed by one iterative walk.

use alloc::{string::String, vec::Vec};

use serde_json::{Map, Value};

use super::{
    DIALECT, excerpt,
    fault::SchemaFault,
    keyword::{Shape, Use, holder},
    limits::{SchemaBound, SchemaLimits},
    measure::{push_index, push_name},
};

/// The way from a subschema's parent to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step<'a> {
    /// The root has no parent.
    Root,
    /// The keyword's value is the subschema.
    Keyword(&'static str),
    /// A named member of the keyword's value.
    Member(&'static str, &'a str),
    /// A numbered item of the keyword's value.
    Item(&'static str, usize),
}

/// One subschema and the way to it.
#[derive(Debug)]
pub(crate) struct Subschema<'a> {
    pub(crate) value: &'a Value,
    pub(crate) parent: usize,
    pub(crate) step: Step<'a>,
    pub(super) role: Use,
}

/// All subschemas of a schema, parents before children; the first is the root.
#[derive(Debug)]
pub(crate) struct Outline<'a> {
    subschemas: Vec<Subschema<'a>>,
    pub(super) has_unevaluated: bool,
}

impl<'a> Outline<'a> {
    /// Lists the subschemas of `root`, which must have been measured.
    ///
    /// Shapes of the keywords that hold subschemas, dialect, identifiers, `enum` and pattern
    /// sizes are checked on the way; references are not followed.
    pub(crate) fn of(root: &'a Value, limits: &SchemaLimits) -> Result<Self, SchemaFault> {
        let first = Subschema { value: root, parent: 0, step: Step::Root, role: Use::Defined };
        let mut outline = Self { subschemas: Vec::from([first]), has_unevaluated: false };
        let mut index = 0;
        while let Some(subschema) = outline.subschemas.get(index) {
            match subschema.value {
                Value::Bool(_) => {}
                Value::Object(members) => outline.enter(index, members, limits)?,
                Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                    return Err(SchemaFault::Malformed {
                        pointer: excerpt(&outline.pointer(index)),
                        expected: "a schema: an object, true or false",
                    });
                }
            }
            index += 1;
        }
        Ok(outline)
    }

    /// The subschemas, parents before children.
    pub(crate) fn subschemas(&self) -> &[Subschema<'a>] {
        &self.subschemas
    }

    /// The JSON Pointer of the subschema with this index.
    pub(crate) fn pointer(&self, mut index: usize) -> String {
        let mut steps = Vec::new();
        while let Some(subschema) = self.subschemas.get(index)
            && subschema.step != Step::Root
        {
            steps.push(subschema.step);
            index = subschema.parent;
        }
        let mut pointer = String::new();
        for step in steps.iter().rev() {
            match *step {
                Step::Root => {}
                Step::Keyword(keyword) => push_name(&mut pointer, keyword),
                Step::Member(keyword, name) => {
                    push_name(&mut pointer, keyword);
                    push_name(&mut pointer, name);
                }
                Step::Item(keyword, item) => {
                    push_name(&mut pointer, keyword);
                    push_index(&mut pointer, item);
                }
            }
        }
        pointer
    }

    fn enter(
        &mut self,
        parent: usize,
        members: &'a Map<String, Value>,
        limits: &SchemaLimits,
    ) -> Result<(), SchemaFault> {
        for (keyword, value) in members {
            match holder(keyword) {
                Some((keyword, shape, role)) => {
                    self.has_unevaluated |= keyword.starts_with("unevaluated");
                    self.push_all(parent, keyword, shape, role, value, limits)?;
                }
                None => self.check_other(parent, keyword, value, limits)?,
            }
        }
        Ok(())
    }

    fn push_all(
        &mut self,
        parent: usize,
        keyword: &'static str,
        shape: Shape,
        role: Use,
        value: &'a Value,
        limits: &SchemaLimits,
    ) -> Result<(), SchemaFault> {
        match (shape, value) {
            (Shape::One, value) => {
                self.push(Subschema { value, parent, step: Step::Keyword(keyword), role }, limits)
            }
            (Shape::List, Value::Array(items)) => items.iter().enumerate().try_for_each(|(item, value)| {
                let step = Step::Item(keyword, item);
                self.push(Subschema { value, parent, step, role }, limits)
            }),
            (Shape::Map | Shape::MapOrNames, Value::Object(members)) => {
                members.iter().try_for_each(|(name, value)| {
                    if shape == Shape::MapOrNames && value.is_array() {
                        return Ok(());
                    }
                    if keyword == "patternProperties" && name.len() > limits.pattern_bytes {
                        return Err(self.too_large(SchemaBound::PatternBytes, parent, limits));
                    }
                    let step = Step::Member(keyword, name);
                    self.push(Subschema { value, parent, step, role }, limits)
                })
            }
            (Shape::List, _) => Err(self.malformed(parent, keyword, "an array of schemas")),
            (Shape::Map | Shape::MapOrNames, _) => {
                Err(self.malformed(parent, keyword, "an object whose members are schemas"))
            }
        }
    }

    fn push(&mut self, subschema: Subschema<'a>, limits: &SchemaLimits) -> Result<(), SchemaFault> {
        if self.subschemas.len() >= limits.subschemas {
            return Err(self.too_large(SchemaBound::Subschemas, subschema.parent, limits));
        }
        self.subschemas.push(subschema);
        Ok(())
    }

    fn check_other(
        &self,
        index: usize,
        keyword: &str,
        value: &Value,
        limits: &SchemaLimits,
    ) -> Result<(), SchemaFault> {
        match (keyword, value) {
            ("$schema", Value::String(dialect)) if is_supported(dialect) => Ok(()),
            ("$schema", Value::String(dialect)) => Err(SchemaFault::UnsupportedDialect {
                dialect: excerpt(dialect),
                pointer: excerpt(&self.pointer(index)),
            }),
            ("$id", Value::String(_)) if index != 0 => {
                Err(SchemaFault::EmbeddedIdentifier { pointer: excerpt(&self.pointer(index)) })
            }
            ("$id", Value::String(id)) if id.trim_end_matches('#').contains('#') => {
                Err(self.malformed(index, "$id", "an identifier without a fragment"))
            }
            // It would mean the whole schema, but validators are known to take it for no reference.
            ("$ref" | "$dynamicRef", Value::String(reference)) if reference.is_empty() => {
                Err(self.malformed(index, keyword, "a reference; write `#` for the whole schema"))
            }
            ("$id" | "$anchor" | "$dynamicAnchor" | "$ref" | "$dynamicRef", Value::String(_)) => Ok(()),
            ("$schema" | "$id" | "$anchor" | "$dynamicAnchor" | "$ref" | "$dynamicRef", _) => {
                Err(self.malformed(index, keyword, "a string"))
            }
            ("enum", Value::Array(values)) if values.len() > limits.enum_values => {
                Err(self.too_large(SchemaBound::EnumValues, index, limits))
            }
            ("pattern", Value::String(pattern)) if pattern.len() > limits.pattern_bytes => {
                Err(self.too_large(SchemaBound::PatternBytes, index, limits))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn too_large(&self, bound: SchemaBound, index: usize, limits: &SchemaLimits) -> SchemaFault {
        SchemaFault::too_large(bound, limits, &self.pointer(index))
    }

    fn malformed(&self, index: usize, keyword: &str, expected: &'static str) -> SchemaFault {
        let mut pointer = self.pointer(index);
        push_name(&mut pointer, keyword);
        SchemaFault::Malformed { pointer: excerpt(&pointer), expected }
    }
}

/// The meta-schema's identifier may be written with or without the empty fragment.
fn is_supported(dialect: &str) -> bool {
    dialect.strip_suffix('#').unwrap_or(dialect) == DIALECT
}
