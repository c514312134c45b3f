//! Signed cursors and system randomness, by the ring crate.
