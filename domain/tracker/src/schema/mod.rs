//! A workspace's own vocabulary: item types, statuses, custom fields and status moves.
//!
//! Decides how a workspace's schema files and the built-in vocabulary become one. It refuses to know where those
//! files lie.

mod field;
mod item_type;
mod status;
mod value_schema;
mod workspace;

pub use field::{CustomField, FieldKind};
pub use item_type::ItemType;
pub use status::{Status, StatusRole, Statuses};
pub use value_schema::to_json_schema;
pub use workspace::{SchemaFiles, SchemaProblem, WorkflowStatuses, WorkspaceSchema};
