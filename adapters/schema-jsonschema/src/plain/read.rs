//! From the text of a schema to its plain form.

use std::collections::BTreeMap;
use std::fmt;

use pm_mcp_domain::schema::DIALECT;
use serde_json::{Map, Value};

use super::pattern::Pattern;
use super::rules::{Additional, Bound, Members, Node, NodeId, PlainSchema, Property, Range, Rules, Types};

/// Why a schema has no plain form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum NotPlain {
    /// It leads back into itself.
    Recursive,
    /// This keyword, or its value, is not plain.
    Keyword(String),
}

impl fmt::Display for NotPlain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Recursive => f.write_str("the schema refers to itself"),
            Self::Keyword(name) => write!(f, "the schema uses `{name}` in a way that is not plain"),
        }
    }
}

/// Reads a schema; gives up at the first thing that is not plain.
pub(super) struct Reader<'a> {
    /// The keyword at which it gave up.
    stopped: Option<&'a str>,
    definitions: Option<&'a Map<String, Value>>,
    /// Definitions that were read, by name.
    known: BTreeMap<&'a str, NodeId>,
    nodes: Vec<Node>,
}

impl<'a> Reader<'a> {
    /// The plain form of a schema that does not lead back into itself.
    pub(super) fn read(schema: &'a Value) -> Result<PlainSchema, NotPlain> {
        let definitions = schema.get("$defs").and_then(Value::as_object);
        let mut reader = Self { stopped: None, definitions, known: BTreeMap::new(), nodes: Vec::new() };
        match reader.whole(schema) {
            Some(root) => Ok(PlainSchema { nodes: reader.nodes.into_boxed_slice(), root }),
            None => Err(NotPlain::Keyword(reader.stopped.unwrap_or("$schema").to_owned())),
        }
    }

    fn whole(&mut self, schema: &'a Value) -> Option<NodeId> {
        let root = self.subschema(schema, true)?;
        // A definition that nothing refers to must be a good schema, too.
        for name in self.definitions.into_iter().flat_map(Map::keys) {
            self.definition(name)?;
        }
        Some(root)
    }

    fn subschema(&mut self, schema: &'a Value, is_root: bool) -> Option<NodeId> {
        let node = match schema {
            Value::Bool(true) => Node::Anything,
            Value::Bool(false) => Node::Nothing,
            Value::Object(keywords) => Node::Rules(Box::new(self.rules(keywords, is_root)?)),
            Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) => return None,
        };
        self.nodes.push(node);
        Some(NodeId(self.nodes.len() - 1))
    }

    fn rules(&mut self, keywords: &'a Map<String, Value>, is_root: bool) -> Option<Rules> {
        let mut rules = Rules::default();
        for (keyword, value) in keywords {
            if self.keyword(&mut rules, keyword, value, is_root).is_none() {
                // The innermost is noted first.
                self.stopped.get_or_insert(keyword);
                return None;
            }
        }
        rules.bounds.sort_by_key(|(bound, _)| *bound as u8);
        let members = self.members(keywords);
        if members.is_none() {
            self.stopped.get_or_insert("properties");
        }
        rules.members = members?;
        Some(rules)
    }

    fn keyword(&mut self, rules: &mut Rules, keyword: &str, value: &'a Value, is_root: bool) -> Option<()> {
        match keyword {
            "$schema" if is_root && value.as_str() == Some(DIALECT) => {}
            // The definitions are read where they are referred to.
            "$defs" if is_root && value.is_object() => {}
            "$ref" => rules.reference = Some(self.reference(value)?),
            "$comment" | "title" | "description" | "format" | "contentEncoding" | "contentMediaType"
                if value.is_string() => {}
            "deprecated" | "readOnly" | "writeOnly" if value.is_boolean() => {}
            "default" => {}
            "examples" if value.is_array() => {}
            "type" => rules.types = Some(types(value)?),
            "const" => rules.constant = Some(scalar(value)?.clone()),
            "enum" => {
                let choices = value.as_array().filter(|choices| !choices.is_empty())?;
                choices.iter().try_for_each(|choice| scalar(choice).map(|_| ()))?;
                rules.choices = Some(value.clone());
            }
            "minimum" => rules.bounds.push((Bound::Minimum, value.as_number()?.clone())),
            "maximum" => rules.bounds.push((Bound::Maximum, value.as_number()?.clone())),
            "exclusiveMinimum" => {
                rules.bounds.push((Bound::ExclusiveMinimum, value.as_number()?.clone()));
            }
            "exclusiveMaximum" => {
                rules.bounds.push((Bound::ExclusiveMaximum, value.as_number()?.clone()));
            }
            "minLength" => rules.length.least = Some(value.as_u64()?),
            "maxLength" => rules.length.most = Some(value.as_u64()?),
            "pattern" => rules.pattern = Some(Box::new(Pattern::read(value.as_str()?)?)),
            "minItems" => rules.count.least = Some(value.as_u64()?),
            "maxItems" => rules.count.most = Some(value.as_u64()?),
            "items" => rules.items = Some(self.subschema(value, false)?),
            "allOf" => rules.all = self.list(value)?,
            "anyOf" => rules.any = self.list(value)?,
            "oneOf" => rules.one = self.list(value)?,
            // Read together, below.
            "properties" | "required" | "additionalProperties" | "minProperties" | "maxProperties" => {}
            // Of a host's own; the meta-schema says nothing of these.
            other if other.starts_with("x-") => {}
            _ => return None,
        }
        Some(())
    }

    /// `Some(None)` when nothing is said of members.
    fn members(&mut self, keywords: &'a Map<String, Value>) -> Option<Option<Members>> {
        let [properties, required, additional, least, most] =
            ["properties", "required", "additionalProperties", "minProperties", "maxProperties"]
                .map(|keyword| keywords.get(keyword));
        if [properties, required, additional, least, most].iter().all(Option::is_none) {
            return Some(None);
        }
        let required = required.map_or(Some(Vec::new()), names)?;
        let mut named = Vec::new();
        if let Some(properties) = properties {
            for (name, schema) in properties.as_object()? {
                let node = self.subschema(schema, false)?;
                named.push(Property { name: name.clone(), node, required: required.contains(name) });
            }
        }
        let additional = match additional {
            None | Some(Value::Bool(true)) => Additional::Open,
            Some(Value::Bool(false)) => Additional::Closed,
            Some(schema) => Additional::Fit(self.subschema(schema, false)?),
        };
        let bound = |value: Option<&Value>| value.map_or(Some(None), |value| value.as_u64().map(Some));
        let count = Range { least: bound(least)?, most: bound(most)? };
        let is_named = |name: &&String| named.iter().any(|property: &Property| property.name == **name);
        let required_others = required.iter().filter(|name| !is_named(name)).cloned().collect();
        Some(Some(Members {
            required_others,
            properties: named.into_boxed_slice(),
            required: required.into_boxed_slice(),
            additional,
            count,
        }))
    }

    fn list(&mut self, value: &'a Value) -> Option<Vec<NodeId>> {
        let schemas = value.as_array().filter(|schemas| !schemas.is_empty())?;
        schemas.iter().map(|schema| self.subschema(schema, false)).collect()
    }

    fn reference(&mut self, value: &'a Value) -> Option<NodeId> {
        let name = value.as_str()?.strip_prefix("#/$defs/")?;
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        if !name.bytes().all(is_plain) {
            return None;
        }
        self.definition(name)
    }

    fn definition(&mut self, name: &'a str) -> Option<NodeId> {
        if let Some(node) = self.known.get(name) {
            return Some(*node);
        }
        let schema = self.definitions?.get(name)?;
        let node = self.subschema(schema, false)?;
        self.known.insert(name, node);
        Some(node)
    }
}

/// A value that is compared at a glance.
fn scalar(value: &Value) -> Option<&Value> {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Some(value),
        Value::Array(_) | Value::Object(_) => None,
    }
}

fn types(value: &Value) -> Option<Types> {
    match value {
        Value::String(name) => Types::named(name),
        Value::Array(names) if !names.is_empty() => names.iter().try_fold(Types(0), |Types(before), name| {
            let Types(bit) = Types::named(name.as_str()?)?;
            (before & bit == 0).then_some(Types(before | bit))
        }),
        Value::Array(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    }
}

/// A list of names, none twice.
fn names(value: &Value) -> Option<Vec<String>> {
    let mut names: Vec<String> = Vec::new();
    for name in value.as_array()? {
        let name = name.as_str()?;
        if names.iter().any(|known| known == name) {
            return None;
        }
        names.push(name.to_owned());
    }
    Some(names)
}
