//! Probes any server of the Model Context Protocol as hosts do, and says in plain words what is wrong and what to
//! change.
//!
//! [`examine`] talks to a [`Target`], a command on stdio or a URL, and gives a [`Report`]. It calls no tool that the
//! server offers, so nothing is changed by it; it trusts nothing that the server says, and every wait and every length
//! has a bound.

mod checks;
mod examine;
mod finding;
mod message;
mod peer;
mod target;
mod url;

pub use examine::{Settings, examine};
pub use finding::{Finding, Level, Report};
pub use target::{Target, TargetError};
pub use url::Url;
