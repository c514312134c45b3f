//! The conformance matrix: one row for each change that the revision made, with its owner and its evidence.
//!
//! `tests/architecture/matrix.json` says what belongs to a row and which tests show it; `docs/requirements.json` says how
//! far its requirements are. [`faults`] finds what is not classified or not there, [`page`] writes
//! `docs/conformance-matrix.md`.

mod duty;
mod judge;
mod page;
mod row;

pub use duty::{duties, gate_duties};
pub use judge::faults;
pub use page::page;
pub use row::{Cell, Matrix, OUTCOMES, Row};
