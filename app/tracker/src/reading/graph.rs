//! Questions on the relationship graph.

use std::borrow::Cow;

use pm_tracker_domain::ItemId;
use pm_tracker_domain::graph::{
    Direction, Graph, GraphAnswer, GraphQuery, GraphQueryError, Question, Relation,
};
use pm_tracker_domain::picture::{Picture, mermaid, svg};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::json;

use crate::failure::{Failure, Problem};
use crate::view::View;

/// A question on the graph.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a plain question")]
pub struct GraphQuestion {
    /// What is asked.
    pub question: Question,
    /// The item it is asked about.
    pub id: Option<String>,
    /// The item that paths lead to.
    pub target: Option<String>,
    /// Kinds of edges to follow; none means those that the question is about.
    pub kinds: Vec<String>,
    /// Which way to follow them.
    pub direction: Option<Direction>,
    /// Most edges between the item and anything reported.
    pub max_depth: Option<usize>,
    /// Most nodes, edges or paths reported.
    pub limit: usize,
    /// Whether to draw the answer, and how.
    pub render: Option<GraphRender>,
}

/// How an answer on the graph is drawn, beside its data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "callers list all forms in a schema")]
pub enum GraphRender {
    /// A Mermaid flowchart, as text.
    Mermaid,
    /// An SVG document.
    Svg,
}

impl GraphRender {
    /// Every form, in the order of the tool's schema.
    pub const ALL: [Self; 2] = [Self::Mermaid, Self::Svg];

    /// The name that callers use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mermaid => "mermaid",
            Self::Svg => "svg",
        }
    }

    /// The form with a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.name() == name)
    }
}

/// The answer to a question on the graph.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
#[expect(clippy::exhaustive_structs, reason = "the shape that callers see")]
pub struct GraphResult {
    /// The data.
    pub answer: GraphAnswer,
    /// The drawing, if one was asked for: its form and its text.
    #[serde(skip)]
    pub drawing: Option<(GraphRender, String)>,
}

impl JsonSchema for GraphResult {
    fn schema_name() -> Cow<'static, str> {
        "GraphResult".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let text = json!({"type": "string"});
        let count = json!({"type": "integer", "minimum": 0});
        let node = json!({
            "type": "object",
            "properties": {
                "id": text, "title": text, "type": text, "status": text,
                "missing": {"type": "boolean", "description": "Referred to, and there is no such item."},
                "depth": count, "degree": count, "score": {"type": "number"}
            },
            "required": ["id"],
            "additionalProperties": false
        });
        let edge = json!({
            "type": "object",
            "properties": {"from": text, "to": text, "kind": text, "reason": text},
            "required": ["from", "to", "kind"],
            "additionalProperties": false
        });
        json_schema!({
            "type": "object",
            "properties": {
                "query": {"type": "string", "enum": Question::ALL.map(Question::name)},
                "nodes": {"type": "array", "items": node},
                "edges": {"type": "array", "items": edge},
                "paths": {"type": "array", "items": {"type": "array", "items": text}},
                "metrics": {"type": "object", "additionalProperties": {"type": "number"}},
                "cost": {
                    "type": "object",
                    "properties": {"visited": count, "inspected": count},
                    "required": ["visited", "inspected"],
                    "additionalProperties": false
                },
                "truncated": {"type": "boolean"}
            },
            "required": ["query", "nodes", "cost", "truncated"],
            "additionalProperties": false
        })
    }
}

/// Answers a question on the graph.
///
/// # Errors
///
/// [`Failure::ItemNotFound`] for an id that neither exists nor is referred to, [`Failure::InvalidArgument`] where the
/// question needs an id that is not given; faults as they come.
pub async fn graph(view: &View, question: GraphQuestion) -> Result<GraphResult, Problem> {
    let result = view.on_board(move |board, view| ask(board.graph(), view, &question)).await?;
    Ok(result?)
}

fn ask(graph: &Graph, view: &View, question: &GraphQuestion) -> Result<GraphResult, Failure> {
    let mut query = GraphQuery::new(question.question);
    query.id = question.id.as_deref().map(|id| resolved(graph, view, id)).transpose()?;
    query.target = question.target.as_deref().map(|id| resolved(graph, view, id)).transpose()?;
    query.kinds = question.kinds.iter().map(|kind| Relation::parse(kind)).collect();
    query.direction = question.direction;
    query.max_depth = question.max_depth;
    query.limit = question.limit;
    let answer = graph.ask(&query).map_err(|error| match error {
        GraphQueryError::IdNeeded { .. } => Failure::argument("id", error.to_string()),
        GraphQueryError::TargetNeeded => Failure::argument("target", error.to_string()),
        GraphQueryError::UnknownItem { id } => view.not_found(&id),
    })?;
    let drawing = question.render.map(|form| {
        let picture = Picture::new(graph, &answer, query.id.as_deref(), &view.snapshot().schema);
        let text = match form {
            GraphRender::Mermaid => mermaid(&picture),
            GraphRender::Svg => svg(&picture),
        };
        (form, text)
    });
    Ok(GraphResult { answer, drawing })
}

/// An item's id, or one that items refer to though it does not exist.
fn resolved(graph: &Graph, view: &View, input: &str) -> Result<String, Failure> {
    let missing = match view.find(input) {
        Ok(item) => return Ok(item.id().to_owned()),
        Err(missing) => missing,
    };
    let typed = ItemId::parse(input, &view.snapshot().settings.id_prefix);
    let referred_to = |id: &&str| graph.ask(&GraphQuery::new(Question::Ancestors).about(*id)).is_ok();
    typed.as_ref().and_then(|id| id.candidates().find(referred_to)).map(str::to_owned).ok_or(missing)
}
