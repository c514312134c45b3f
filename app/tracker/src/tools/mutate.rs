//! `pm_mutate`.

use std::sync::Arc;

use pm_mcp::ToolEntry;
use serde::Deserialize;
use serde_json::{Value, json};

use super::arguments::Arguments;
use super::call::Call;
use super::name::ToolName;
use super::write_call::writing_tool;
use crate::failure::{Failure, Problem};
use crate::tracker::Tracker;
use crate::vocabulary::Vocabulary;
use crate::writing::{Asked, BatchReceipt, Mutation, MutationOp, Mutations, mutate};

/// Most rows of a batch.
const MOST: usize = 200;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct MutateArguments {
    transaction_id: String,
    mutations: Value,
    #[serde(default)]
    dry_run: bool,
}

pub(super) fn entry(tracker: &Arc<Tracker>, vocabulary: &Vocabulary) -> ToolEntry {
    let options = "As the arguments of the tool for one item: of create those of pm_create, of update those of \
                   pm_update, of close those of pm_close; of reopen `status`; of restore `version`.";
    let id = "The item, in any form; `@name` for what an earlier row made under that `ref`. Not for create.";
    let row = json!({
        "type": "object",
        "properties": {
            "op": {"type": "string", "enum": MutationOp::ALL.map(MutationOp::name)},
            "id": {"type": "string", "minLength": 1, "maxLength": 256, "description": id},
            "ref": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$",
                "description": "A name for the row's item, for later rows."},
            "reason": {"type": "string", "maxLength": 10_000,
                "description": "Why; needed for delete, restore and reopen, and for close where the workspace says so."},
            "options": {"type": "object", "description": options}
        },
        "required": ["op"],
        "additionalProperties": false
    });
    let transaction = json!({"type": "string", "pattern": "^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$",
        "description": "A name for the batch, new for every batch. The same name and rows again give the recorded outcome."});
    let input = Arguments::new()
        .with("transactionId", transaction)
        .required("transactionId")
        .with(
            "mutations",
            json!({"type": "array", "items": row, "minItems": 1, "maxItems": MOST,
            "description": "What to do, in order."}),
        )
        .required("mutations")
        .flag("dryRun", "Plan and show only.")
        .writing()
        .finish(vocabulary);
    writing_tool(tracker, ToolName::Mutate, input, true, run)
}

async fn run(call: Call, asked: Asked, own: MutateArguments) -> Result<BatchReceipt, Problem> {
    let rows = Vec::<Mutation>::deserialize(&own.mutations)
        .map_err(|error| Failure::argument("mutations", error.to_string()))?;
    let wanted =
        Mutations { transaction_id: own.transaction_id, rows, written: own.mutations, dry_run: own.dry_run };
    let view = call.view().await?;
    mutate(&call.tracker, &call.context, view, &asked, wanted).await
}
