//! What tokens allow in a tracker.

/// Looking: lists, reads, prompts, completions, streams and tools that change nothing.
pub const READ: &str = "pm:read";

/// Changing items. It does not imply [`READ`]: whoever changes has to be allowed to look, too.
pub const WRITE: &str = "pm:write";
