//! The two programs.

/// One of the two programs that read the settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(clippy::exhaustive_enums, reason = "there are exactly two programs")]
pub enum Program {
    /// `pm-mcp`, on standard input and output.
    Stdio,
    /// `pm-mcp-http`, on Streamable HTTP.
    Http,
}

impl Program {
    /// The name of the executable.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stdio => "pm-mcp",
            Self::Http => "pm-mcp-http",
        }
    }

    /// What the program does, in one sentence.
    #[must_use]
    pub const fn purpose(self) -> &'static str {
        match self {
            Self::Stdio => {
                "Serves a work tracker in a git repository over MCP on standard input and output, one JSON-RPC \
                 message a line."
            }
            Self::Http => {
                "Serves a work tracker in a git repository over MCP at POST /mcp, on the loopback interface unless told otherwise."
            }
        }
    }
}
