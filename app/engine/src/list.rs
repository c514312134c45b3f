//! The four lists, page by page.

use pm_mcp_domain::cache::CachePolicy;
use pm_mcp_domain::cursor::{CursorPosition, CursorScope, ParamsDigest};
use pm_mcp_domain::fault::Refusal;
use pm_mcp_domain::request::ListKind;
use pm_mcp_domain::wire::{
    ListResult, Prompt, Rendered, Resource, ResourceTemplate, ResultResponse, ServerIdentity, Tool,
};
use pm_mcp_ports::driving::Served;
use pm_mcp_ports::feature::Offer;
use serde::Serialize;
use serde_json::{Map, Value};
use tracing::debug;

use crate::access::View;
use crate::answer::answer;
use crate::build::BuildError;
use crate::exchange::Request;
use crate::failure::Failure;
use crate::settings::{ListCaches, Settings};
use crate::unwind::guard;

/// How the lists are served; a list that fits on one page is serialised once.
#[derive(Debug)]
pub(crate) struct Lists {
    caches: ListCaches,
    page_size: usize,
    resource_page_size: usize,
    filter: ParamsDigest,
    tools: Option<Rendered>,
    templates: Option<Rendered>,
    prompts: Option<Rendered>,
}

impl Lists {
    pub(crate) fn new(
        tools: &[Tool],
        templates: &[ResourceTemplate],
        prompts: &[Prompt],
        identity: &ServerIdentity,
        settings: &Settings,
        caches: ListCaches,
    ) -> Result<Self, BuildError> {
        let Settings { page_size, resource_page_size, .. } = *settings;
        for (size, name) in [(page_size, "page_size"), (resource_page_size, "resource_page_size")] {
            if size == 0 {
                return Err(BuildError::PageSize(name));
            }
        }
        Ok(Self {
            caches,
            page_size,
            resource_page_size,
            filter: ParamsDigest::of_list(&Value::Object(Map::new())),
            tools: whole(identity, ListKind::Tools, tools, caches.tools, page_size)?,
            templates: whole(identity, ListKind::ResourceTemplates, templates, caches.templates, page_size)?,
            prompts: whole(identity, ListKind::Prompts, prompts, caches.prompts, page_size)?,
        })
    }
}

/// The list's only page, serialised, if there is only one.
fn whole<T: Serialize>(
    identity: &ServerIdentity,
    kind: ListKind,
    entries: &[T],
    cache: CachePolicy,
    page_size: usize,
) -> Result<Option<Rendered>, BuildError> {
    if entries.len() > page_size {
        return Ok(None);
    }
    Ok(Some(Rendered::new(
        identity,
        &ListResult { member: kind.member(), entries, next_cursor: None, cache },
    )?))
}

/// A list of entries that are all known, and how it is served.
struct KnownList<'e, T> {
    kind: ListKind,
    entries: &'e [T],
    /// What an entry is known by; the generation of the list is computed from it.
    name: fn(&T) -> &str,
    cache: CachePolicy,
    rendered: Option<&'e Rendered>,
}

impl Request<'_> {
    pub(crate) async fn list(&self, kind: ListKind, cursor: Option<&str>) -> Result<Served, Failure> {
        let view = self.view()?;
        let catalogue = &self.surface.catalogue;
        let (tools, templates, prompts, lists) = match &view {
            None => (&catalogue.tools, &catalogue.templates, &catalogue.prompts, &self.surface.lists),
            Some(view) => (&view.tools, &view.templates, &view.prompts, &view.lists),
        };
        match kind {
            ListKind::Resources => self.list_resources(cursor, view.as_deref()).await,
            ListKind::Tools => {
                let (entries, rendered) = (tools, lists.tools.as_ref());
                let list =
                    KnownList { kind, entries, name: |tool| &tool.name, cache: lists.caches.tools, rendered };
                self.list_known(cursor, &list)
            }
            ListKind::ResourceTemplates => {
                let (entries, rendered) = (templates, lists.templates.as_ref());
                let cache = lists.caches.templates;
                let list =
                    KnownList { kind, entries, name: |template| &template.uri_template, cache, rendered };
                self.list_known(cursor, &list)
            }
            ListKind::Prompts => {
                let (entries, rendered) = (prompts, lists.prompts.as_ref());
                let list = KnownList {
                    kind,
                    entries,
                    name: |prompt| &prompt.name,
                    cache: lists.caches.prompts,
                    rendered,
                };
                self.list_known(cursor, &list)
            }
        }
    }

    fn list_known<T: Serialize>(
        &self,
        cursor: Option<&str>,
        list: &KnownList<'_, T>,
    ) -> Result<Served, Failure> {
        if let (None, Some(rendered)) = (cursor, list.rendered) {
            return answer(&ResultResponse::rendered(self.id, rendered)).map(Served::Answered);
        }
        let scope = self.scope(list.kind, generation(list.entries, list.name));
        let start = match cursor.map(|cursor| self.position(cursor, &scope)).transpose()? {
            None => 0,
            Some(CursorPosition::Offset(offset)) => usize::try_from(offset).unwrap_or(usize::MAX),
            Some(CursorPosition::After(_)) => return Err(Refusal::InvalidCursor.into()),
        };
        let end = start.saturating_add(self.surface.lists.page_size).min(list.entries.len());
        let entries = list.entries.get(start..end).ok_or(Refusal::InvalidCursor)?;
        let next_cursor =
            (end < list.entries.len()).then(|| self.core.ports.cursors.seal(&scope, offset(end)));
        let page = ListResult { member: list.kind.member(), entries, next_cursor, cache: list.cache };
        answer(&ResultResponse::of(self.id, &self.core.identity, &page)).map(Served::Answered)
    }

    /// Resources that were added come first, then those of the source. An offset counts the former, a key is the
    /// source's own word.
    async fn list_resources(&self, cursor: Option<&str>, view: Option<&View>) -> Result<Served, Failure> {
        let (known, lists) = match view {
            None => (&self.surface.catalogue.resources, &self.surface.lists),
            Some(view) => (&view.resources, &view.lists),
        };
        let size = lists.resource_page_size;
        let scope = self.scope(ListKind::Resources, generation(known, |resource| &resource.uri));
        let (start, key) = match cursor.map(|cursor| self.position(cursor, &scope)).transpose()? {
            None => (0, None),
            Some(CursorPosition::Offset(offset)) => (usize::try_from(offset).unwrap_or(usize::MAX), None),
            Some(CursorPosition::After(key)) => (known.len(), Some(key)),
        };
        let end = start.saturating_add(size).min(known.len());
        let mut entries: Vec<Resource> = known.get(start..end).ok_or(Refusal::InvalidCursor)?.to_vec();
        let mut next = (end < known.len()).then(|| offset(end));
        if let (None, Some(source)) = (&next, &self.surface.catalogue.source) {
            let room = size - entries.len();
            if room == 0 {
                next = Some(offset(end));
            } else {
                let page =
                    guard("the handler", source.list(self.plain_context(), key.as_deref(), room)).await?;
                let shown =
                    |resource: &Resource| view.is_none() || self.lists(Offer::Resource(&resource.uri));
                entries.extend(page.resources.into_iter().filter(shown));
                next = page.next.map(CursorPosition::After);
            }
        }
        let next_cursor = next.map(|position| self.core.ports.cursors.seal(&scope, position));
        let cache = lists.caches.resources;
        let page = ListResult { member: ListKind::Resources.member(), entries: &entries, next_cursor, cache };
        answer(&ResultResponse::of(self.id, &self.core.identity, &page)).map(Served::Answered)
    }

    fn scope(&self, kind: ListKind, generation: u64) -> CursorScope<'_> {
        let caller = Some(self.caller.principal.as_str());
        CursorScope { list: kind.member(), filter: &self.surface.lists.filter, generation, caller }
    }

    fn position(&self, cursor: &str, scope: &CursorScope<'_>) -> Result<CursorPosition, Refusal> {
        self.core.ports.cursors.position(cursor, scope).map_err(|refusal| {
            debug!(list = scope.list, %refusal, "refused a cursor");
            Refusal::InvalidCursor
        })
    }
}

fn offset(position: usize) -> CursorPosition {
    CursorPosition::Offset(u64::try_from(position).unwrap_or(u64::MAX))
}

/// A number that changes with the names of a list and their order: FNV-1a, which all processes compute alike.
fn generation<T>(entries: &[T], name: fn(&T) -> &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    entries.iter().flat_map(|entry| name(entry).bytes().chain([0xff])).fold(0xcbf2_9ce4_8422_2325, step)
}
