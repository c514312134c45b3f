//! Ports of the MCP engine: the traits that transports call and that adapters implement.
