//! The tracker's tools.
