//! The stdio transport: one JSON-RPC message a line.
