//! `pm_import`.

use std::sync::Arc;

use pm_mcp::{HandlerFault, ToolEntry};
use pm_tracker_domain::import::ImportFormat;
use serde::Deserialize;
use serde_json::{Value, json};

use super::arguments::Arguments;
use super::call::{Call, long_tool};
use super::name::ToolName;
use super::write_call::split;
use crate::failure::{Failure, Problem};
use crate::importing::{Duplicates, ImportReport, Importing, import};
use crate::tracker::Tracker;
use crate::vocabulary::Vocabulary;

/// Longest text of one import, in bytes.
const LONGEST: u64 = 8 << 20;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ImportArguments {
    format: String,
    content: Option<String>,
    source: Option<String>,
    #[serde(default)]
    duplicates: Duplicates,
    #[serde(default)]
    dry_run: bool,
}

pub(super) fn entry(tracker: &Arc<Tracker>, vocabulary: &Vocabulary) -> ToolEntry {
    let format = "items: objects with the fields of items, as a JSON array or one a line; todos: task lists in Markdown, \
                  or a todo file with a JSON head; beads: the JSONL export of beads.";
    let content = json!({
        "type": "string", "minLength": 1, "maxLength": LONGEST, "description": "What to import."
    });
    let source = json!({
        "type": "string", "minLength": 1, "maxLength": 1000,
        "description": "Instead of `content`: a file of the repository, relative to its root."
    });
    let input = Arguments::new()
        .choice("format", ImportFormat::ALL.map(ImportFormat::name), format)
        .required("format")
        .with("content", content)
        .with("source", source)
        .choice(
            "duplicates",
            ["ask", "skip", "create"],
            "What to do with entries that seem to repeat an item; ask unless told.",
        )
        .flag("dryRun", "Say what would be made, and make nothing.")
        .writing()
        .finish(vocabulary);
    long_tool(tracker, ToolName::Import, input, run)
}

async fn run(call: Call, arguments: Value) -> Result<ImportReport, Problem> {
    let (asked, own): (_, ImportArguments) = split(arguments)?;
    let format = ImportFormat::parse(&own.format)
        .ok_or_else(|| HandlerFault::InvalidArgument(format!("`{}` is no format", own.format)))?;
    let view = call.view().await?;
    let text = match (own.content, own.source) {
        (Some(content), None) => content,
        (None, Some(path)) => match view.repository().repository_text(&path, LONGEST).await {
            Ok(text) => text,
            Err(error) => return Err(Failure::argument("source", error.to_string()).into()),
        },
        (None, None) | (Some(_), Some(_)) => {
            return Err(Failure::argument("content", "give either `content` or `source`").into());
        }
    };
    let importing = Importing { format, text, duplicates: own.duplicates, dry_run: own.dry_run };
    import(&call.tracker, &call.context, view, &asked, importing, &call.watch).await
}
