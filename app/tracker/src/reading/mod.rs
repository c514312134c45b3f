//! Questions on a workspace and the shapes of their answers, shared by tools, resources and prompts.

mod context;
mod events;
mod graph;
mod health;
mod item;
mod next;
mod report;
mod row;
mod schema;
mod validation;

pub use context::{Blocking, Context, ContextDepth, ContextQuestion, Counts, HighLevel, context};
pub use events::{Event, EventPosition, EventStart, Events, EventsQuestion, events};
pub use graph::{GraphQuestion, GraphRender, GraphResult, graph};
pub use health::{HealthQuestion, health};
pub use item::{Child, Children, ItemAt, ItemDepth, ItemView, item};
pub use next::{Blocker, Next, NextQuestion, Recommended, State, Totals, Waiting, next};
pub use report::CheckReport;
pub use row::{ItemRow, Rows};
pub use validation::{ValidationQuestion, validation, whole_validation};

pub(crate) use schema::{open_values, schema_of};
