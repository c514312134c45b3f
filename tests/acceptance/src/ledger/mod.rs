//! A second reading of the workspace format, made from its description alone, so that what a server writes is not judged
//! by the code that wrote it: files, canonical JSON, patches, hashes.

mod canonical;
mod file;
mod patch;
mod stream;

pub use canonical::{canonical, hash_of};
pub use file::read_item;
pub use stream::{Ledger, Snapshot};
