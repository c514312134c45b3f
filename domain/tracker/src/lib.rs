//! Items, history, ranking, graph, search and checks of a work tracker; pure.

mod item;
mod item_id;
mod schema;

pub use item::{Dependency, Item, ItemError, REQUIRED_FIELDS, WRITABLE_FORMAT_VERSION};
pub use item_id::{ItemId, normalize_prefix};
pub use schema::{
    CustomField, FieldKind, ItemType, SchemaFiles, SchemaProblem, Status, StatusRole, Statuses,
    WorkflowStatuses, WorkspaceSchema, to_json_schema,
};
