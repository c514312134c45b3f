//! What a server adds to the protocol, and what a request says of it
//! ([Extension Negotiation](https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#extension-negotiation)).
//!
//! | Part | Decides |
//! |---|---|
//! | [`ExtensionId`] | what an extension may be called |
//! | [`Extensions`] | which extensions a server has, which methods they add, who may use these |
//! | [`DeclaredExtensions`] | which of them one request declares, and whether its settings are of use |

mod declared;
mod fault;
mod id;
mod method;
mod offer;

pub use declared::{DeclaredExtensions, ExtensionUse};
pub use fault::ExtensionFault;
pub use id::ExtensionId;
pub use method::ExtensionMethod;
pub use offer::{Declaration, ExtensionOffer, Extensions};
