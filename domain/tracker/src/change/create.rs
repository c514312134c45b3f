//! New items.

use serde_json::Value;

use super::{
    ChangeRequest, Decision, Document, NewItem, Next, Present, Refusal, World, dependencies, duplicates,
    edits,
};
use crate::Enforcement;

/// Priority of an item whose maker names none.
const MIDDLE_PRIORITY: u64 = 2;

pub(super) fn create(
    new: &NewItem,
    request: &ChangeRequest,
    present: &Present<'_>,
    world: &World,
) -> Result<Decision, Refusal> {
    if present.item.is_some() {
        return Err(Refusal::Exists { id: present.id.to_owned() });
    }
    let (schema, settings) = (world.schema(), world.settings());
    let title = new.title.trim();
    if title.is_empty() {
        return Err(Refusal::field("title", "must not be empty"));
    }
    let named = new.type_name.as_deref().unwrap_or(&settings.governance.create_default_type);
    let known = schema.item_type(named).ok_or_else(|| {
        let names: Vec<&str> = schema.types().map(|known| known.name.as_str()).collect();
        Refusal::field("type", format!("`{named}` is no type; known are {}", names.join(", ")))
    })?;
    let mut warnings = likely(new, world)?;
    let now = present.now.to_string();
    let mut after = Document::default();
    after.set("id", present.id);
    after.set("title", title);
    after.set("description", "");
    after.set("type", known.name.as_str());
    after.set("status", schema.default_status(&known.name));
    after.set("priority", MIDDLE_PRIORITY);
    after.set("tags", Vec::<Value>::new());
    after.set("created_at", now.as_str());
    after.set("updated_at", now);
    after.set("author", request.by.author.as_str());
    new.body.clone_into(&mut after.body);
    for (key, value) in &new.fields {
        match key.as_str() {
            "status" => {
                let status = edits::status_of(value, world)?;
                if schema.statuses().is_terminal(&status) {
                    return Err(Refusal::Workflow {
                        detail: format!("a new item cannot have the status `{status}` of finished work"),
                    });
                }
                after.set("status", status);
            }
            key => edits::set_field(&mut after, key, value, present.id, &mut warnings, world)?,
        }
    }
    for edge in &new.dependencies {
        dependencies::add(&mut after, edge, present.id, &request.by.author, present, world)?;
    }
    for field in schema.fields().iter().filter(|field| field.is_required_for(&known.name)) {
        if after.metadata.get(&field.key).is_none_or(Value::is_null) {
            return Err(Refusal::CustomField {
                field: field.key.clone(),
                detail: format!("new items of type {} must have it", known.name),
            });
        }
    }
    Ok(Decision::new("create", Next::Document(after)).warned(warnings))
}

fn likely(new: &NewItem, world: &World) -> Result<Vec<String>, Refusal> {
    let governance = &world.settings().governance;
    if governance.duplicate_detection == Enforcement::Off {
        return Ok(Vec::new());
    }
    let candidates = duplicates::likely_duplicates(
        &new.title,
        world,
        governance.duplicate_threshold,
        governance.duplicate_limit,
    );
    if candidates.is_empty() {
        return Ok(Vec::new());
    }
    if governance.duplicate_detection == Enforcement::Strict && !new.allow_duplicate {
        return Err(Refusal::DuplicateSuspected { candidates });
    }
    let named = |known: &duplicates::Likeness| format!("likely_duplicate: `{}` {}", known.id, known.title);
    Ok(candidates.iter().map(named).collect())
}
