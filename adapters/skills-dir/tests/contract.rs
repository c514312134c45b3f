//! The laws of the port, for a folder and for skills of a program.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_contract::{HarnessError, SampleSkills, SkillSourceHarness};
use pm_mcp_domain::skill::{SkillFilePath, SkillPath};
use pm_mcp_ports::feature::SkillSource;
use pm_mcp_skills_dir::{DirSkillLimits, DirSkillSource, EmbeddedSkillSource};

fn head(name: &str) -> String {
    format!("---\nname: {name}\ndescription: What {name} is for.\n---\n# {name}\n")
}

fn path(path: &str) -> SkillPath {
    SkillPath::parse(path).unwrap()
}

fn write(root: &Path, name: &str, text: &str) {
    fs::create_dir_all(root.join(name)).unwrap();
    fs::write(root.join(name).join("SKILL.md"), text).unwrap();
}

struct Folder;

/// A skill with a link out of it; nothing where there are no links.
fn leads_out(root: &Path, target: &Path) -> Vec<(SkillPath, SkillFilePath)> {
    #[cfg(unix)]
    {
        write(root, "linked", &head("linked"));
        std::os::unix::fs::symlink(target, root.join("linked/link")).unwrap();
        vec![(path("linked"), SkillFilePath::parse("link").unwrap())]
    }
    #[cfg(not(unix))]
    {
        let _ = (root, target);
        Vec::new()
    }
}

#[async_trait]
impl SkillSourceHarness for Folder {
    type Guard = tempfile::TempDir;

    async fn fresh(&self) -> Result<(Arc<dyn SkillSource>, SampleSkills, Self::Guard), HarnessError> {
        let place = tempfile::tempdir()?;
        let root = place.path().join("skills");
        for name in ["refund", "audit", "close-books"] {
            write(&root, name, &head(name));
        }
        fs::write(root.join("audit/steps.md"), "one, two")?;
        write(&root, "bad", "no front matter");
        write(&root, "misnamed", &head("another"));
        write(&root, "large", &format!("{}{}", head("large"), "x".repeat(2_000)));
        fs::write(place.path().join("secret"), "secret")?;
        let outside = leads_out(&root, &place.path().join("secret"));
        let limits = DirSkillLimits { skill_file_bytes: 1_000, ..DirSkillLimits::default() };
        let source = DirSkillSource::new(&root).limits(limits);
        let spoil = move |kept: &SkillPath| {
            for entry in fs::read_dir(&root).unwrap() {
                let folder = entry.unwrap().path();
                if !folder.ends_with(kept.name()) {
                    fs::write(folder.join("SKILL.md"), [0xff, 0xfe]).unwrap();
                }
            }
        };
        let samples = SampleSkills {
            listed: ["refund", "audit", "close-books"].map(path).to_vec(),
            bad: ["bad", "misnamed"].map(path).to_vec(),
            too_large: vec![path("large")],
            outside,
            spoil_others: Some(Box::new(spoil)),
        };
        Ok((Arc::new(source), samples, place))
    }
}

struct Program;

#[async_trait]
impl SkillSourceHarness for Program {
    type Guard = ();

    async fn fresh(&self) -> Result<(Arc<dyn SkillSource>, SampleSkills, ()), HarnessError> {
        let (refund, audit) = (head("refund"), head("audit"));
        let source = EmbeddedSkillSource::new()
            .with("billing/refund", &[("SKILL.md", refund.as_bytes()), ("steps.md", b"one, two")])?
            .with("audit", &[("SKILL.md", audit.as_bytes())])?;
        let samples = SampleSkills {
            listed: ["billing/refund", "audit"].map(path).to_vec(),
            bad: Vec::new(),
            too_large: Vec::new(),
            outside: Vec::new(),
            spoil_others: None,
        };
        Ok((Arc::new(source), samples, ()))
    }
}

mod folder {
    pm_mcp_contract::skill_source_contract!(super::Folder);
}

mod program {
    pm_mcp_contract::skill_source_contract!(super::Program);
}
