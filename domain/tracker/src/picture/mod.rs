//! Pictures of answers on the graph: a layered drawing of its own as SVG, and the same as Mermaid text.
//!
//! Decides what is shown, where each item stands and what it looks like. The same answer gives the same picture, byte
//! for byte. Work leads from left to right, or from top to bottom where that is narrower: what comes first, and what
//! contains, stands before what waits, and what is contained. Many leaves of one item stand in blocks of columns.

mod bundles;
mod colours;
mod layers;
mod lines;
mod mermaid;
mod order;
mod place;
mod sketch;
mod svg;
#[cfg(test)]
mod tests;
mod words;

pub use mermaid::mermaid;
pub use sketch::{PICTURE_NODES, Picture};
pub use svg::svg;
