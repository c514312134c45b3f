//! Edges between items.

use serde_json::{Map, Value};

use super::{Document, Edge, Present, Refusal, World};
use crate::graph::{NO_ACTIVE_BLOCKER, Relation, names_an_item};

const DEFAULT_KIND: &str = "blocked_by";

/// Adds an edge, if it is not there. Other items must exist; rings in the order of work and in the hierarchy are
/// refused.
pub(super) fn add(
    after: &mut Document,
    edge: &Edge,
    id: &str,
    author: &str,
    present: &Present<'_>,
    world: &World,
) -> Result<(), Refusal> {
    let Some(target) = world.find(&edge.id) else {
        return Err(Refusal::DependencyMissing { id: edge.id.clone() });
    };
    let kind = edge.kind.as_deref().map(str::trim).filter(|kind| !kind.is_empty()).unwrap_or(DEFAULT_KIND);
    let relation = Relation::parse(kind);
    let stored = match &relation {
        Relation::Other(_) => kind.to_owned(),
        known => known.name().to_owned(),
    };
    check_ring(id, target.id(), &relation, world)?;
    let mut list = after.list("dependencies");
    let same = |record: &Value| {
        let text = |key: &str| record.get(key).and_then(Value::as_str).unwrap_or_default();
        text("id").eq_ignore_ascii_case(target.id()) && Relation::parse(text("kind")) == relation
    };
    if list.iter().any(same) {
        return Ok(());
    }
    let mut record = Map::new();
    record.insert("id".to_owned(), target.id().into());
    record.insert("kind".to_owned(), stored.into());
    record.insert("created_at".to_owned(), present.now.to_string().into());
    record.insert("author".to_owned(), author.into());
    list.push(Value::Object(record));
    after.set_list("dependencies", list);
    Ok(())
}

/// Takes out the edges to an item, of one kind or of all.
pub(super) fn remove(after: &mut Document, edge: &Edge, world: &World) -> Result<(), Refusal> {
    let known = world.find(&edge.id).map(|item| item.id().to_owned());
    let typed = edge.id.trim().trim_start_matches('#').to_lowercase();
    let relation = edge.kind.as_deref().map(Relation::parse);
    let mut list = after.list("dependencies");
    let count = list.len();
    list.retain(|record| {
        let text = |key: &str| record.get(key).and_then(Value::as_str).unwrap_or_default();
        let id = text("id").to_lowercase();
        let there = known.as_ref().is_some_and(|known| known.to_lowercase() == id) || typed == id;
        !(there && relation.as_ref().is_none_or(|relation| Relation::parse(text("kind")) == *relation))
    });
    if list.len() == count {
        return Err(Refusal::field("remove_dependencies", format!("there is no such edge to `{}`", edge.id)));
    }
    after.set_list("dependencies", list);
    Ok(())
}

fn check_ring(id: &str, target: &str, relation: &Relation, world: &World) -> Result<(), Refusal> {
    let (relation, turned) = relation.clone().oriented();
    let what = match relation {
        Relation::BlockedBy => "items that wait for each other",
        Relation::Parent => "parents",
        _ if target == id => "items that refer to themselves",
        _ => return Ok(()),
    };
    let (from, to) = if turned { (target, id) } else { (id, target) };
    match world.ring(from, to, &relation) {
        Some(ring) => Err(Refusal::Cycle { what, ring }),
        None => Ok(()),
    }
}

/// The parent that a caller means, as it is stored.
pub(super) fn parent(
    id: &str,
    input: &str,
    warnings: &mut Vec<String>,
    world: &World,
) -> Result<String, Refusal> {
    use crate::Enforcement::{Off, Strict, Warn};
    match (world.find(input), world.settings().governance.parent_reference) {
        (Some(parent), _) => {
            check_ring(id, parent.id(), &Relation::Parent, world)?;
            if world.schema().statuses().is_terminal(parent.status()) {
                warnings.push(format!("parent_finished: the parent `{}` is finished", parent.id()));
            }
            Ok(parent.id().to_owned())
        }
        (None, Strict) => Err(Refusal::ParentMissing { parent: input.to_owned() }),
        (None, Warn) => {
            warnings.push(format!("parent_missing: the parent `{input}` does not exist"));
            Ok(input.trim().to_owned())
        }
        (None, Off) => Ok(input.trim().to_owned()),
    }
}

/// The scalar blocker: an item, the word that nothing blocks, or words.
pub(super) fn blocker(id: &str, input: &str, world: &World) -> Result<String, Refusal> {
    let input = input.trim();
    match world.find(input) {
        Some(item) => {
            check_ring(id, item.id(), &Relation::BlockedBy, world)?;
            Ok(item.id().to_owned())
        }
        None if input != NO_ACTIVE_BLOCKER
            && names_an_item(input)
            && input.to_lowercase().starts_with(&world.settings().id_prefix) =>
        {
            Err(Refusal::DependencyMissing { id: input.to_owned() })
        }
        None => Ok(input.to_owned()),
    }
}
