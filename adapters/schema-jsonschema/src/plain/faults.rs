//! What does not fit, in the order and the words in which the crate would tell it.

use std::fmt::Write as _;

use pm_mcp_ports::driven::SchemaViolation;
use serde_json::{Map, Value};

use super::rules::{Additional, Bound, Members, Node, NodeId, PlainSchema, Rules};
use crate::message::{
    MOST_UNKNOWN, bounded, missing_property, not_a_choice, nothing_allowed, unknown_property,
};

/// Collects violations up to a limit.
pub(super) struct Faults<'s> {
    schema: &'s PlainSchema,
    limit: usize,
    /// JSON Pointer of the value that is looked at.
    pointer: String,
    found: Vec<SchemaViolation>,
}

impl<'s> Faults<'s> {
    /// The violations of `instance`, `limit` at the most.
    pub(super) fn collect(schema: &'s PlainSchema, instance: &Value, limit: usize) -> Vec<SchemaViolation> {
        let mut faults = Self { schema, limit, pointer: String::new(), found: Vec::new() };
        faults.look(schema.root, instance);
        faults.found
    }

    fn tell(&mut self, message: String) {
        if self.found.len() < self.limit {
            self.found.push(SchemaViolation { pointer: bounded(&self.pointer), message });
        }
    }

    fn look(&mut self, id: NodeId, value: &Value) {
        let schema = self.schema;
        if self.found.len() >= self.limit {
            return;
        }
        match schema.node(id) {
            Node::Anything => {}
            Node::Nothing => self.tell(nothing_allowed()),
            Node::Rules(rules) => self.look_at(rules, value),
        }
    }

    fn look_at(&mut self, rules: &Rules, value: &Value) {
        if let Some(types) = rules.types.filter(|_| !rules.allows_type(value)) {
            let names: Vec<String> = types.names().map(|name| format!("\"{name}\"")).collect();
            let of = if names.len() == 1 { "type" } else { "types" };
            self.tell(bounded(format_args!("the value is not of {of} {}", names.join(", "))));
        }
        if let Some(constant) = rules.constant.as_ref().filter(|_| !rules.allows_constant(value)) {
            self.tell(bounded(format_args!("{constant} was expected")));
        }
        if let Some(choices) = rules.choices.as_ref().filter(|_| !rules.allows_choice(value)) {
            self.tell(not_a_choice(value, choices));
        }
        match value {
            Value::Null | Value::Bool(_) => {}
            Value::Number(number) => {
                for (bound, limit) in rules.bounds.iter().filter(|(bound, limit)| !bound.holds(number, limit))
                {
                    let is = match bound {
                        Bound::Minimum => "less than the minimum",
                        Bound::Maximum => "greater than the maximum",
                        Bound::ExclusiveMinimum => "less than or equal to the minimum",
                        Bound::ExclusiveMaximum => "greater than or equal to the maximum",
                    };
                    self.tell(bounded(format_args!("the value is {is} of {limit}")));
                }
            }
            Value::String(text) => {
                let length = text.chars().count() as u64;
                if let Some(least) = rules.length.least.filter(|_| rules.length.is_below(length)) {
                    self.tell(format!(
                        "the value is shorter than {}",
                        counted(least, "character", "characters")
                    ));
                }
                if let Some(most) = rules.length.most.filter(|_| rules.length.is_above(length)) {
                    self.tell(format!(
                        "the value is longer than {}",
                        counted(most, "character", "characters")
                    ));
                }
                if let Some(pattern) = rules.pattern.as_ref().filter(|pattern| !pattern.matches(text)) {
                    self.tell(bounded(format_args!("the value does not match \"{}\"", pattern.source())));
                }
            }
            Value::Array(items) => {
                let count = items.len() as u64;
                if let Some(least) = rules.count.least.filter(|_| rules.count.is_below(count)) {
                    self.tell(format!("the value has less than {}", counted(least, "item", "items")));
                }
                if let Some(most) = rules.count.most.filter(|_| rules.count.is_above(count)) {
                    self.tell(format!("the value has more than {}", counted(most, "item", "items")));
                }
                for (place, item) in items.iter().enumerate() {
                    if let Some(node) = rules.items {
                        self.below(&place.to_string(), node, item);
                    }
                }
            }
            Value::Object(found) => {
                if let Some(members) = &rules.members {
                    self.look_at_members(members, found);
                }
            }
        }
        for node in &rules.all {
            self.look(*node, value);
        }
        if !rules.any.is_empty() && !rules.any.iter().any(|node| self.schema.fits(*node, value)) {
            self.tell(no_alternative("anyOf"));
        }
        if !rules.one.is_empty() {
            match rules.one.iter().filter(|node| self.schema.fits(**node, value)).count() {
                0 => self.tell(no_alternative("oneOf")),
                1 => {}
                _ => self.tell(
                    "the value is valid under more than one of the schemas listed in the 'oneOf' keyword"
                        .to_owned(),
                ),
            }
        }
        if let Some(node) = rules.reference {
            self.look(node, value);
        }
    }

    fn look_at_members(&mut self, members: &Members, found: &Map<String, Value>) {
        let count = found.len() as u64;
        if let Some(least) = members.count.least.filter(|_| members.count.is_below(count)) {
            self.tell(format!("the value has less than {}", counted(least, "property", "properties")));
        }
        if let Some(most) = members.count.most.filter(|_| members.count.is_above(count)) {
            self.tell(format!("the value has more than {}", counted(most, "property", "properties")));
        }
        for property in &members.properties {
            if let Some(value) = found.get(&property.name) {
                self.below(&property.name, property.node, value);
            }
        }
        for name in members.required.iter().filter(|name| !found.contains_key(*name)) {
            self.tell(missing_property(name));
        }
        let others = found.iter().filter(|(name, _)| !members.names(name));
        match members.additional {
            Additional::Open => {}
            Additional::Closed => {
                let known: Vec<&str> =
                    members.properties.iter().map(|property| property.name.as_str()).collect();
                for (name, _) in others.take(MOST_UNKNOWN) {
                    self.tell(unknown_property(name, &known));
                }
            }
            Additional::Fit(node) => {
                for (name, value) in others {
                    self.below(name, node, value);
                }
            }
        }
    }

    fn below(&mut self, step: &str, node: NodeId, value: &Value) {
        let length = self.pointer.len();
        self.pointer.push('/');
        for character in step.chars() {
            match character {
                '~' => self.pointer.push_str("~0"),
                '/' => self.pointer.push_str("~1"),
                other => self.pointer.push(other),
            }
        }
        self.look(node, value);
        self.pointer.truncate(length);
    }
}

fn counted(count: u64, one: &str, many: &str) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    write!(text, "{count} {}", if count == 1 { one } else { many }).unwrap_or_default();
    text
}

fn no_alternative(keyword: &str) -> String {
    format!("the value is not valid under any of the schemas listed in the '{keyword}' keyword")
}
