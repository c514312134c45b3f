//! The tracker's resources: what is fixed, what every workspace has, and one for each unfinished item.

mod claims;
mod entries;
mod schema;
mod source;
pub(crate) mod uri;

pub use claims::{Claim, Claims};
pub use entries::resources;
pub use source::ItemSource;

pub(crate) use entries::{
    AGENT_GUIDE, CLAIMS, CONTEXT, FOCUS, NEXT, SCHEMA, context_question, json, next_question,
};
