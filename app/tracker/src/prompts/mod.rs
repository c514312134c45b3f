//! The tracker's prompts. Each puts facts before the words: what it speaks of is embedded as a resource.

mod claim;
mod close;
mod entries;
mod found;
mod orient;
mod skill;

pub use entries::prompts;

pub(crate) use skill::skills;
