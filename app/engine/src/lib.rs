//! Use cases of the MCP engine: from an inbound message to the answer, through ports only.
