//! Which skills are published, and under which paths.

use pm_mcp::ServerBuilder;
use pm_mcp_skills_dir::DirSkillSource;

use super::shipped::Shipped;
use crate::places::Places;

/// Where a repository keeps skills for agents.
const FOLDER: &str = ".agents/skills";

/// Publishes the program's own skills, then those of each repository. Where there are several workspaces, their names
/// stand before the skills of each. A skill of a repository never takes the place of one of the program's: their paths
/// differ, and an entry says where it comes from.
pub(crate) fn publish(builder: ServerBuilder, places: &Places) -> ServerBuilder {
    let mut builder = builder.skills(Shipped::default());
    let several = places.workspaces().count() > 1;
    for (name, workspace) in places.workspaces() {
        let repository = &workspace.root().repository;
        let mut source = DirSkillSource::new(repository.join(FOLDER)).within(repository);
        if several {
            source = source.prefixed(name);
        }
        builder = builder.skills(source);
    }
    builder
}
