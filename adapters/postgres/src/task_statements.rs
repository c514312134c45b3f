//! The statements of the task store, one a call.

use crate::schema_name::SchemaName;

/// Each is prepared once a connection and named by its text.
#[derive(Debug)]
pub(crate) struct TaskStatements {
    pub(crate) create: String,
    pub(crate) load: String,
    pub(crate) replace: String,
    pub(crate) remove: String,
    pub(crate) due_first: String,
    pub(crate) due_after: String,
    pub(crate) unfinished_first: String,
    pub(crate) unfinished_after: String,
    pub(crate) held: String,
}

impl TaskStatements {
    pub(crate) fn of(schema: &SchemaName) -> Self {
        let name = schema.as_str();
        let columns = "id, revision, principal, due, finished, body";
        let revision = format!("nextval('{name}.task_revisions')");
        let select = format!("SELECT {columns} FROM {name}.tasks");
        Self {
            create: format!(
                "INSERT INTO {name}.tasks ({columns}) VALUES ($1, {revision}, $2, $3, $4, $5)
                 ON CONFLICT (id) DO NOTHING RETURNING revision"
            ),
            load: format!("{select} WHERE id = $1"),
            replace: format!(
                "UPDATE {name}.tasks
                 SET revision = {revision}, principal = $3, due = $4, finished = $5, body = $6
                 WHERE id = $1 AND revision = $2 RETURNING revision"
            ),
            remove: format!("DELETE FROM {name}.tasks WHERE id = $1 AND revision = $2 RETURNING revision"),
            due_first: format!("{select} WHERE due <= $1 ORDER BY due, id LIMIT $2"),
            due_after: format!("{select} WHERE due <= $1 AND (due, id) > ($3, $4) ORDER BY due, id LIMIT $2"),
            unfinished_first: format!("{select} WHERE NOT finished ORDER BY id LIMIT $1"),
            unfinished_after: format!("{select} WHERE NOT finished AND id > $2 ORDER BY id LIMIT $1"),
            held: format!("SELECT count(*) FROM {name}.tasks WHERE principal = $1"),
        }
    }
}
