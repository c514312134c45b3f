//! What keeps a harness from setting up its adapter.

use std::error::Error;

/// A harness cannot make, share or open its adapter again; the test fails with it. Any error becomes one by `?`.
pub type HarnessError = Box<dyn Error + Send + Sync>;
