//! Numbers that a server tells of itself.

/// One number, under the name that operators know it by.
///
/// Names and labels come from fixed lists: nothing that a peer sends, and nobody's identity, is ever part of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Figure {
    /// The name, such as `pm_mcp_streams_open`.
    pub name: &'static str,
    /// What it counts, in one sentence.
    pub meaning: &'static str,
    /// Whether it only ever grows.
    pub kind: FigureKind,
    /// What tells figures of one name apart: a label and its value.
    pub label: Option<(&'static str, &'static str)>,
    /// The number.
    pub value: u64,
}

/// How a figure moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(clippy::exhaustive_enums, reason = "whoever shows figures should hear of a new kind")]
pub enum FigureKind {
    /// It only ever grows, from zero at the start of the process.
    Counter,
    /// It goes up and down.
    Gauge,
}
