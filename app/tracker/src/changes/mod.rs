//! Telling subscribers what changed in a workspace, whoever changed it.
//!
//! Two snapshots are compared, so a change is announced exactly once: what this server wrote and has announced is no
//! difference any more when the operating system tells of it, and neither are the same bytes written again.

mod announcement;
mod difference;
mod follow;

pub use follow::{Announced, Follower};
