//! Making an empty workspace.

mod create;
mod prefix;

pub use create::{InitError, Made, create, project_around};
