//! What somebody may be about to type: ids, versions, statuses, tags, workspaces.

mod suggest;

pub(crate) use suggest::{in_progress, items, ready, scopes, statuses, versions, workspaces};
