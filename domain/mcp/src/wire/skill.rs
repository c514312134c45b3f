//! Skills, as the extension `io.modelcontextprotocol/skills` writes them.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::{Map, Value, json};

use super::resource::Resource;
use crate::cache::CachePolicy;
use crate::skill::{SKILL_FILE, Skill, SkillFilePath, SkillFiles};

/// The identifier of the extension.
pub const SKILLS_EXTENSION: &str = "io.modelcontextprotocol/skills";

/// The scheme of skills and their files, with what separates it from the path.
pub const SKILL_SCHEME: &str = "skill://";

/// Lists the skills of a server.
pub const LIST_SKILLS: &str = "skills/list";

/// Gives one skill by its URI.
pub const GET_SKILL: &str = "skills/get";

/// Lists what a folder holds.
pub const READ_DIRECTORY: &str = "resources/directory/read";

/// The media type of folders.
const DIRECTORY_TYPE: &str = "inode/directory";

/// What discovery says of the extension: folders can be read too.
#[must_use]
pub fn skills_settings() -> Value {
    json!({"directoryRead": true})
}

/// A skill as it is listed ("Skill Entries"). `meta` is what the server says of it beside what its author wrote.
#[must_use]
pub fn skill_entry(skill: &Skill, meta: Map<String, Value>) -> Value {
    let resources = match skill.files() {
        SkillFiles::Dynamic(_) => json!("dynamic"),
        SkillFiles::Listed(files) => files
            .iter()
            .map(|file| {
                let uri = skill.path().file_uri(&file.path);
                json!({"uri": uri, "digest": file.digest, "size": file.size})
            })
            .collect(),
    };
    let mut entry = Map::from_iter([
        ("uri".to_owned(), json!(skill_uri(skill))),
        ("frontmatter".to_owned(), Value::Object(skill.front_matter().clone())),
        ("resources".to_owned(), resources),
    ]);
    if !meta.is_empty() {
        entry.insert("_meta".to_owned(), Value::Object(meta));
    }
    Value::Object(entry)
}

/// What a server says of a skill beside what its author wrote: whose words it is, roughly how many tokens a model reads
/// when it is loaded, and that it is data from the server, not something to trust.
#[must_use]
pub fn skill_meta(origin: &str, estimated_tokens: Option<u64>) -> Map<String, Value> {
    let mut meta = Map::from_iter([
        ("pm-mcp/origin".to_owned(), json!(origin)),
        ("pm-mcp/untrusted".to_owned(), json!(true)),
    ]);
    if let Some(tokens) = estimated_tokens {
        meta.insert("pm-mcp/estimatedTokens".to_owned(), json!(tokens));
    }
    meta
}

/// The URI of the `SKILL.md`, by which a skill is known.
#[must_use]
pub fn skill_uri(skill: &Skill) -> String {
    SkillFilePath::parse(SKILL_FILE).map(|file| skill.path().file_uri(&file)).unwrap_or_default()
}

/// A page of `skills/list`.
#[must_use]
pub fn skills_page(
    skills: Vec<Value>,
    next_cursor: Option<String>,
    cache: CachePolicy,
) -> Map<String, Value> {
    page(Map::from_iter([("skills".to_owned(), Value::Array(skills))]), next_cursor, Some(cache))
}

/// The result of `skills/get`.
#[must_use]
pub fn skill_found(skill: Value, cache: CachePolicy) -> Map<String, Value> {
    page(Map::from_iter([("skill".to_owned(), skill)]), None, Some(cache))
}

/// A page of `resources/directory/read`.
#[must_use]
pub fn directory_page(children: &[Resource], next_cursor: Option<String>) -> Map<String, Value> {
    page(Map::from_iter([("resources".to_owned(), json!(children))]), next_cursor, None)
}

/// A folder, as a child of another.
#[must_use]
pub fn directory_resource(uri: String, name: String) -> Resource {
    Resource { uri, name, mime_type: Some(DIRECTORY_TYPE.to_owned()), ..Resource::default() }
}

fn page(
    mut result: Map<String, Value>,
    next_cursor: Option<String>,
    cache: Option<CachePolicy>,
) -> Map<String, Value> {
    if let Some(cursor) = next_cursor {
        result.insert("nextCursor".to_owned(), Value::String(cursor));
    }
    match cache {
        Some(cache) => super::result::with_cache_policy(result, cache),
        None => result,
    }
}
