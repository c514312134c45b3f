//! What a folder holds, and how skills look as resources.

use std::collections::BTreeMap;

use pm_mcp_domain::skill::{SKILL_FILE, Skill, SkillFilePath};
use pm_mcp_domain::wire::{Resource, SKILL_SCHEME, directory_resource, skill_uri};

use super::library::Published;
use super::media::media_type;

/// The `SKILL.md` of a skill as a resource: named and described as the skill is.
pub(super) fn skill_resource(skill: &Skill) -> Resource {
    Resource {
        uri: skill_uri(skill),
        name: skill.path().name().to_owned(),
        description: Some(skill.description().to_owned()),
        mime_type: Some(media_type(SKILL_FILE).to_owned()),
        size: skill.file(SKILL_FILE).map(|file| file.size),
        ..Resource::default()
    }
}

/// The direct children of the folder at a path below the scheme, ordered by name; `None` when there is no such folder.
pub(super) fn children(skills: &[Published], folder: &str) -> Option<Vec<Resource>> {
    let mut children = BTreeMap::new();
    for Published { skill, .. } in skills {
        for file in skill.paths() {
            let whole = format!("{}/{}", skill.path(), file.as_str());
            let Some(rest) = whole.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')) else {
                continue;
            };
            match rest.split_once('/') {
                // Of a nested skill the same files are told by more than one skill.
                Some((name, _)) => {
                    let directory = || directory_resource(folder_uri(skill, file, folder), name.to_owned());
                    children.entry(name.to_owned()).or_insert_with(directory);
                }
                None => {
                    children.entry(rest.to_owned()).or_insert_with(|| file_resource(skill, file, rest));
                }
            }
        }
    }
    (!children.is_empty()).then(|| children.into_values().collect())
}

fn file_resource(skill: &Skill, file: &SkillFilePath, name: &str) -> Resource {
    if file.as_str() == SKILL_FILE {
        return skill_resource(skill);
    }
    Resource {
        uri: skill.path().file_uri(file),
        name: name.to_owned(),
        mime_type: Some(media_type(name).to_owned()),
        size: skill.file(file.as_str()).map(|file| file.size),
        ..Resource::default()
    }
}

/// The URI of the child of `folder` that `file` is in, cut out of the URI of a file in it, so that it is encoded alike.
fn folder_uri(skill: &Skill, file: &SkillFilePath, folder: &str) -> String {
    let uri = skill.path().file_uri(file);
    let segments = folder.split('/').count() + 1;
    let path = uri.strip_prefix(SKILL_SCHEME).unwrap_or(&uri);
    let kept: Vec<&str> = path.split('/').take(segments).collect();
    format!("{SKILL_SCHEME}{}", kept.join("/"))
}
