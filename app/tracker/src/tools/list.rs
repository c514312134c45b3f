//! `pm_list`.

use std::borrow::Cow;
use std::sync::Arc;

use pm_mcp::ToolEntry;
use pm_tracker_domain::board::{NEAR_MAX, Sort, SortKey, near};
use pm_tracker_domain::{Item, TOP_LEVEL_KEYS};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::arguments::Arguments;
use super::call::{Call, reading_tool};
use super::filter::FilterArguments;
use super::name::ToolName;
use super::page::{asked, page};
use crate::failure::{Failure, Problem};
use crate::reading::{ItemRow, open_values};
use crate::tracker::Tracker;
use crate::view::View;
use crate::vocabulary::Vocabulary;

#[derive(Debug, Deserialize)]
struct ListArguments {
    #[serde(flatten)]
    filter: FilterArguments,
    #[serde(default)]
    fields: Vec<String>,
    sort: Option<String>,
    #[serde(default = "limit")]
    limit: usize,
    cursor: Option<String>,
}

const fn limit() -> usize {
    20
}

/// A page of a list.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct ItemPage {
    /// Rows, or the id and the fields that were asked for.
    items: Vec<ListedItem>,
    /// Length of the whole list.
    total: usize,
    /// For the next page, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// A row, or what was asked for of it.
#[derive(Debug, Serialize)]
#[serde(transparent)]
struct ListedItem(Map<String, Value>);

impl JsonSchema for ListedItem {
    fn schema_name() -> Cow<'static, str> {
        "ListedItem".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = ItemRow::json_schema(generator);
        schema.insert("required".to_owned(), json!(["id"]));
        let stored = open_values("A stored field that was asked for, as the item's file holds it.");
        schema.insert("additionalProperties".to_owned(), stored);
        schema.remove("description");
        schema
    }
}

pub(super) fn entry(tracker: &Arc<Tracker>, vocabulary: &Vocabulary) -> ToolEntry {
    let fields = "Show these stored fields and the id instead of the whole row.";
    let orders = SortKey::ALL.into_iter().flat_map(|key| [key.name().to_owned(), format!("-{}", key.name())]);
    let input = FilterArguments::describe(Arguments::new(), vocabulary)
        .texts("fields", fields)
        .choice("sort", orders, "Order; `-` turns it round; rank (default) is the order of work.")
        .limit(1, 200, 20, "Most items of the page.")
        .cursor()
        .finish(vocabulary);
    reading_tool(tracker, ToolName::List, input, list)
}

async fn list(call: Call, arguments: ListArguments) -> Result<ItemPage, Problem> {
    let view = call.view().await?;
    let ListArguments { filter, fields, sort, limit, cursor } = arguments;
    known_fields(&view, &fields)?;
    let filter = filter.read(&view)?;
    let sort = match &sort {
        None => Sort::RANK,
        Some(text) => Sort::parse(text).ok_or_else(|| Failure::argument("sort", "there is no such order"))?,
    };
    let ids: Vec<String> = view
        .on_board(move |board, _| {
            let mut items = board.filtered(&filter);
            board.sort(&mut items, sort);
            items.into_iter().map(|item| item.id().to_owned()).collect()
        })
        .await?;
    let asked = asked(&call, &view, &["limit", "cursor", "fields"]);
    let page = page(&call, "pm_list", &asked, ids.iter().map(String::as_str), cursor.as_deref(), limit)?;
    let shown = ids.get(page.range).unwrap_or_default();
    let rows = view.rows(shown.iter().map(String::as_str)).await?;
    let listed = |id: &String| Some(ListedItem(listed(rows.row(id)?, view.snapshot().item(id)?, &fields)));
    Ok(ItemPage {
        items: shown.iter().filter_map(listed).collect(),
        total: ids.len(),
        next_cursor: page.next,
    })
}

fn listed(row: ItemRow, item: &Item, fields: &[String]) -> Map<String, Value> {
    let mut row = match serde_json::to_value(row) {
        Ok(Value::Object(row)) => row,
        Ok(_) | Err(_) => Map::new(),
    };
    if fields.is_empty() {
        return row;
    }
    row.retain(|key, _| key == "id" || fields.contains(key));
    for field in fields.iter().filter(|field| !ItemRow::KEYS.contains(&field.as_str())) {
        if let Some(value) = item.field(field) {
            row.insert(field.clone(), value.clone());
        }
    }
    row
}

/// A field that nobody knows is more likely a slip than one that no item happens to have.
fn known_fields(view: &View, fields: &[String]) -> Result<(), Failure> {
    let schema = &view.snapshot().schema;
    let known = || {
        let own = schema.fields().iter().map(|field| field.key.as_str());
        let stored = TOP_LEVEL_KEYS.iter().copied().filter(|key| *key != "body");
        ItemRow::KEYS.into_iter().chain(stored).chain(own)
    };
    let Some(unknown) = fields.iter().find(|field| !known().any(|key| key == field.as_str())) else {
        return Ok(());
    };
    let mut near: Vec<&str> = near(unknown, known(), "", usize::MAX);
    near.dedup();
    near.truncate(NEAR_MAX);
    let detail = format!("there is no field `{unknown}`; the body is shown by pm_get at full depth");
    Err(Failure::InvalidArgument { argument: "fields", detail, details: json!({"near": near}) })
}
