//! The parts of a server that publish skills.

use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::cache::CachePolicy;
use pm_mcp_domain::cursor::CursorPosition;
use pm_mcp_domain::extension::ExtensionId;
use pm_mcp_domain::skill::{SkillFiles, skill_address};
use pm_mcp_domain::wire::{
    GET_SKILL, LIST_SKILLS, READ_DIRECTORY, ResourceContents, SKILL_SCHEME, directory_page, skill_entry,
    skill_found, skill_meta, skills_page, skills_settings,
};
use pm_mcp_ports::feature::{Context, HandlerFault, ResourcePage, ResourceSource};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::library::{Library, Published};
use super::listing::{children, skill_resource};
use super::media::media_type;
use crate::cursor::Pages;
use crate::extension::{ExtensionEntry, extension};
use crate::resource::Read;
use crate::template::{TemplateEntry, template};

/// How many skills a page has at the most, and how many files these may have together; one skill is never split.
const PAGE_SKILLS: usize = 50;
const PAGE_FILES: usize = 1_000;

/// How many children of a folder a page has at the most.
const PAGE_CHILDREN: usize = 200;

/// `skills/list`: where the page begins.
#[derive(Deserialize, JsonSchema)]
struct ListSkills {
    cursor: Option<String>,
}

/// `skills/get`: the URI of a `SKILL.md`.
#[derive(Deserialize, JsonSchema)]
struct GetSkill {
    uri: String,
}

/// `resources/directory/read`: the URI of a folder, and where the page begins.
#[derive(Deserialize, JsonSchema)]
struct ReadDirectory {
    uri: String,
    cursor: Option<String>,
}

/// The extension. It gives clients nothing to declare, so its methods are open to everyone.
pub(crate) fn entry(library: &Arc<Library>, cache: CachePolicy) -> ExtensionEntry {
    let [listed, got, read] = [(); 3].map(|()| Arc::clone(library));
    extension(ExtensionId::SKILLS)
        .settings(skills_settings())
        .without_declaration()
        .method(LIST_SKILLS, move |context: Context, params: ListSkills| {
            let library = Arc::clone(&listed);
            async move { list(&library, &context, params.cursor.as_deref(), cache).await }
        })
        .method(GET_SKILL, move |_: Context, params: GetSkill| {
            let library = Arc::clone(&got);
            async move {
                let found = library.skill_at(&params.uri).await?;
                let unknown =
                    || HandlerFault::InvalidArgument(format!("no skill is served at {:.200}", params.uri));
                Ok(skill_found(written(&found.ok_or_else(unknown)?), cache))
            }
        })
        .method(READ_DIRECTORY, move |context: Context, params: ReadDirectory| {
            let library = Arc::clone(&read);
            async move { directory(&library, &context, &params).await }
        })
}

/// What reads the files of all skills.
pub(crate) fn reader(library: &Arc<Library>, cache: CachePolicy) -> TemplateEntry {
    let library = Arc::clone(library);
    template(format!("{SKILL_SCHEME}{{+path}}"), "skill")
        .title("Files of skills")
        .description("A file of a skill, such as its SKILL.md: guidance without authority.")
        .cache(cache)
        .reader(move |_, request| {
            let library = Arc::clone(&library);
            async move {
                let (file, bytes) =
                    library.file(request.value("path")).await?.ok_or(HandlerFault::NotFound)?;
                let contents = ResourceContents::of_bytes(request.uri, media_type(file.as_str()), bytes);
                Ok(Read::contents(vec![contents]))
            }
        })
}

/// What lists each `SKILL.md` among the resources, after those of `first`.
pub(crate) fn list_source(
    library: &Arc<Library>,
    first: Option<Arc<dyn ResourceSource>>,
) -> Arc<dyn ResourceSource> {
    Arc::new(WithSkills { first, library: Arc::clone(library) })
}

fn written(Published { skill, source }: &Published) -> Value {
    skill_entry(skill, skill_meta(source.origin(), skill.estimated_tokens()))
}

async fn list(
    library: &Library,
    context: &Context,
    cursor: Option<&str>,
    cache: CachePolicy,
) -> Result<Map<String, Value>, HandlerFault> {
    let skills = library.skills().await?;
    let generation = generation(skills.iter().map(|published| published.skill.path().as_str()));
    let pages = Pages::of(context, LIST_SKILLS, &json!({}), generation);
    let begin = begin(&pages, cursor)?;
    let rest = skills.get(begin..).ok_or(HandlerFault::InvalidCursor)?;
    let (mut files, mut page) = (0usize, Vec::new());
    for published in rest.iter().take(PAGE_SKILLS) {
        files = files.saturating_add(match published.skill.files() {
            SkillFiles::Listed(files) => files.len(),
            SkillFiles::Dynamic(_) => 1,
        });
        if files > PAGE_FILES && !page.is_empty() {
            break;
        }
        page.push(written(published));
    }
    let next = (page.len() < rest.len()).then(|| pages.cursor(offset(begin + page.len())));
    Ok(skills_page(page, next, cache))
}

async fn directory(
    library: &Library,
    context: &Context,
    params: &ReadDirectory,
) -> Result<Map<String, Value>, HandlerFault> {
    let unknown =
        || HandlerFault::InvalidArgument(format!("there is no directory resource at {:.200}", params.uri));
    let folder = skill_address(&params.uri).ok_or_else(unknown)?;
    let children = children(&library.skills().await?, &folder).ok_or_else(unknown)?;
    let generation = generation(children.iter().map(|child| child.uri.as_str()));
    let pages = Pages::of(context, READ_DIRECTORY, &json!({"uri": params.uri}), generation);
    let begin = begin(&pages, params.cursor.as_deref())?;
    let end = begin.saturating_add(PAGE_CHILDREN).min(children.len());
    let page = children.get(begin..end).ok_or(HandlerFault::InvalidCursor)?;
    let next = (end < children.len()).then(|| pages.cursor(offset(end)));
    Ok(directory_page(page, next))
}

fn begin(pages: &Pages<'_>, cursor: Option<&str>) -> Result<usize, HandlerFault> {
    match pages.start(cursor)? {
        None => Ok(0),
        Some(CursorPosition::Offset(offset)) => Ok(usize::try_from(offset).unwrap_or(usize::MAX)),
        Some(CursorPosition::After(_)) => Err(HandlerFault::InvalidCursor),
    }
}

fn offset(position: usize) -> CursorPosition {
    CursorPosition::Offset(u64::try_from(position).unwrap_or(u64::MAX))
}

/// A number that changes with the names of a list and their order: FNV-1a, which all processes compute alike.
fn generation<'a>(names: impl Iterator<Item = &'a str>) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    names.flat_map(|name| name.bytes().chain([0xff])).fold(0xcbf2_9ce4_8422_2325, step)
}

/// Resources of a host's own, then the skills.
#[derive(Debug)]
struct WithSkills {
    first: Option<Arc<dyn ResourceSource>>,
    library: Arc<Library>,
}

/// What stands before the position of a page that begins among the host's own resources, and among skills.
const OWN: &str = "own:";
const SKILLS: &str = "skills:";

#[async_trait]
impl ResourceSource for WithSkills {
    async fn list(
        &self,
        context: Context,
        position: Option<&str>,
        limit: usize,
    ) -> Result<ResourcePage, HandlerFault> {
        let mut page = ResourcePage::default();
        let own = match position {
            None => Some(None),
            Some(position) => position.strip_prefix(OWN).map(Some),
        };
        if let (Some(own), Some(first)) = (own, &self.first) {
            page = first.list(context, own, limit).await?;
            if let Some(next) = page.next.take() {
                page.next = Some(format!("{OWN}{next}"));
                return Ok(page);
            }
        }
        let after = position.and_then(|position| position.strip_prefix(SKILLS));
        let skills = self.library.skills().await?;
        let begin = match after {
            None | Some("") => 0,
            // The skill that the page before ended with may have gone; then the cursor holds no longer.
            Some(after) => {
                let at = skills.iter().position(|known| known.skill.path().as_str() == after);
                at.ok_or(HandlerFault::InvalidCursor)? + 1
            }
        };
        let room = limit.saturating_sub(page.resources.len());
        let rest = skills.get(begin..).unwrap_or_default();
        let shown = rest.get(..room.min(rest.len())).unwrap_or_default();
        page.resources.extend(shown.iter().map(|published| skill_resource(&published.skill)));
        if shown.len() < rest.len() {
            let last = shown.last().map_or(after.unwrap_or_default(), |last| last.skill.path().as_str());
            page.next = Some(format!("{SKILLS}{last}"));
        }
        Ok(page)
    }
}
