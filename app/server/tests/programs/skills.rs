//! Skills as they are published, and what those of the program say.

use std::fs;

use serde_json::{Value, json};

use crate::session::{Session, project};

fn skills(session: &mut Session) -> Vec<Value> {
    session.ask("skills/list", json!({}))["skills"].as_array().unwrap().clone()
}

fn uris(skills: &[Value]) -> Vec<&str> {
    skills.iter().map(|skill| skill["uri"].as_str().unwrap()).collect()
}

const SHIPPED: [&str; 4] = [
    "skill://pm-mcp/change-many-with-confirmation/SKILL.md",
    "skill://pm-mcp/claim-work-evidence-close/SKILL.md",
    "skill://pm-mcp/orient/SKILL.md",
    "skill://pm-mcp/run-checks-as-tasks/SKILL.md",
];

#[test]
fn the_program_and_the_repository_publish_skills_with_their_origin() {
    let folder = project();
    let broken = folder.path().join(".agents/skills/broken");
    fs::create_dir_all(&broken).unwrap();
    fs::write(broken.join("SKILL.md"), "no front matter").unwrap();
    let mut session = Session::start(folder.path(), &[]);
    let listed = skills(&mut session);
    assert_eq!(uris(&listed)[..4], SHIPPED);
    assert_eq!(uris(&listed)[4..], ["skill://close-with-evidence/SKILL.md"]);
    let origins: Vec<&Value> = listed.iter().map(|skill| &skill["_meta"]["pm-mcp/origin"]).collect();
    assert_eq!(origins, ["server", "server", "server", "server", "workspace"]);
    for skill in &listed[..4] {
        let metadata = skill["frontmatter"]["metadata"].as_object().unwrap();
        for told in ["version", "mcp-protocol", "pm-mcp", "tools", "surfaces", "input", "output"] {
            assert!(metadata[told].as_str().is_some_and(|text| !text.is_empty()), "{told}: {metadata:?}");
        }
        assert!(skill["_meta"]["pm-mcp/estimatedTokens"].as_u64().unwrap() <= 900);
    }

    // What the repository changes is there at the next look, without a restart.
    let head = "---\nname: broken\ndescription: Mended now.\n---\n";
    fs::write(broken.join("SKILL.md"), head).unwrap();
    let found = session.ask("skills/get", json!({"uri": "skill://broken/SKILL.md"}));
    assert_eq!(found["skill"]["frontmatter"], json!({"name": "broken", "description": "Mended now."}));
    assert_eq!(session.read("skill://broken/SKILL.md").0, head);
    let discovered = session.ask("server/discover", json!({}));
    assert!(discovered["instructions"].as_str().unwrap().contains("skill://pm-mcp/orient/SKILL.md"));
}

#[test]
fn skills_of_several_workspaces_stand_below_their_names() {
    let (main, site) = (project(), project());
    let named = format!("main={};site={}", main.path().display(), site.path().display());
    let mut session = Session::start(main.path(), &[("PM_MCP_WORKSPACES", &named)]);
    let listed = skills(&mut session);
    assert_eq!(
        uris(&listed)[4..],
        ["skill://main/close-with-evidence/SKILL.md", "skill://site/close-with-evidence/SKILL.md"]
    );
}

#[cfg(unix)]
#[test]
fn no_skill_leads_out_of_the_repository() {
    let (folder, outside) = (project(), project());
    let place = folder.path().join(".agents/skills");
    fs::remove_dir_all(&place).unwrap();
    std::os::unix::fs::symlink(outside.path().join(".agents/skills"), &place).unwrap();
    let mut session = Session::start(folder.path(), &[]);
    assert_eq!(uris(&skills(&mut session)), SHIPPED);
}

/// The calls in the examples of a skill.
fn examples(text: &str) -> Vec<Value> {
    let blocks = text.split("```json").skip(1).filter_map(|rest| rest.split("```").next());
    blocks
        .map(|block| serde_json::from_str(block).unwrap_or_else(|fault| panic!("{fault}: {block}")))
        .collect()
}

/// Each example is a call that the schemas of the running server let pass, as far as it offers the tool.
#[test]
fn the_examples_of_the_programs_skills_fit_the_tools_that_it_offers() {
    let folder = project();
    let mut session = Session::start(folder.path(), &[("PM_MCP_PROFILE", "full")]);
    let offered = session.ask("tools/list", json!({}));
    let offered: Vec<&str> =
        offered["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    let mut tried = 0;
    for skill in skills(&mut session).iter().take(SHIPPED.len()) {
        let named = skill["frontmatter"]["metadata"]["tools"].as_str().unwrap();
        for file in skill["resources"].as_array().unwrap() {
            let text = session.read(file["uri"].as_str().unwrap()).0;
            for call in examples(&text) {
                let name = call["name"].as_str().unwrap();
                assert!(named.split(' ').any(|known| known == name), "{name} in {}", skill["uri"]);
                if !offered.contains(&name) {
                    continue;
                }
                let answer = session.answer("tools/call", call.clone());
                let message = answer["error"]["message"].as_str().unwrap_or_default();
                assert!(!message.starts_with("invalid arguments"), "{call}: {message}");
                tried += 1;
            }
        }
    }
    assert!(tried >= 10, "{tried} examples were tried");
}
