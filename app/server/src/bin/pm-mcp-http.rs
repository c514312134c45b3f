//! The Streamable HTTP server.

use std::process::ExitCode;

fn main() -> ExitCode {
    pm_mcp_server::run(pm_mcp_server::settings::Program::Http)
}
