//! Unfinished items, which come and go.

use std::sync::Arc;

use pm_mcp::{Annotations, Context, HandlerFault, Resource, ResourcePage, ResourceSource, async_trait};
use pm_tracker_domain::Item;
use pm_tracker_domain::board::{Board, Standing};

use super::uri::item_uri;
use crate::tracker::Tracker;
use crate::workspace::Workspace;

/// Lists one resource for each unfinished item: workspace by workspace, in ranking order.
///
/// A page begins behind the item that the one before ended with. If that item has been finished or deleted since,
/// its cursor no longer holds.
#[derive(Debug)]
pub struct ItemSource {
    tracker: Arc<Tracker>,
}

impl ItemSource {
    /// Lists the items of these workspaces.
    #[must_use]
    pub const fn new(tracker: Arc<Tracker>) -> Self {
        Self { tracker }
    }
}

/// Where a page ended: a workspace, and an item in it or its beginning.
struct Place<'a> {
    workspace: &'a str,
    id: Option<&'a str>,
}

impl<'a> Place<'a> {
    fn parse(position: &'a str) -> Option<Self> {
        let (workspace, id) = position.split_once('/')?;
        Some(Self { workspace, id: Some(id).filter(|id| !id.is_empty()) })
    }
}

#[async_trait]
impl ResourceSource for ItemSource {
    async fn list(
        &self,
        _context: Context,
        position: Option<&str>,
        limit: usize,
    ) -> Result<ResourcePage, HandlerFault> {
        let place =
            position.map(|position| Place::parse(position).ok_or(HandlerFault::InvalidCursor)).transpose()?;
        let mut workspaces: Vec<&Arc<Workspace>> = self.tracker.workspaces().collect();
        let mut after = None;
        if let Some(place) = place {
            let at = workspaces.iter().position(|known| known.name() == place.workspace);
            workspaces.drain(..at.ok_or(HandlerFault::InvalidCursor)?);
            after = place.id;
        }
        let mut page = ResourcePage::default();
        for workspace in workspaces {
            if page.resources.len() == limit {
                page.next = Some(format!("{}/", workspace.name()));
                break;
            }
            let more = self.add(&mut page.resources, workspace, after.take(), limit).await?;
            if let Some(last) = more {
                page.next = Some(format!("{}/{last}", workspace.name()));
                break;
            }
        }
        Ok(page)
    }
}

impl ItemSource {
    /// Adds items of a workspace until the page is full; then gives the id of the last one if there are more.
    async fn add(
        &self,
        resources: &mut Vec<Resource>,
        workspace: &Arc<Workspace>,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Option<String>, HandlerFault> {
        let view = match workspace.view().await {
            Ok(view) => view,
            // Items of a workspace that cannot be read must not hide those of the others.
            Err(problem) if after.is_none() && self.tracker.workspaces().nth(1).is_some() => {
                drop(problem);
                return Ok(None);
            }
            Err(problem) => return Err(problem.into()),
        };
        let (tracker, after) = (Arc::clone(&self.tracker), after.map(str::to_owned));
        let (room, owner) = (limit - resources.len(), Arc::clone(workspace));
        let page = view
            .on_board(move |board, _| {
                let mut unfinished = unfinished(board);
                if let Some(after) = after {
                    unfinished.find(|item| item.id() == after)?;
                }
                let mut page: Vec<Resource> = Vec::new();
                let mut last = None;
                for item in unfinished.by_ref().take(room) {
                    page.push(described(&tracker, &owner, item));
                    last = Some(item.id().to_owned());
                }
                let more = last.filter(|_| unfinished.next().is_some());
                Some((page, more))
            })
            .await?;
        let (page, more) = page.ok_or(HandlerFault::InvalidCursor)?;
        resources.extend(page);
        Ok(more)
    }
}

fn unfinished(board: &Board) -> impl Iterator<Item = &Item> {
    board.ranked().filter(|item| board.standing(item.id()) != Some(Standing::Terminal))
}

fn described(tracker: &Tracker, workspace: &Workspace, item: &Item) -> Resource {
    let last_modified = Some(item.updated_at().to_owned());
    Resource {
        uri: item_uri(tracker, workspace, item.id()),
        name: item.id().to_owned(),
        title: Some(item.title().to_owned()).filter(|title| !title.is_empty()),
        description: Some(format!("{}, {}, priority {}", item.type_name(), item.status(), item.priority())),
        mime_type: Some("application/json".to_owned()),
        size: None,
        annotations: Some(Annotations { last_modified, ..Annotations::default() }),
    }
}
