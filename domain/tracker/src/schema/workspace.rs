//! The whole vocabulary of one workspace.

use core::fmt;

use serde_json::Value;

use super::{CustomField, ItemType, StatusRole, Statuses};

/// The parsed schema files of a workspace; each may be absent.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "the format has exactly these files")]
pub struct SchemaFiles<'a> {
    /// `schema/types.json`.
    pub types: Option<&'a Value>,
    /// `schema/statuses.json`.
    pub statuses: Option<&'a Value>,
    /// `schema/fields.json`.
    pub fields: Option<&'a Value>,
    /// `schema/workflows.json`.
    pub workflows: Option<&'a Value>,
    /// `settings.json`, which may add types and the allowed status moves of types.
    pub settings: Option<&'a Value>,
}

/// A part of a schema file that could not be used.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemaProblem {
    /// The file, relative to the tracker root.
    pub file: &'static str,
    /// What is wrong, in words.
    pub detail: String,
}

impl SchemaProblem {
    /// Names a file and what is wrong with it.
    #[must_use]
    pub const fn new(file: &'static str, detail: String) -> Self {
        Self { file, detail }
    }
}

impl fmt::Display for SchemaProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.detail)
    }
}

/// The statuses that the tracker's own moves lead to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct WorkflowStatuses {
    /// Of drafts.
    pub draft: String,
    /// Of new and reopened items.
    pub open: String,
    /// Of claimed items.
    pub in_progress: String,
    /// Of waiting items.
    pub blocked: String,
    /// Of closed items.
    pub close: String,
    /// Of cancelled items.
    pub canceled: String,
}

/// Types, statuses, custom fields and status moves of one workspace, the built-in ones included.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkspaceSchema {
    types: Vec<ItemType>,
    statuses: Statuses,
    fields: Vec<CustomField>,
    workflow: WorkflowStatuses,
    moves: Vec<(String, Vec<(String, String)>)>,
}

impl Default for WorkspaceSchema {
    fn default() -> Self {
        Self::read(SchemaFiles::default()).0
    }
}

impl WorkspaceSchema {
    /// Merges the schema files over the built-in vocabulary. What cannot be used is left out and reported.
    #[must_use]
    pub fn read(files: SchemaFiles<'_>) -> (Self, Vec<SchemaProblem>) {
        let mut problems = Vec::new();
        let statuses = {
            let file = "schema/statuses.json";
            let entries = list(files.statuses, "statuses", file, &mut problems);
            Statuses::merged(entries, &mut |detail| problems.push(SchemaProblem { file, detail }))
        };
        let mut types = ItemType::built_in();
        {
            let in_settings = files.settings.and_then(|settings| settings.get("item_types"));
            for (value, file) in [(in_settings, "settings.json"), (files.types, "schema/types.json")] {
                for definition in list(value, "definitions", file, &mut problems) {
                    let mut report = |detail| problems.push(SchemaProblem { file, detail });
                    ItemType::merge(&mut types, definition, &mut report);
                }
            }
        }
        let mut fields: Vec<CustomField> = Vec::new();
        let file = "schema/fields.json";
        for entry in list(files.fields, "fields", file, &mut problems) {
            let field =
                CustomField::parse(entry, &mut |detail| problems.push(SchemaProblem { file, detail }));
            if let Some(field) = field {
                fields.retain(|known| known.key != field.key);
                fields.push(field);
            }
        }
        let workflow = workflow(files.workflows, &statuses, &mut problems);
        let moves = type_workflows(&files);
        (Self { types, statuses, fields, workflow, moves }, problems)
    }

    /// All types, built-in ones first.
    pub fn types(&self) -> impl Iterator<Item = &ItemType> {
        self.types.iter()
    }

    /// The type that a name or alias means, in any letter case; names win over aliases.
    #[must_use]
    pub fn item_type(&self, text: &str) -> Option<&ItemType> {
        let by_name = self.types.iter().find(|known| known.name.eq_ignore_ascii_case(text.trim()));
        by_name.or_else(|| self.types.iter().find(|known| known.is_called(text)))
    }

    /// The folders of all types, each once.
    #[must_use]
    pub fn folders(&self) -> Vec<&str> {
        let mut folders: Vec<&str> = self.types.iter().map(|known| known.folder.as_str()).collect();
        folders.sort_unstable();
        folders.dedup();
        folders
    }

    /// The statuses.
    #[must_use]
    pub const fn statuses(&self) -> &Statuses {
        &self.statuses
    }

    /// The custom fields in file order.
    #[must_use]
    pub fn fields(&self) -> &[CustomField] {
        &self.fields
    }

    /// The custom field with a key.
    #[must_use]
    pub fn field(&self, key: &str) -> Option<&CustomField> {
        self.fields.iter().find(|field| field.key == key)
    }

    /// The statuses that the tracker's own moves lead to.
    #[must_use]
    pub const fn workflow(&self) -> &WorkflowStatuses {
        &self.workflow
    }

    /// The status of a new item of a type.
    #[must_use]
    pub fn default_status(&self, type_name: &str) -> &str {
        let named = self.item_type(type_name).and_then(|known| known.default_status.as_deref());
        named.and_then(|status| self.statuses.canonical(status)).unwrap_or(&self.workflow.open)
    }

    /// Whether the workspace allows items of a type to go from one status to another. A type without a workflow of
    /// its own may go anywhere, and staying where it is is no move.
    #[must_use]
    pub fn allows_move(&self, type_name: &str, from: &str, to: &str) -> bool {
        let id = |text: &str| self.statuses.canonical(text).map_or_else(|| text.to_owned(), str::to_owned);
        let (from, to) = (id(from), id(to));
        let own = self.moves.iter().find(|(name, _)| name.eq_ignore_ascii_case(type_name));
        from == to || own.is_none_or(|(_, moves)| moves.iter().any(|(a, b)| id(a) == from && id(b) == to))
    }
}

fn list<'a>(
    value: Option<&'a Value>,
    key: &str,
    file: &'static str,
    problems: &mut Vec<SchemaProblem>,
) -> &'a [Value] {
    let Some(value) = value else { return &[] };
    match value.get(key) {
        Some(Value::Array(list)) => list,
        None if value.is_object() => &[],
        None | Some(_) => {
            problems.push(SchemaProblem { file, detail: format!("`{key}` must be a list inside an object") });
            &[]
        }
    }
}

fn workflow(
    value: Option<&Value>,
    statuses: &Statuses,
    problems: &mut Vec<SchemaProblem>,
) -> WorkflowStatuses {
    let mut status = |key: &str, role: Option<StatusRole>, built_in: &str| {
        if let Some(named) =
            value.and_then(|v| v.get("workflow")).and_then(|v| v.get(key)).and_then(Value::as_str)
        {
            match statuses.canonical(named) {
                Some(id) => return id.to_owned(),
                None => problems.push(SchemaProblem {
                    file: "schema/workflows.json",
                    detail: format!("`{key}` names the unknown status `{named}`"),
                }),
            }
        }
        role.and_then(|role| statuses.with_role(role)).unwrap_or(built_in).to_owned()
    };
    WorkflowStatuses {
        draft: status("draft_status", Some(StatusRole::Draft), "draft"),
        open: status("open_status", Some(StatusRole::DefaultOpen), "open"),
        in_progress: status("in_progress_status", None, "in_progress"),
        blocked: status("blocked_status", Some(StatusRole::Blocked), "blocked"),
        close: status("close_status", Some(StatusRole::DefaultClose), "closed"),
        canceled: status("canceled_status", Some(StatusRole::DefaultCancel), "canceled"),
    }
}

/// Reads `type_workflows`: a list of `{type, allowed_transitions: [[from, to], …]}`.
fn type_workflows(files: &SchemaFiles<'_>) -> Vec<(String, Vec<(String, String)>)> {
    let in_settings = files.settings.and_then(|settings| settings.get("schema"));
    let source = [files.workflows, in_settings].into_iter().flatten().find_map(|v| v.get("type_workflows"));
    let entries = source.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let pair = |value: &Value| {
        let text = |at: usize| value.get(at).and_then(Value::as_str).map(str::to_owned);
        Some((text(0)?, text(1)?))
    };
    let moves = |entry: &Value| {
        let name = entry.get("type").and_then(Value::as_str)?.to_owned();
        let allowed = entry.get("allowed_transitions").and_then(Value::as_array)?;
        Some((name, allowed.iter().filter_map(pair).collect()))
    };
    entries.iter().filter_map(moves).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn schema_files_extend_and_change_the_built_in_vocabulary() {
        let statuses = json!({"statuses": [
            {"id": "review", "aliases": ["in-review"], "roles": ["active"], "order": 3},
            {"id": "blocked", "roles": ["blocked", "odd"]},
        ]});
        let types = json!({"definitions": [
            {"name": "Story", "folder": "stories", "aliases": ["user-story"], "default_status": "in-review"},
            {"name": "Bad", "folder": "../out"},
        ]});
        let files = SchemaFiles { types: Some(&types), statuses: Some(&statuses), ..SchemaFiles::default() };
        let (schema, problems) = WorkspaceSchema::read(files);
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert_eq!(schema.statuses().canonical("In-Review"), Some("review"));
        assert_eq!(schema.statuses().canonical("cancelled"), Some("canceled"));
        assert!(schema.statuses().is_terminal("cancelled") && !schema.statuses().is_terminal("nonsense"));
        assert_eq!(schema.item_type("USER-STORY").map(|known| known.folder.as_str()), Some("stories"));
        assert_eq!(schema.item_type("bad").map(|known| known.folder.as_str()), Some("bads"));
        assert_eq!((schema.default_status("Story"), schema.default_status("Task")), ("review", "open"));
        assert_eq!(schema.types().count(), 13);
    }

    #[test]
    fn a_schema_file_of_another_shape_is_reported_and_left_out() {
        let wrong = json!(["no object"]);
        let (schema, problems) =
            WorkspaceSchema::read(SchemaFiles { fields: Some(&wrong), ..SchemaFiles::default() });
        assert_eq!(problems.len(), 1);
        assert_eq!(schema, WorkspaceSchema::default());
    }

    #[test]
    fn status_moves_follow_the_workflow_of_the_type() {
        let settings = json!({"schema": {"type_workflows": [
            {"type": "Task", "allowed_transitions": [["open", "in-progress"]]}]}});
        let (schema, _) =
            WorkspaceSchema::read(SchemaFiles { settings: Some(&settings), ..SchemaFiles::default() });
        assert!(schema.allows_move("task", "open", "in_progress"));
        assert!(!schema.allows_move("Task", "open", "closed"));
        assert!(
            schema.allows_move("Issue", "open", "closed") && schema.allows_move("Task", "closed", "closed")
        );
    }
}
