//! The bundled servers pm-mcp (stdio) and pm-mcp-http (Streamable HTTP) over a work tracker in a git repository.
