//! The house rules, each a pure function from what the tree holds to the faults it finds.
//!
//! The rules decide over plain data (edges, texts, lists of names) so that a test can feed them a deliberate
//! violation. Reading the tree and asking cargo are kept apart, in [`tree`] and [`cargo`]. Nothing here knows
//! what the crates do, only who may lean on whom and what their files may look like.

pub mod cargo;
pub mod code;
pub mod edges;
pub mod facade;
pub mod fault;
pub mod generated;
pub mod layout;
pub mod manifest;
pub mod matrix;
pub mod pages;
pub mod publish;
pub mod purity;
pub mod ratchet;
pub mod refused;
pub mod requirements;
pub mod size;
pub mod suites;
pub mod surface;
pub mod table;
pub mod tests;
pub mod tree;
pub mod wording;
