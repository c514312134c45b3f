//! `pm_graph`.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pm_mcp::{ContentBlock, HandlerFault, ToolEntry};
use pm_tracker_domain::graph::{Direction, Question};
use pm_tracker_ports::CheckProgress as _;
use serde::Deserialize;
use serde_json::json;

use super::arguments::Arguments;
use super::call::{Call, long_tool_with};
use super::name::ToolName;
use crate::failure::Problem;
use crate::reading::{GraphQuestion, GraphRender, GraphResult, graph};
use crate::tracker::Tracker;
use crate::vocabulary::Vocabulary;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct GraphArguments {
    query: String,
    id: Option<String>,
    target: Option<String>,
    #[serde(default)]
    kinds: Vec<String>,
    direction: Option<String>,
    max_depth: Option<usize>,
    #[serde(default = "limit")]
    limit: usize,
    render: Option<String>,
}

const fn limit() -> usize {
    100
}

pub(super) fn entry(tracker: &Arc<Tracker>, vocabulary: &Vocabulary) -> ToolEntry {
    let query = "ancestors to impact need `id`, paths needs `target` too; cycles and critical_path may be narrowed \
                 by `id`.";
    let kinds = "Follow these kinds of edges instead of those that the question is about: blocked_by, parent, related, \
                 discovered_from, incident_from, implements, recurs_from, verifies, supersedes, or the workspace's own.";
    let depth = json!({
        "type": "integer", "minimum": 1, "maximum": 10_000,
        "description": "Most edges between the item and anything reported."
    });
    let input = Arguments::new()
        .choice("query", Question::ALL.map(Question::name), query)
        .required("query")
        .id("id", "The item that is asked about")
        .id("target", "The item that paths lead to")
        .texts("kinds", kinds)
        .choice(
            "direction",
            Direction::ALL.map(Direction::name),
            "Which way, for paths, impact and centrality.",
        )
        .with("maxDepth", depth)
        .limit(1, 1000, 100, "Most nodes, edges or paths.")
        .choice(
            "render",
            GraphRender::ALL.map(GraphRender::name),
            "Draw the answer too: as Mermaid text, or as an SVG image. Readable up to about 50 items.",
        )
        .finish(vocabulary);
    long_tool_with(tracker, ToolName::Graph, input, drawing, ask)
}

/// The drawing as a block behind the data.
fn drawing(result: &GraphResult) -> Option<ContentBlock> {
    let (form, text) = result.drawing.as_ref()?;
    Some(match form {
        GraphRender::Mermaid => ContentBlock::text(text.as_str()),
        GraphRender::Svg => ContentBlock::image(STANDARD.encode(text), "image/svg+xml"),
    })
}

async fn ask(call: Call, arguments: GraphArguments) -> Result<GraphResult, Problem> {
    let GraphArguments { query, id, target, kinds, direction, max_depth, limit, render } = arguments;
    let unknown = |name: &str| HandlerFault::InvalidArgument(format!("`{name}` is none of the listed names"));
    let question = Question::parse(&query).ok_or_else(|| unknown(&query))?;
    let direction = match &direction {
        None => None,
        Some(name) => Some(Direction::parse(name).ok_or_else(|| unknown(name))?),
    };
    let render = match &render {
        None => None,
        Some(name) => Some(GraphRender::parse(name).ok_or_else(|| unknown(name))?),
    };
    let part = call.watch.part("following the graph");
    part.advanced(0, 2);
    let view = call.view().await?;
    part.advanced(1, 2);
    graph(&view, GraphQuestion { question, id, target, kinds, direction, max_depth, limit, render }).await
}
