//! The system's clock against the laws of its port.

use pm_mcp_clock_system::SystemClock;
use pm_mcp_contract::{SelfMoving, clock_contract};

clock_contract!(SelfMoving(SystemClock));
