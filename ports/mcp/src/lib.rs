//! Ports of the MCP engine.
//!
//! | Side | Who calls, who implements |
//! |---|---|
//! | [`driving`] | transports call, the engine implements |
//! | [`driven`] | the engine calls, adapters implement |
//! | [`feature`] | the engine calls, a host implements: its tools, resources and prompts |
//!
//! Traits are object safe and used as `Arc<dyn …>`, so that a host picks adapters at run time. No port names a
//! technology. What does no waiting is not `async`.

pub mod driven;
pub mod driving;
pub mod feature;
