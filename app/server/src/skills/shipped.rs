//! Skills that are part of the program.

use std::sync::{Arc, OnceLock};

use pm_mcp::{HandlerFault, Skill, SkillFilePath, SkillPath, SkillSource, async_trait};
use pm_mcp_skills_dir::{EmbedError, EmbeddedSkillSource};

/// What stands before the names of the program's own skills.
const PREFIX: &str = "pm-mcp";

/// Files of a skill by their paths in it.
type Files = &'static [(&'static str, &'static [u8])];

const SKILLS: [(&str, Files); 4] = [
    (
        "change-many-with-confirmation",
        &[
            ("SKILL.md", include_bytes!("files/change-many-with-confirmation/SKILL.md")),
            (
                "references/operations.md",
                include_bytes!("files/change-many-with-confirmation/references/operations.md"),
            ),
        ],
    ),
    (
        "claim-work-evidence-close",
        &[
            ("SKILL.md", include_bytes!("files/claim-work-evidence-close/SKILL.md")),
            (
                "references/evidence.md",
                include_bytes!("files/claim-work-evidence-close/references/evidence.md"),
            ),
        ],
    ),
    (
        "orient",
        &[
            ("SKILL.md", include_bytes!("files/orient/SKILL.md")),
            ("references/filters.md", include_bytes!("files/orient/references/filters.md")),
        ],
    ),
    (
        "run-checks-as-tasks",
        &[
            ("SKILL.md", include_bytes!("files/run-checks-as-tasks/SKILL.md")),
            ("references/states.md", include_bytes!("files/run-checks-as-tasks/references/states.md")),
        ],
    ),
];

/// The skills that explain how to use the bundled servers, below [`PREFIX`]. Most sessions never ask for them, so they are
/// read when someone does.
#[derive(Debug, Default)]
pub(super) struct Shipped(OnceLock<Result<EmbeddedSkillSource, EmbedError>>);

impl Shipped {
    /// Fails when a skill cannot be published, which a test rules out.
    fn source(&self) -> Result<&EmbeddedSkillSource, HandlerFault> {
        self.0.get_or_init(read).as_ref().map_err(|fault| HandlerFault::internal(fault.clone()))
    }
}

fn read() -> Result<EmbeddedSkillSource, EmbedError> {
    SKILLS.into_iter().try_fold(EmbeddedSkillSource::new(), |source, (name, files)| {
        source.with(&format!("{PREFIX}/{name}"), files)
    })
}

#[async_trait]
impl SkillSource for Shipped {
    fn origin(&self) -> &str {
        "server"
    }

    async fn skills(&self) -> Result<Vec<Arc<Skill>>, HandlerFault> {
        self.source()?.skills().await
    }

    async fn skill(&self, path: &SkillPath) -> Result<Option<Arc<Skill>>, HandlerFault> {
        self.source()?.skill(path).await
    }

    async fn read(&self, skill: &SkillPath, file: &SkillFilePath) -> Result<Option<Vec<u8>>, HandlerFault> {
        self.source()?.read(skill, file).await
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// How many bytes a model reads at the most when it loads one of them; a quarter of that are tokens.
    const LARGEST: usize = 3_600;

    #[test]
    fn the_programs_skills_can_be_published_and_are_short() {
        read().unwrap();
        for (name, files) in SKILLS {
            let main = files.iter().find(|(path, _)| *path == "SKILL.md").unwrap().1;
            assert!(main.len() <= LARGEST, "{name} has {} bytes", main.len());
        }
    }

    #[test]
    fn every_link_of_a_skill_leads_to_one_of_its_files() {
        for (name, files) in SKILLS {
            let paths: BTreeSet<&str> = files.iter().map(|(path, _)| *path).collect();
            let mut linked = BTreeSet::from(["SKILL.md"]);
            for (_, bytes) in files {
                let text = std::str::from_utf8(bytes).unwrap();
                linked.extend(text.split("](").skip(1).filter_map(|rest| rest.split(')').next()));
            }
            assert_eq!(linked, paths, "{name}");
        }
    }
}
