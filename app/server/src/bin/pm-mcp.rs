//! The stdio server.
fn main() {}
