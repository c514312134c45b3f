//! The keys of an issuer, found over HTTPS and kept for a while.

mod keys;
mod location;
mod look;
mod schedule;

pub use keys::IssuerKeys;
pub use location::KeyLocation;
pub use look::LookError;
pub use schedule::Schedule;
