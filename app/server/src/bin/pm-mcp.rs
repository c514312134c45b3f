//! The stdio server.

use std::process::ExitCode;

fn main() -> ExitCode {
    pm_mcp_server::run(pm_mcp_server::settings::Program::Stdio)
}
