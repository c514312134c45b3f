//! The vocabulary of a workspace, as callers read it.

use pm_tracker_domain::{CustomField, ItemType, Status};
use pm_tracker_ports::WorkspaceSnapshot;
use serde_json::{Map, Value, json};

/// Types, folders, statuses with roles, custom fields and workflow statuses.
pub(super) fn schema(snapshot: &WorkspaceSnapshot) -> Value {
    let schema = &snapshot.schema;
    let workflow = schema.workflow();
    let mut problems: Vec<String> = snapshot.schema_problems.iter().map(ToString::to_string).collect();
    let settings =
        snapshot.settings_problem.iter().map(|problem| format!("settings.json: {}", problem.detail));
    problems.extend(settings);
    json!({
        "id_prefix": snapshot.settings.id_prefix,
        "types": schema.types().map(|known| item_type(known, schema.default_status(&known.name))).collect::<Vec<_>>(),
        "statuses": schema.statuses().iter().map(status).collect::<Vec<_>>(),
        "fields": schema.fields().iter().map(field).collect::<Vec<_>>(),
        "workflow": {
            "draft_status": workflow.draft,
            "open_status": workflow.open,
            "in_progress_status": workflow.in_progress,
            "blocked_status": workflow.blocked,
            "close_status": workflow.close,
            "canceled_status": workflow.canceled,
        },
        "problems": problems,
    })
}

fn item_type(known: &ItemType, default_status: &str) -> Value {
    let mut object = Map::new();
    object.insert("name".to_owned(), known.name.as_str().into());
    object.insert("folder".to_owned(), known.folder.as_str().into());
    object.insert("aliases".to_owned(), known.aliases.clone().into());
    describe(&mut object, &known.description);
    object.insert("default_status".to_owned(), default_status.into());
    Value::Object(object)
}

fn status(known: &Status) -> Value {
    let roles: Vec<&str> = known.roles.iter().map(|role| role.as_str()).collect();
    json!({"id": known.id, "aliases": known.aliases, "roles": roles})
}

fn field(known: &CustomField) -> Value {
    let mut object = Map::new();
    object.insert("key".to_owned(), known.key.as_str().into());
    object.insert("type".to_owned(), known.kind.as_str().into());
    describe(&mut object, &known.description);
    object.insert("commands".to_owned(), known.commands.clone().into());
    object.insert("required".to_owned(), known.required.into());
    object.insert("required_types".to_owned(), known.required_types.clone().into());
    if let Some(values) = &known.value_schema {
        object.insert("value_schema".to_owned(), values.clone());
    }
    Value::Object(object)
}

fn describe(object: &mut Map<String, Value>, description: &str) {
    if !description.is_empty() {
        object.insert("description".to_owned(), description.into());
    }
}
