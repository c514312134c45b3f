//! Items, history, ranking, graph, search and checks of a work tracker; pure.

pub mod board;
mod canonical;
pub mod change;
pub mod check;
mod collation;
pub mod graph;
mod history;
pub mod import;
mod item;
mod item_change;
mod item_id;
mod normal;
pub mod picture;
#[cfg(test)]
mod samples;
mod schema;
pub mod search;
mod settings;
mod time;

pub use canonical::{canonical_hash, canonical_json};
pub use collation::collate;
pub use history::{
    Agent, At, AuthorSource, ChainFault, ChainFinding, ChainVerifier, EntryError, EntryLine, HistoryEntry,
    PatchError, Replay, ReplayError, Replayed, Signature, StreamError, StreamTip, TipFollower, difference,
    replay, verify,
};
pub use item::{Dependency, Item, ItemError, REQUIRED_FIELDS, WRITABLE_FORMAT_VERSION};
pub use item_change::ItemChange;
pub use item_id::{ItemId, normalize_prefix};
pub use normal::{Dialect, TOP_LEVEL_KEYS, item_hash, normal_body, normal_form, normal_metadata};
pub use schema::{
    CustomField, FieldKind, ItemType, SchemaFiles, SchemaProblem, Status, StatusRole, Statuses,
    WorkflowStatuses, WorkspaceSchema, to_json_schema,
};
pub use settings::{Enforcement, Governance, GovernancePreset, Settings};
pub use time::{Timestamp, compare_times};
