//! `pm_files`.

use std::sync::Arc;

use pm_mcp::ToolEntry;
use pm_tracker_domain::change::{Change, LinkKind};
use pm_tracker_ports::{LinkTarget, Target};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::arguments::Arguments;
use super::call::Call;
use super::name::ToolName;
use super::write_call::writing_tool;
use crate::failure::{Failure, Problem};
use crate::tracker::Tracker;
use crate::view::View;
use crate::vocabulary::Vocabulary;
use crate::writing::{Asked, Receipt, edit};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Action {
    #[default]
    List,
    Add,
    Remove,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    #[default]
    File,
    Doc,
}

impl From<Kind> for LinkKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::File => Self::File,
            Kind::Doc => Self::Doc,
        }
    }
}

#[derive(Debug, Deserialize)]
struct FilesArguments {
    id: String,
    #[serde(default)]
    kind: Kind,
    #[serde(default)]
    action: Action,
    path: Option<String>,
    note: Option<String>,
}

/// The linked files or documents of an item, in stored order.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct LinkPage {
    /// Full id.
    id: String,
    /// `files` or `docs`.
    kind: String,
    /// The links.
    links: Vec<Linked>,
    /// How many there are.
    total: usize,
}

/// One link.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Linked {
    /// The path, relative to the repository.
    path: String,
    /// `project` or `global`.
    scope: String,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// Where it leads now: `file`, `folder`, `missing` or `outside`.
    leads_to: &'static str,
}

/// A page when listing, else a receipt.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(extend("type" = "object"))]
enum LinkAnswer {
    Page(LinkPage),
    Receipt(Receipt),
}

pub(super) fn entry(tracker: &Arc<Tracker>, vocabulary: &Vocabulary) -> ToolEntry {
    let path = json!({
        "type": "string", "minLength": 1, "maxLength": 1000,
        "description": "The path to add or to take out, relative to the repository."
    });
    let input = Arguments::new()
        .id("id", "The item")
        .required("id")
        .choice(
            "kind",
            ["file", "doc"],
            "Files that the work touches, or documents about it; file unless told.",
        )
        .choice("action", ["list", "add", "remove"], "What to do; list unless told.")
        .with("path", path)
        .text("note", "What the file is for.")
        .writing()
        .finish(vocabulary);
    writing_tool(tracker, ToolName::Files, input, true, files)
}

async fn files(call: Call, asked: Asked, own: FilesArguments) -> Result<LinkAnswer, Problem> {
    let view = call.view().await?;
    let item = view.find(&own.id)?;
    let list = LinkKind::from(own.kind);
    let path = || own.path.clone().ok_or_else(|| Failure::argument("path", "is needed to add or remove"));
    let mut warning = None;
    let change = match own.action {
        Action::List => {
            let links: Vec<&Map<String, Value>> = item.records(list.field()).collect();
            return Ok(LinkAnswer::Page(page(&view, item.id(), list, &links).await?));
        }
        Action::Add => {
            let path = path()?;
            match targets(&view, std::slice::from_ref(&path)).await?.first() {
                Some(LinkTarget::Outside) => {
                    return Err(
                        Failure::argument("path", "leads out of the repository; link a path inside").into()
                    );
                }
                Some(LinkTarget::Missing) => {
                    warning = Some(format!("file_missing: there is nothing at `{path}` yet"));
                }
                Some(LinkTarget::File | LinkTarget::Folder) | None => {}
            }
            Change::LinkAdd { list, path, note: own.note.clone() }
        }
        Action::Remove => Change::LinkRemove { list, path: path()? },
    };
    let target = Target::Item(item.id().to_owned());
    let mut receipt = edit(&call.tracker, &call.context, &view, target, &asked, change).await?;
    receipt.warnings.extend(warning);
    Ok(LinkAnswer::Receipt(receipt))
}

async fn page(
    view: &View,
    id: &str,
    list: LinkKind,
    links: &[&Map<String, Value>],
) -> Result<LinkPage, Problem> {
    let text =
        |link: &Map<String, Value>, key: &str| link.get(key).and_then(Value::as_str).map(str::to_owned);
    let paths: Vec<String> = links.iter().map(|link| text(link, "path").unwrap_or_default()).collect();
    let targets = targets(view, &paths).await?;
    let linked = |(link, target): (&&Map<String, Value>, &LinkTarget)| Linked {
        path: text(link, "path").unwrap_or_default(),
        scope: text(link, "scope").unwrap_or_else(|| "project".to_owned()),
        note: text(link, "note"),
        leads_to: match target {
            LinkTarget::File => "file",
            LinkTarget::Folder => "folder",
            LinkTarget::Missing => "missing",
            LinkTarget::Outside => "outside",
        },
    };
    let links: Vec<Linked> = links.iter().zip(&targets).map(linked).collect();
    Ok(LinkPage { id: id.to_owned(), kind: list.field().to_owned(), total: links.len(), links })
}

async fn targets(view: &View, paths: &[String]) -> Result<Vec<LinkTarget>, Problem> {
    let targets = view.repository().link_targets(paths).await;
    targets.map_err(|error| Problem::of_workspace(view.workspace().name(), error))
}
