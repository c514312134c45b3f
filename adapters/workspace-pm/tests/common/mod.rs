//! What several test files share.

mod sample;

pub use sample::Sample;
