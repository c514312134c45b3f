//! Vocabulary and decisions of the Model Context Protocol, revision 2026-07-28; pure, no_std.
