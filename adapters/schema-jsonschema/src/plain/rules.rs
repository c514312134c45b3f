//! The form of a schema, and whether a value fits.

use std::cmp::Ordering;

use pm_mcp_domain::schema::CheckedSchema;
use pm_mcp_ports::driven::{CompiledSchema, SchemaViolation};
use serde_json::{Map, Number, Value};

use super::faults::Faults;
use super::number::{compare, is_whole};
use super::pattern::Pattern;
use super::read::{NotPlain, Reader};

/// A schema of plain keywords.
#[derive(Debug)]
pub(crate) struct PlainSchema {
    pub(super) nodes: Box<[Node]>,
    pub(super) root: NodeId,
}

/// The place of a subschema.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NodeId(pub(super) usize);

/// One subschema.
#[derive(Debug)]
pub(super) enum Node {
    /// `true`, or an object without assertions.
    Anything,
    /// `false`.
    Nothing,
    /// What its keywords say.
    Rules(Box<Rules>),
}

/// The assertions of one subschema; those for other types than the value's do not count.
#[derive(Default, Debug)]
pub(super) struct Rules {
    pub(super) types: Option<Types>,
    pub(super) constant: Option<Value>,
    /// An array of scalars.
    pub(super) choices: Option<Value>,
    pub(super) bounds: Vec<(Bound, Number)>,
    pub(super) length: Range,
    pub(super) pattern: Option<Box<Pattern>>,
    pub(super) count: Range,
    pub(super) items: Option<NodeId>,
    pub(super) members: Option<Members>,
    pub(super) all: Vec<NodeId>,
    pub(super) any: Vec<NodeId>,
    pub(super) one: Vec<NodeId>,
    pub(super) reference: Option<NodeId>,
}

/// What the members of an object must be.
#[derive(Debug)]
pub(super) struct Members {
    pub(super) properties: Box<[Property]>,
    /// In the order of the schema.
    pub(super) required: Box<[String]>,
    /// Those of the required names that are no property.
    pub(super) required_others: Box<[String]>,
    pub(super) additional: Additional,
    pub(super) count: Range,
}

/// A named member.
#[derive(Debug)]
pub(super) struct Property {
    pub(super) name: String,
    pub(super) node: NodeId,
    pub(super) required: bool,
}

/// What members may be that are not named.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Additional {
    /// Anything.
    Open,
    /// There may be none.
    Closed,
    /// What this subschema says.
    Fit(NodeId),
}

/// How a number is bounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    Minimum,
    Maximum,
    ExclusiveMinimum,
    ExclusiveMaximum,
}

/// How many there may be of something.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Range {
    pub(super) least: Option<u64>,
    pub(super) most: Option<u64>,
}

/// A set of JSON types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Types(pub(super) u8);

impl Types {
    /// The names of the types, in the order in which messages list them; the place of a name is its bit.
    pub(super) const NAMES: [&'static str; 7] =
        ["null", "boolean", "integer", "number", "string", "array", "object"];

    /// The set of one type, if there is one of that name.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().position(|known| *known == name).map(|bit| Self(1 << bit))
    }

    /// The names in the set.
    pub(super) fn names(self) -> impl Iterator<Item = &'static str> {
        let held = move |(bit, name): (u8, &'static str)| (self.0 & (1 << bit) != 0).then_some(name);
        (0..).zip(Self::NAMES).filter_map(held)
    }

    fn holds(self, value: &Value) -> bool {
        const INTEGER: u8 = 1 << 2;
        const NUMBER: u8 = 1 << 3;
        let bit = match value {
            Value::Null => 1 << 0,
            Value::Bool(_) => 1 << 1,
            Value::Number(number) if self.0 & NUMBER == 0 => match is_whole(number) {
                true => INTEGER,
                false => return false,
            },
            Value::Number(_) => NUMBER,
            Value::String(_) => 1 << 4,
            Value::Array(_) => 1 << 5,
            Value::Object(_) => 1 << 6,
        };
        self.0 & bit != 0
    }
}

impl Range {
    /// Whether there are as many as there may be.
    fn holds(self, count: usize) -> bool {
        let count = count as u64;
        !self.is_below(count) && !self.is_above(count)
    }

    /// Whether a text has as many characters as it may have. They are counted only where the bytes do not tell: a character
    /// has one to four.
    pub(super) fn holds_length(self, text: &str) -> bool {
        let most = text.len() as u64;
        let least = most.div_ceil(4);
        (!self.is_above(most) && !self.is_below(least))
            || (!self.is_above(least) && !self.is_below(most) && self.holds(text.chars().count()))
    }

    /// Whether `count` is too few.
    pub(super) fn is_below(self, count: u64) -> bool {
        self.least.is_some_and(|least| count < least)
    }

    /// Whether `count` is too many.
    pub(super) fn is_above(self, count: u64) -> bool {
        self.most.is_some_and(|most| count > most)
    }
}

impl Bound {
    /// Whether `number` keeps to the bound. Numbers that cannot be compared do not break it.
    pub(super) fn holds(self, number: &Number, limit: &Number) -> bool {
        let order = compare(number, limit);
        match self {
            Self::Minimum => order != Some(Ordering::Less),
            Self::Maximum => order != Some(Ordering::Greater),
            Self::ExclusiveMinimum => matches!(order, Some(Ordering::Greater) | None),
            Self::ExclusiveMaximum => matches!(order, Some(Ordering::Less) | None),
        }
    }
}

/// Whether two scalars are the same value; 1 and 1.0 are.
pub(super) fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => compare(a, b) == Some(Ordering::Equal),
        _ => a == b,
    }
}

impl Rules {
    /// Whether the value is of a type that the rules allow.
    pub(super) fn allows_type(&self, value: &Value) -> bool {
        self.types.is_none_or(|types| types.holds(value))
    }

    /// Whether the value is the constant, if there is one.
    pub(super) fn allows_constant(&self, value: &Value) -> bool {
        self.constant.as_ref().is_none_or(|constant| is_same(constant, value))
    }

    /// Whether the value is one of the choices, if there are some.
    pub(super) fn allows_choice(&self, value: &Value) -> bool {
        let Some(choices) = self.choices.as_ref().and_then(Value::as_array) else { return true };
        choices.iter().any(|choice| is_same(choice, value))
    }
}

impl PlainSchema {
    /// The plain form of a schema, if it has one.
    ///
    /// # Errors
    ///
    /// What is not plain about it. A schema that leads back into itself never is.
    pub(crate) fn of(schema: &CheckedSchema) -> Result<Self, NotPlain> {
        match schema.instance_depth() {
            Some(_) => Err(NotPlain::Recursive),
            None => Reader::read(schema.as_value()),
        }
    }

    /// A subschema; every id leads to one.
    pub(super) fn node(&self, id: NodeId) -> &Node {
        self.nodes.get(id.0).unwrap_or(&Node::Nothing)
    }

    /// Whether `value` fits. The schema ends, so this does.
    pub(super) fn fits(&self, id: NodeId, value: &Value) -> bool {
        let rules = match self.node(id) {
            Node::Anything => return true,
            Node::Nothing => return false,
            Node::Rules(rules) => rules,
        };
        let fit = |id: &NodeId| self.fits(*id, value);
        rules.allows_type(value)
            && rules.allows_constant(value)
            && rules.allows_choice(value)
            && match value {
                Value::Null | Value::Bool(_) => true,
                Value::Number(number) => rules.bounds.iter().all(|(bound, limit)| bound.holds(number, limit)),
                Value::String(text) => {
                    rules.length.holds_length(text)
                        && rules.pattern.as_ref().is_none_or(|pattern| pattern.matches(text))
                }
                Value::Array(items) => {
                    rules.count.holds(items.len())
                        && rules.items.is_none_or(|node| items.iter().all(|item| self.fits(node, item)))
                }
                Value::Object(found) => {
                    rules.members.as_ref().is_none_or(|members| self.members_fit(members, found))
                }
            }
            && rules.all.iter().all(fit)
            && (rules.any.is_empty() || rules.any.iter().any(fit))
            && (rules.one.is_empty() || rules.one.iter().filter(|id| fit(id)).take(2).count() == 1)
            && rules.reference.as_ref().is_none_or(fit)
    }

    fn members_fit(&self, members: &Members, found: &Map<String, Value>) -> bool {
        let mut named = 0;
        for property in &members.properties {
            match found.get(&property.name) {
                Some(value) if self.fits(property.node, value) => named += 1,
                None if !property.required => {}
                Some(_) | None => return false,
            }
        }
        members.required_others.iter().all(|name| found.contains_key(name))
            && members.count.holds(found.len())
            && match members.additional {
                Additional::Open => true,
                _ if named == found.len() => true,
                Additional::Closed => false,
                Additional::Fit(node) => {
                    found.iter().all(|(name, value)| members.names(name) || self.fits(node, value))
                }
            }
    }
}

impl Members {
    /// Whether there is a property of that name.
    pub(super) fn names(&self, name: &str) -> bool {
        self.properties.iter().any(|property| property.name == name)
    }
}

impl CompiledSchema for PlainSchema {
    fn is_valid(&self, instance: &Value) -> bool {
        self.fits(self.root, instance)
    }

    fn violations(&self, instance: &Value, limit: usize) -> Vec<SchemaViolation> {
        // Most values fit, and saying so costs less than looking for what does not.
        match limit == 0 || self.is_valid(instance) {
            true => Vec::new(),
            false => Faults::collect(self, instance, limit),
        }
    }
}
