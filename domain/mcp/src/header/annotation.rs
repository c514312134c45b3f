//! The `x-mcp-header` annotations of a tool's input schema.

use alloc::{
    borrow::ToOwned,
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde_json::Value;

use super::PARAM_HEADER_PREFIX;
use crate::schema::{Outline, SchemaFault, SchemaLimits, Step, excerpt, measure};

/// The keyword that asks for a property to be mirrored.
const KEYWORD: &str = "x-mcp-header";

/// Names beginning like the protocol's own headers would make a header that reads like one.
const RESERVED_PREFIX: &str = "mcp-";

/// One argument that is mirrored into a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderAnnotation {
    path: Vec<String>,
    header: String,
    lookup: String,
}

impl HeaderAnnotation {
    /// The member names that lead from `arguments` to the value.
    #[must_use]
    pub fn path(&self) -> &[String] {
        &self.path
    }

    /// The header's whole name, such as `Mcp-Param-Region`.
    #[must_use]
    pub fn header(&self) -> &str {
        &self.header
    }

    /// The header's name in lower case, as [`HeaderSource`](super::HeaderSource) wants it.
    #[must_use]
    pub fn lookup(&self) -> &str {
        &self.lookup
    }

    /// The argument to mirror, if `arguments` has it.
    #[must_use]
    pub fn value_in<'v>(&self, arguments: &'v Value) -> Option<&'v Value> {
        self.path.iter().try_fold(arguments, |value, name| value.get(name))
    }

    /// The JSON Pointer of the argument, shortened for messages.
    pub(super) fn pointer(&self) -> String {
        let steps = self.path.iter().map(|name| format!("/{}", name.replace('~', "~0").replace('/', "~1")));
        excerpt(&steps.collect::<String>())
    }
}

/// The arguments of one tool that are mirrored into headers; empty for most tools.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HeaderAnnotations(Vec<HeaderAnnotation>);

impl HeaderAnnotations {
    /// The annotations, in the order of a breadth-first walk of the schema.
    pub fn iter(&self) -> impl Iterator<Item = &HeaderAnnotation> {
        self.0.iter()
    }

    /// Whether the tool mirrors nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many arguments are mirrored.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether a header of this name, in whatever case, mirrors an argument.
    #[must_use]
    pub fn declares(&self, header: &str) -> bool {
        self.0.iter().any(|annotation| annotation.lookup.eq_ignore_ascii_case(header))
    }
}

/// Why the annotations of a schema are invalid, and with them the tool's definition: a server
/// does not offer the tool, a client leaves it out of the list (specification: server/tools,
/// "x-mcp-header").
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnnotationFault {
    /// The schema cannot be searched.
    #[error(transparent)]
    Schema(#[from] SchemaFault),
    /// The annotation is not a non-empty header token.
    #[error(
        "x-mcp-header `{name}` at `{pointer}` is not a header name; use letters, digits and !#$%&'*+-.^_`|~ only"
    )]
    InvalidName {
        /// The annotation, shortened and escaped; as JSON if it is no string.
        name: String,
        /// JSON Pointer of the annotated schema.
        pointer: String,
    },
    /// The name begins with `Mcp-`, in whatever case.
    #[error("x-mcp-header `{name}` at `{pointer}` is reserved; leave the `Mcp-` away, it is added")]
    ReservedName {
        /// The annotation, shortened.
        name: String,
        /// JSON Pointer of the annotated schema.
        pointer: String,
    },
    /// Two arguments ask for one header; the case of letters does not tell headers apart.
    #[error("x-mcp-header `{name}` at `{pointer}` is used twice in this schema")]
    RepeatedName {
        /// The annotation, shortened.
        name: String,
        /// JSON Pointer of the second annotated schema.
        pointer: String,
    },
    /// The annotated schema does not say that its value is an integer, a string or a boolean.
    #[error("x-mcp-header at `{pointer}` needs a `type` of integer, string or boolean beside it")]
    NotPrimitive {
        /// JSON Pointer of the annotated schema.
        pointer: String,
    },
    /// The annotated schema is not reached from the root by `properties` alone.
    #[error("x-mcp-header at `{pointer}` is not reached from the root by `properties` alone")]
    Unreachable {
        /// JSON Pointer of the annotated schema.
        pointer: String,
    },
}

/// The validated mapping from arguments to headers of a tool's input schema.
///
/// An annotation counts wherever a subschema can stand, so that one in the wrong place is found
/// and refused; the same word inside data (`const`, `enum`, `default`, `examples`) or as the name
/// of a property is none. References are not followed: what stands behind one is in a wrong place
/// already. A nullable type such as `["string", "null"]` is legal, since null has no header.
///
/// The schema is searched within the default [`SchemaLimits`]. It need not have passed the gate:
/// a client looks at schemas that it never compiles.
///
/// # Errors
///
/// The first [`AnnotationFault`] found.
///
/// ```
/// use pm_mcp_domain::header::collect_header_annotations;
/// use serde_json::json;
///
/// let schema = json!({
///     "type": "object",
///     "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
/// });
/// let annotations = collect_header_annotations(&schema)?;
/// let region = annotations.iter().next().unwrap();
/// assert_eq!(region.header(), "Mcp-Param-Region");
/// assert_eq!(region.value_in(&json!({"region": "eu"})), Some(&json!("eu")));
/// # Ok::<(), pm_mcp_domain::header::AnnotationFault>(())
/// ```
pub fn collect_header_annotations(schema: &Value) -> Result<HeaderAnnotations, AnnotationFault> {
    let limits = SchemaLimits::default();
    measure(schema, &limits)?;
    let outline = Outline::of(schema, &limits)?;
    let mut annotations = HeaderAnnotations::default();
    for (index, subschema) in outline.subschemas().iter().enumerate() {
        let Some(asked) = subschema.value.get(KEYWORD) else { continue };
        let pointer = || excerpt(&outline.pointer(index));
        let name = match asked.as_str() {
            Some(name) if is_token(name) => name,
            Some(name) => {
                let name = excerpt(&name.escape_debug().to_string());
                return Err(AnnotationFault::InvalidName { name, pointer: pointer() });
            }
            None => {
                let name = excerpt(&asked.to_string());
                return Err(AnnotationFault::InvalidName { name, pointer: pointer() });
            }
        };
        let path = property_path(&outline, index)
            .ok_or_else(|| AnnotationFault::Unreachable { pointer: pointer() })?;
        let lower = name.to_ascii_lowercase();
        if lower.starts_with(RESERVED_PREFIX) {
            return Err(AnnotationFault::ReservedName { name: excerpt(name), pointer: pointer() });
        }
        if !is_primitive(subschema.value.get("type")) {
            return Err(AnnotationFault::NotPrimitive { pointer: pointer() });
        }
        let lookup = format!("{}{lower}", PARAM_HEADER_PREFIX.to_ascii_lowercase());
        if annotations.declares(&lookup) {
            return Err(AnnotationFault::RepeatedName { name: excerpt(name), pointer: pointer() });
        }
        annotations.0.push(HeaderAnnotation { path, header: format!("{PARAM_HEADER_PREFIX}{name}"), lookup });
    }
    Ok(annotations)
}

/// The names of the properties that lead to a subschema; `None` if any other step does.
fn property_path(outline: &Outline<'_>, mut index: usize) -> Option<Vec<String>> {
    let mut path = Vec::new();
    loop {
        let subschema = outline.subschemas().get(index)?;
        match subschema.step {
            Step::Member("properties", name) => path.push(name.to_owned()),
            Step::Root if !path.is_empty() => break,
            Step::Root | Step::Keyword(_) | Step::Member(..) | Step::Item(..) => return None,
        }
        index = subschema.parent;
    }
    path.reverse();
    Some(path)
}

/// RFC 9110 section 5.6.2, `token`.
fn is_token(name: &str) -> bool {
    let is_mark = |byte: &u8| b"!#$%&'*+-.^_`|~".contains(byte);
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || is_mark(&byte))
}

fn is_primitive(kind: Option<&Value>) -> bool {
    let is_sendable = |kind: &str| matches!(kind, "integer" | "string" | "boolean");
    match kind {
        Some(Value::String(kind)) => is_sendable(kind),
        Some(Value::Array(kinds)) => {
            let all_known = kinds
                .iter()
                .all(|kind| kind.as_str().is_some_and(|kind| is_sendable(kind) || kind == "null"));
            all_known && kinds.iter().filter_map(Value::as_str).any(is_sendable)
        }
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_)) | None => false,
    }
}

#[cfg(test)]
mod tests;
