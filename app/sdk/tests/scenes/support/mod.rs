//! What the scenes stand on.

mod figures;
mod gate;
mod log;
mod peer;
mod stage;

pub(crate) use figures::{figure, reached};
pub(crate) use gate::{Gate, Watch};
pub(crate) use log::Log;
pub(crate) use peer::{Exchange, Heard, Peer};
pub(crate) use stage::{Yes, accepted, nothing, stage};
