//! Changed fields.

use serde_json::Value;

use super::{Decision, Document, FieldEdits, Next, Present, Refusal, World, dependencies, field, lifecycle};
use crate::{Item, item::REQUIRED_FIELDS, schema::StatusRole};

pub(super) fn update(
    item: &Item,
    wanted: &FieldEdits,
    author: &str,
    present: &Present<'_>,
    world: &World,
) -> Result<Decision, Refusal> {
    if let Some(seen) = wanted.if_version.filter(|seen| *seen != present.version) {
        return Err(Refusal::Stale { id: item.id().to_owned(), seen, current: present.version });
    }
    let mut warnings = Vec::new();
    let mut after = Document::of(item);
    for (key, value) in &wanted.set {
        match key.as_str() {
            "status" => {
                set_status(&mut after, item, &status_of(value, world)?, present, &mut warnings, world)?
            }
            key => set_field(&mut after, key, value, item.id(), &mut warnings, world)?,
        }
    }
    for key in &wanted.unset {
        if wanted.set.contains_key(key) {
            return Err(Refusal::field(key, "is to be set and taken out at once"));
        }
        unset_field(&mut after, key, world)?;
    }
    change_tags(&mut after, wanted);
    for edge in &wanted.remove_dependencies {
        dependencies::remove(&mut after, edge, world)?;
    }
    for edge in &wanted.add_dependencies {
        dependencies::add(&mut after, edge, item.id(), author, present, world)?;
    }
    if let Some(status) = &wanted.status {
        let status = status_of(&Value::from(status.as_str()), world)?;
        set_status(&mut after, item, &status, present, &mut warnings, world)?;
    }
    if let Some(body) = &wanted.body {
        body.clone_into(&mut after.body);
    }
    let appended = wanted.append_body.as_deref().map(str::trim_end).filter(|text| !text.is_empty());
    if let Some(text) = appended {
        let before = after.body.trim_end();
        after.body = if before.is_empty() { text.to_owned() } else { format!("{before}\n\n{text}") };
    }
    let only_appended = appended.is_some()
        && FieldEdits { append_body: None, if_version: None, ..wanted.clone() } == FieldEdits::default();
    let op = if only_appended { "append" } else { "update" };
    Ok(Decision::new(op, Next::Document(after)).warned(warnings))
}

/// The id of the status that a caller means.
pub(super) fn status_of(value: &Value, world: &World) -> Result<String, Refusal> {
    let statuses = world.schema().statuses();
    let named = value.as_str().unwrap_or_default();
    statuses.canonical(named).map(str::to_owned).ok_or_else(|| {
        let known: Vec<&str> = statuses.iter().map(|status| status.id.as_str()).collect();
        Refusal::field("status", format!("`{named}` is no status; known are {}", known.join(", ")))
    })
}

fn set_status(
    after: &mut Document,
    item: &Item,
    to: &str,
    present: &Present<'_>,
    warnings: &mut Vec<String>,
    world: &World,
) -> Result<(), Refusal> {
    let statuses = world.schema().statuses();
    let from = statuses.canonical(item.status()).unwrap_or(item.status());
    if from == to {
        return Ok(());
    }
    if statuses.is_terminal(from) {
        return Err(Refusal::AlreadyTerminal { id: item.id().to_owned(), status: from.to_owned() });
    }
    warnings.extend(lifecycle::check_move(item.type_name(), from, to, world)?);
    if statuses.is_terminal(to) {
        let given_up = statuses.find(to).is_some_and(|status| status.has(StatusRole::TerminalCanceled));
        if !given_up {
            return Err(Refusal::Workflow {
                detail: format!("`{to}` is reached by closing the item, which records why"),
            });
        }
        after.set("closed_at", present.now.to_string());
        after.unset("assignee");
        after.unset("claim_principal");
    }
    after.set("status", to);
    Ok(())
}

pub(super) fn set_field(
    after: &mut Document,
    key: &str,
    value: &Value,
    id: &str,
    warnings: &mut Vec<String>,
    world: &World,
) -> Result<(), Refusal> {
    let value = field::accepted(key, value, warnings, world)?;
    let empty = value.as_str().is_some_and(|text| text.trim().is_empty());
    match (key, value.as_str()) {
        ("parent", Some(parent)) if !empty => {
            let parent = dependencies::parent(id, parent, warnings, world)?;
            after.set(key, parent);
        }
        ("blocked_by", Some(blocker)) if !empty => {
            let blocker = dependencies::blocker(id, blocker, world)?;
            after.set(key, blocker);
        }
        ("assignee", Some(assignee)) => {
            if after.text("assignee") != Some(assignee.trim()) {
                after.unset("claim_principal");
            }
            after.set(key, value.clone());
        }
        _ => after.set(key, value),
    }
    Ok(())
}

fn unset_field(after: &mut Document, key: &str, world: &World) -> Result<(), Refusal> {
    let custom = world.schema().field(key);
    if let Some(custom) =
        custom.filter(|custom| custom.is_required_for(after.text("type").unwrap_or_default()))
    {
        return Err(Refusal::CustomField {
            field: custom.key.clone(),
            detail: "items of this type must have it".to_owned(),
        });
    }
    match key {
        "description" => after.set(key, ""),
        "tags" => after.set(key, Vec::<Value>::new()),
        "body" => after.body.clear(),
        key if REQUIRED_FIELDS.contains(&key) => return Err(Refusal::field(key, "every item has it")),
        key if field::field_shape(key).is_none()
            && custom.is_none()
            && crate::normal::TOP_LEVEL_KEYS.contains(&key) =>
        {
            return Err(Refusal::field(key, "cannot be taken out like this; it has an operation of its own"));
        }
        key => {
            if key == "assignee" {
                after.unset("claim_principal");
            }
            after.unset(key);
        }
    }
    Ok(())
}

fn change_tags(after: &mut Document, wanted: &FieldEdits) {
    if wanted.add_tags.is_empty() && wanted.remove_tags.is_empty() {
        return;
    }
    let plain = |tag: &str| tag.trim().to_lowercase();
    let mut tags = after.list("tags");
    let gone: Vec<String> = wanted.remove_tags.iter().map(|tag| plain(tag)).collect();
    tags.retain(|tag| tag.as_str().is_none_or(|tag| !gone.contains(&plain(tag))));
    tags.extend(wanted.add_tags.iter().map(|tag| Value::from(plain(tag))));
    after.set("tags", tags);
}
