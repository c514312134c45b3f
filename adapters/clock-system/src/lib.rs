//! The system clock as the engine's [`Clock`](pm_mcp_ports::driven::Clock). This is the only crate that reads it.

mod system_clock;

pub use system_clock::SystemClock;
