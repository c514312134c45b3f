//! One item, now or as it was.

use std::borrow::Cow;

use pm_tracker_domain::board::Standing;
use pm_tracker_domain::{At, Item, ReplayError, Timestamp, replay};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::row::ItemRow;
use super::schema::open_values;
use crate::failure::{Failure, Problem};
use crate::view::View;

/// The lists of an item that grow with work on it.
const LOGS: [&str; 4] = ["comments", "notes", "learnings", "test_runs"];

/// Most children shown by name.
const SAMPLE_MAX: usize = 5;

/// How much of an item is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "the schema of the tool lists exactly these")]
pub enum ItemDepth {
    /// The row and the description.
    Brief,
    /// Also all other stored fields but logs and body.
    #[default]
    Standard,
    /// Everything.
    Full,
}

/// The point of an item's history that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a history has no third kind of point")]
pub enum ItemAt {
    /// After so many entries, from 1.
    Version(usize),
    /// After the last entry that is not later, RFC 3339 or a date.
    Time(String),
}

/// One item: the fields of its row, more stored fields by depth, what is below it, and its body.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(clippy::exhaustive_structs, reason = "the shape that callers see")]
pub struct ItemView {
    /// The row.
    #[serde(flatten)]
    pub row: ItemRow,
    /// Other stored fields, in file order.
    #[serde(flatten)]
    pub fields: Map<String, Value>,
    /// What is below the item; left out of a state that was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub children: Option<Children>,
    /// The body, at full depth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
}

/// What is below an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the shape that callers see")]
pub struct Children {
    /// Number of children.
    pub total: usize,
    /// Number of children that are not finished.
    pub open: usize,
    /// The first of them in ranking order.
    pub sample: Vec<Child>,
}

/// A child of an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the shape that callers see")]
pub struct Child {
    /// Full id.
    pub id: String,
    /// Status id.
    pub status: String,
    /// Title.
    pub title: String,
}

impl JsonSchema for ItemView {
    fn schema_name() -> Cow<'static, str> {
        "Item".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = ItemRow::json_schema(generator);
        let children = generator.subschema_for::<Children>();
        let object = schema.ensure_object();
        if let Some(Value::Object(properties)) = object.get_mut("properties") {
            properties.insert("description".to_owned(), json!({"type": "string"}));
            properties.insert("children".to_owned(), children.to_value());
            properties.insert("body".to_owned(), json!({"type": "string", "description": "At full depth."}));
        }
        object.insert(
            "additionalProperties".to_owned(),
            open_values("A stored field, as the item's file holds it."),
        );
        object.remove("description");
        schema
    }
}

/// Shows an item as it is, or as it was at a point of its history, which may lie before its deletion.
///
/// # Errors
///
/// [`Failure::ItemNotFound`], [`Failure::ItemUnreadable`], [`Failure::ItemDeleted`],
/// [`Failure::InvalidArgument`] for a point outside the history, [`Failure::HistoryUnreadable`] for one that cannot be
/// replayed; faults as they come.
pub async fn item(view: &View, id: &str, depth: ItemDepth, at: Option<ItemAt>) -> Result<ItemView, Problem> {
    match at {
        None => present(view, id, depth).await,
        Some(at) => past(view, id, depth, at).await,
    }
}

async fn present(view: &View, id: &str, depth: ItemDepth) -> Result<ItemView, Problem> {
    let item = view.find(id)?;
    let id = item.id().to_owned();
    let version = view.repository().version(&id).await.map_err(|error| Problem::of_history(&id, error))?;
    let children = view
        .on_board(move |board, _| {
            let children = board.children(&id);
            let open = children.iter().filter(|child| board.standing(child.id()) != Some(Standing::Terminal));
            let statuses = board.schema().statuses();
            let sample = children.iter().take(SAMPLE_MAX).map(|child| Child {
                id: child.id().to_owned(),
                status: statuses.canonical(child.status()).unwrap_or(child.status()).to_owned(),
                title: child.title().to_owned(),
            });
            Children { total: children.len(), open: open.count(), sample: sample.collect() }
        })
        .await?;
    Ok(ItemView { children: Some(children), ..shown(view, item, version, depth) })
}

async fn past(view: &View, id: &str, depth: ItemDepth, at: ItemAt) -> Result<ItemView, Problem> {
    let id = view.find_with_history(id)?;
    let at = match at {
        ItemAt::Version(version) => At::Version(version),
        ItemAt::Time(text) => At::Time(Timestamp::parse(&text).ok_or_else(|| {
            Failure::argument("at", "give a version from 1, or a time such as 2026-03-02T08:09:30Z")
        })?),
    };
    let stream = view.repository().history(&id).await.map_err(|error| Problem::of_history(&id, error))?;
    if let Some(fault) = stream.faults.first() {
        let detail = format!("line {}: {}", fault.line, fault.detail);
        return Err(Failure::HistoryUnreadable { id, detail }.into());
    }
    let known = stream.entries.len();
    let replayed = tokio::task::spawn_blocking(move || replay(&stream.entries, at)).await;
    let replayed = match replayed.map_err(pm_mcp::HandlerFault::internal)? {
        Ok(replayed) => replayed,
        Err(error @ (ReplayError::UnknownVersion { .. } | ReplayError::NotYet { .. })) => {
            let details = json!({"id": id, "versions": known});
            return Err(
                Failure::InvalidArgument { argument: "at", detail: error.to_string(), details }.into()
            );
        }
        Err(error) => return Err(Failure::HistoryUnreadable { id, detail: error.to_string() }.into()),
    };
    let version = replayed.version;
    if replayed.is_deleted() {
        return Err(Failure::ItemDeleted { id, version }.into());
    }
    match replayed.into_item() {
        Ok(item) => Ok(shown(view, &item, version, depth)),
        Err(error) => Err(Failure::HistoryUnreadable { id, detail: error.to_string() }.into()),
    }
}

fn shown(view: &View, item: &Item, version: usize, depth: ItemDepth) -> ItemView {
    let stored = item.metadata().iter().filter(|(key, value)| {
        let in_depth = match depth {
            ItemDepth::Brief => key.as_str() == "description",
            ItemDepth::Standard => !LOGS.contains(&key.as_str()),
            ItemDepth::Full => true,
        };
        in_depth && !value.is_null() && !is_own_key(key)
    });
    ItemView {
        row: ItemRow::new(item, version, &view.snapshot().schema),
        fields: stored.map(|(key, value)| (key.clone(), value.clone())).collect(),
        children: None,
        body: (depth == ItemDepth::Full).then(|| item.body().to_owned()),
    }
}

/// A stored field must not take the place of what the shape itself says.
fn is_own_key(key: &str) -> bool {
    ItemRow::KEYS.contains(&key) || key == "children" || key == "body"
}
