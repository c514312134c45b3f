//! Extensions: what a server adds to the protocol.
//!
//! [`ExtensionTable`] is made when the server is built. A request that uses no extension never reaches this module: its
//! method is found among the core's, and what it declares of extensions that the server does not have stays unread.

mod call;
mod spec;
mod table;

pub use spec::{ExtensionSpec, MethodSpec};
pub(crate) use table::ExtensionTable;
