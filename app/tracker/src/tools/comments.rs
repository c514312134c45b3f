//! `pm_comments`.

use std::sync::Arc;

use pm_mcp::ToolEntry;
use pm_tracker_domain::change::{Change, LogKind};
use pm_tracker_ports::Target;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::arguments::Arguments;
use super::call::Call;
use super::name::ToolName;
use super::write_call::writing_tool;
use crate::failure::{Failure, Problem};
use crate::tracker::Tracker;
use crate::vocabulary::Vocabulary;
use crate::writing::{Asked, Receipt, edit};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Action {
    #[default]
    List,
    Add,
    Edit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    #[default]
    Comment,
    Note,
    Learning,
}

impl From<Kind> for LogKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Comment => Self::Comment,
            Kind::Note => Self::Note,
            Kind::Learning => Self::Learning,
        }
    }
}

#[derive(Debug, Deserialize)]
struct CommentsArguments {
    id: String,
    #[serde(default)]
    kind: Kind,
    #[serde(default)]
    action: Action,
    text: Option<String>,
    index: Option<usize>,
    #[serde(default = "limit")]
    limit: usize,
}

const fn limit() -> usize {
    20
}

/// The newest entries of a log, oldest of them first.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct LogPage {
    /// Full id.
    id: String,
    /// Which log.
    kind: String,
    /// The entries.
    entries: Vec<LogEntry>,
    /// How many there are in all.
    total: usize,
}

/// One entry of a log.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct LogEntry {
    /// Place in the log, from 1; good for `edit`.
    index: usize,
    /// When, RFC 3339.
    created_at: String,
    /// Who.
    author: String,
    /// What.
    text: String,
    /// When it was changed last, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    edited_at: Option<String>,
}

/// A page when listing, else a receipt.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(extend("type" = "object"))]
enum LogAnswer {
    Page(LogPage),
    Receipt(Receipt),
}

pub(super) fn entry(tracker: &Arc<Tracker>, vocabulary: &Vocabulary) -> ToolEntry {
    let input = Arguments::new()
        .id("id", "The item")
        .required("id")
        .choice("kind", ["comment", "note", "learning"], "Which log; comment unless told.")
        .choice("action", ["list", "add", "edit"], "What to do; list unless told.")
        .long_text("text", "What to add, or the new text of the entry.")
        .with(
            "index",
            json!({"type": "integer", "minimum": 1, "description": "The entry to edit, as listed."}),
        )
        .limit(1, 200, 20, "Most entries listed; the newest are kept.")
        .writing()
        .finish(vocabulary);
    writing_tool(tracker, ToolName::Comments, input, false, comments)
}

async fn comments(call: Call, asked: Asked, own: CommentsArguments) -> Result<LogAnswer, Problem> {
    let view = call.view().await?;
    let item = view.find(&own.id)?;
    let log = LogKind::from(own.kind);
    let text = || own.text.clone().ok_or_else(|| Failure::argument("text", "is needed to add or edit"));
    let change = match own.action {
        Action::List => {
            let all: Vec<LogEntry> = item.records(log.field()).enumerate().map(listed).collect();
            let total = all.len();
            let entries = all.into_iter().skip(total.saturating_sub(own.limit)).collect();
            let (id, kind) = (item.id().to_owned(), log.field().to_owned());
            return Ok(LogAnswer::Page(LogPage { id, kind, entries, total }));
        }
        Action::Add => Change::LogAdd { log, text: text()? },
        Action::Edit => {
            let index = own.index.ok_or_else(|| Failure::argument("index", "is needed to edit"))?;
            Change::LogEdit { log, index, text: text()? }
        }
    };
    let target = Target::Item(item.id().to_owned());
    edit(&call.tracker, &call.context, &view, target, &asked, change).await.map(LogAnswer::Receipt)
}

fn listed((at, record): (usize, &serde_json::Map<String, Value>)) -> LogEntry {
    let text = |key: &str| record.get(key).and_then(Value::as_str).map(str::to_owned);
    LogEntry {
        index: at + 1,
        created_at: text("created_at").unwrap_or_default(),
        author: text("author").unwrap_or_default(),
        text: text("text").unwrap_or_default(),
        edited_at: text("edited_at"),
    }
}
