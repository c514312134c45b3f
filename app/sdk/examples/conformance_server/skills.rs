//! Skills: one with everything that an entry can have, one without anything but what it must have.

use pm_mcp::ServerBuilder;
use pm_mcp_skills_dir::{EmbedError, EmbeddedSkillSource};

const REFUNDS: &str = "---
name: refunds
description: Process customer refund requests per company policy. Use when a customer asks for money back.
license: MIT
metadata:
  version: \"1.0\"
---

# Refunds

Choose the letter from `templates/` and fill in the amount.
";

const GREET: &str = "---
name: greet
description: Greet people by name. Use when somebody comes.
---

# Greet

Say hello.
";

pub(crate) fn register(server: ServerBuilder) -> Result<ServerBuilder, EmbedError> {
    let skills = EmbeddedSkillSource::new()
        .with(
            "acme/refunds",
            &[
                ("SKILL.md", REFUNDS.as_bytes()),
                ("templates/letter.md", b"Dear {name}, you get {amount} back.\n"),
                ("templates/regional/eu.json", b"{\"currency\": \"EUR\"}\n"),
                ("logo.png", b"\x89PNG\r\n\x1a\n"),
            ],
        )?
        .with("greet", &[("SKILL.md", GREET.as_bytes())])?;
    Ok(server.skills(skills))
}
