//! Ports of the work tracker: where its items, histories and settings come from.
