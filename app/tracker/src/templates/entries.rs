//! The templates, what reads them and what completes them.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;

use pm_mcp::{
    CachePolicy, Context, HandlerFault, Read, ResourceRequest, TemplateDraft, TemplateEntry, template,
};

use super::read;
use crate::completions;
use crate::failure::Problem;
use crate::resources::json;
use crate::tracker::Tracker;
use crate::view::View;

const JSON: &str = "application/json";

const BRIEFLY: CachePolicy = CachePolicy::private(2_000);
/// A version of an item never changes.
const A_DAY: CachePolicy = CachePolicy::private(86_400_000);

/// All templates. Each takes the name of a workspace, the default one without.
#[must_use]
pub fn templates(tracker: &Arc<Tracker>) -> Vec<TemplateEntry> {
    let on = Templates { tracker };
    vec![
        on.with_id(
            on.draft("pm://items/{id}{?workspace}", "item")
                .title("Item")
                .description("One item in full.")
                .mime_type(JSON)
                .cache(BRIEFLY),
        )
        .reader(
            on.read(|view, request| async move { json(&read::full_item(&view, request.value("id")).await?) }),
        ),
        on.with_id(
            on.draft("pm://items/{id}/body{?workspace}", "item-body")
                .title("Body of an item")
                .description("The item's body.")
                .mime_type("text/markdown")
                .cache(BRIEFLY),
        )
        .reader(on.read(|view, request| async move { read::body(&view, request.value("id")) })),
        on.with_id(
            on.draft("pm://items/{id}/history{?workspace}", "item-history")
                .title("History of an item")
                .description("The last 100 changes of the item, newest first.")
                .mime_type(JSON)
                .cache(BRIEFLY),
        )
        .reader(on.read(|view, request| async move { read::history(&view, request.value("id")).await })),
        on.with_id(
            on.draft("pm://items/{id}/history/{version}{?workspace}", "item-version")
                .title("Version of an item")
                .description("The item as it was after so many changes.")
                .mime_type(JSON)
                .cache(A_DAY),
        )
        .complete(
            "version",
            on.complete(|view, typed, known| async move {
                completions::versions(&view, known.get("id").map_or("", String::as_str), &typed).await
            }),
        )
        .reader(on.read(|view, request| async move {
            read::version(&view, request.value("id"), request.value("version")).await
        })),
        on.draft("pm://lists/{status}{?workspace}", "list")
            .title("Items with a status")
            .description("The first 200 items with the status, in ranking order, and how many there are.")
            .mime_type(JSON)
            .cache(BRIEFLY)
            .complete(
                "status",
                on.complete(|view, typed, _| async move { Ok(completions::statuses(&view, &typed)) }),
            )
            .reader(on.read(|view, request| async move { read::list(&view, request.value("status")).await })),
    ]
}

struct Templates<'t> {
    tracker: &'t Arc<Tracker>,
}

impl Templates<'_> {
    /// A template whose variable `workspace` is completed.
    fn draft(&self, uri_template: &str, name: &str) -> TemplateDraft {
        let tracker = Arc::clone(self.tracker);
        template(uri_template, name).complete("workspace", move |_, typed: String, _| {
            let names = completions::workspaces(&tracker, &typed);
            async move { Ok(names) }
        })
    }

    fn with_id(&self, draft: TemplateDraft) -> TemplateDraft {
        draft.complete(
            "id",
            self.complete(|view, typed, _| async move { completions::items(&view, typed).await }),
        )
    }

    fn read<F, Fut>(
        &self,
        read: F,
    ) -> impl Fn(Context, ResourceRequest) -> Answer<Read> + Send + Sync + 'static + use<F, Fut>
    where
        F: Fn(View, ResourceRequest) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<String, Problem>> + Send + 'static,
    {
        let (tracker, read) = (Arc::clone(self.tracker), Arc::new(read));
        move |_, request| {
            let (tracker, read) = (Arc::clone(&tracker), Arc::clone(&read));
            Box::pin(async move {
                let view = view(&tracker, &request.values).await?;
                Ok(Read::text(read(view, request).await?))
            })
        }
    }

    fn complete<F, Fut>(
        &self,
        complete: F,
    ) -> impl Fn(Context, String, BTreeMap<String, String>) -> Answer<Vec<String>>
    + Send
    + Sync
    + 'static
    + use<F, Fut>
    where
        F: Fn(View, String, BTreeMap<String, String>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Vec<String>, Problem>> + Send + 'static,
    {
        let (tracker, complete) = (Arc::clone(self.tracker), Arc::new(complete));
        move |_, typed, known| {
            let (tracker, complete) = (Arc::clone(&tracker), Arc::clone(&complete));
            Box::pin(async move {
                match view(&tracker, &known).await {
                    Ok(view) => Ok(complete(view, typed, known).await?),
                    // Half-typed names of workspaces complete nothing, and that is no error.
                    Err(HandlerFault::NotFound) => Ok(Vec::new()),
                    Err(fault) => Err(fault),
                }
            })
        }
    }
}

type Answer<T> = std::pin::Pin<Box<dyn Future<Output = Result<T, HandlerFault>> + Send>>;

/// The workspace that a URI names. There is nothing in one that is not configured.
async fn view(tracker: &Tracker, values: &BTreeMap<String, String>) -> Result<View, HandlerFault> {
    let name = values.get("workspace").map(String::as_str).filter(|name| !name.is_empty());
    let workspace = tracker.workspace(name).map_err(|_| HandlerFault::NotFound)?;
    Ok(workspace.view().await?)
}
