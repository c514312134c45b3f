//! The work tracker as MCP tools, resources and prompts, written against the pm-mcp facade.
