//! One change, made and answered.

use std::sync::Arc;

use pm_mcp::Context;
use pm_tracker_domain::Timestamp;
use pm_tracker_domain::change::{Change, ChangeRequest, World};
use pm_tracker_ports::{Edit, Target, WriteError, Written};

use super::author::signature;
use super::receipt::{Receipt, SideEffect};
use crate::failure::{Failure, Problem};
use crate::tracker::Tracker;
use crate::view::View;

/// What every writing tool is asked besides its own matter.
#[derive(Debug, Clone, Default)]
pub(crate) struct Asked {
    /// The author, if the call names one.
    pub(crate) author: Option<String>,
    /// The message for history.
    pub(crate) message: Option<String>,
    /// Whether claims of others and stale locks are overruled.
    pub(crate) force: bool,
}

impl Asked {
    /// A change as the caller asks for it.
    pub(crate) fn request(
        &self,
        change: Change,
        context: &Context,
        tracker: &Tracker,
        view: &View,
    ) -> Result<ChangeRequest, Failure> {
        let by =
            signature(context, self.author.as_deref(), tracker.author_rules(), &view.snapshot().settings)?;
        Ok(ChangeRequest { change, by, message: self.message.clone(), force: self.force })
    }
}

/// The time of a call, as the tracker's files know it.
pub(crate) fn now(context: &Context) -> Timestamp {
    Timestamp::from_unix_ms(context.now().as_unix_ms())
}

/// Makes one change of an item, or a new one, and what follows from it.
///
/// # Errors
///
/// The failure that the refusal of the change is; faults as they come.
pub(crate) async fn edit(
    tracker: &Tracker,
    context: &Context,
    view: &View,
    target: Target,
    asked: &Asked,
    change: Change,
) -> Result<Receipt, Problem> {
    let closes = matches!(change, Change::Close(_))
        || matches!(&change, Change::Update(edits) if edits.status.is_some() || edits.set.contains_key("status"));
    let request = asked.request(change, context, tracker, view)?;
    let world = view.world().await?;
    let written = write(view, target, request.clone(), world, now(context)).await?;
    let schema = Arc::clone(&view.snapshot().schema);
    let finished = closes && is_finished(&written, &schema);
    let id = written.id.clone();
    let mut receipt = Receipt::new(written, &schema);
    if finished {
        free(view, &id, &request, context, &mut receipt).await;
    }
    Ok(receipt)
}

/// Writes one change and says that something was written.
pub(super) async fn write(
    view: &View,
    target: Target,
    request: ChangeRequest,
    world: Arc<World>,
    now: Timestamp,
) -> Result<Written, Problem> {
    let writer = view.workspace().writer()?;
    let written = writer.edit(Edit { target, request, world, now }).await;
    let written = written.map_err(|error| Problem::of_write(view, error))?;
    if written.wrote {
        view.workspace().written();
    }
    Ok(written)
}

fn is_finished(written: &Written, schema: &pm_tracker_domain::WorkspaceSchema) -> bool {
    let terminal = |item: &Option<Arc<pm_tracker_domain::Item>>| {
        item.as_ref().is_some_and(|item| schema.statuses().is_terminal(item.status()))
    };
    written.wrote && terminal(&written.after) && !terminal(&written.before)
}

/// Sets the items back to open that waited for nothing but this one. What cannot be freed is a warning: the item itself
/// is finished all the same.
async fn free(view: &View, id: &str, closed: &ChangeRequest, context: &Context, receipt: &mut Receipt) {
    let freed = async {
        let view = view.workspace().fresh_view().await?;
        let world = view.world().await?;
        let asked = id.to_owned();
        let waiting = view.on_board(move |board, view| waiting_for(board, view, &asked)).await?;
        for other in waiting {
            let change = Change::Unblock { blocker: id.to_owned() };
            let request = ChangeRequest { change, by: closed.by.clone(), message: None, force: false };
            match write(&view, Target::Item(other.clone()), request, Arc::clone(&world), now(context)).await {
                Ok(written) if written.wrote => {
                    receipt.side_effects.push(SideEffect { id: written.id, op: written.op });
                }
                Ok(_) => {}
                Err(problem) => {
                    receipt.warnings.push(format!("unblock_failed: `{other}` still waits: {problem}"))
                }
            }
        }
        Ok::<_, Problem>(())
    };
    if let Err(problem) = freed.await {
        receipt.warnings.push(format!("unblock_failed: items that waited were not looked at: {problem}"));
    }
}

/// The items with a waiting status that name this one as what they wait for and have nothing open left.
pub(super) fn waiting_for(board: &pm_tracker_domain::board::Board, view: &View, id: &str) -> Vec<String> {
    waiting_in(board, &view.snapshot().schema, id)
}

/// As [`waiting_for`], in any world.
pub(super) fn waiting_in(
    board: &pm_tracker_domain::board::Board,
    schema: &pm_tracker_domain::WorkspaceSchema,
    id: &str,
) -> Vec<String> {
    let waits = |item: &&pm_tracker_domain::Item| schema.statuses().is_blocked(item.status());
    let waiting = board.waiting_for(id).into_iter().filter(waits);
    waiting
        .filter(|item| board.open_blockers(item.id()).is_empty())
        .map(|item| item.id().to_owned())
        .collect()
}

impl Problem {
    /// What becomes of a change that was not made.
    pub(crate) fn of_write(view: &View, error: WriteError) -> Self {
        match error {
            WriteError::Refused(pm_tracker_domain::change::Refusal::NotFound { id }) => {
                view.not_found(&id).into()
            }
            WriteError::Refused(refusal) => Failure::Refused(refusal).into(),
            WriteError::Locked { name, owner, stale, retry_after_ms } => {
                Failure::LockConflict { name, owner, stale, retry_after_ms }.into()
            }
            WriteError::ItemUnreadable { id, path, detail } => {
                Failure::ItemUnreadable { id, path, detail }.into()
            }
            WriteError::FormatVersion { .. } => {
                Failure::EpochUnsupported { detail: error.to_string() }.into()
            }
            WriteError::HistoryEpoch { .. } => Failure::EpochUnsupported { detail: error.to_string() }.into(),
            WriteError::HistoryUnreadable { id, detail, forcible } => {
                let detail = match forcible {
                    true => {
                        format!("{detail}; pm_validate with fix adopts the file, force goes on regardless")
                    }
                    false => detail,
                };
                Failure::HistoryUnreadable { id, detail }.into()
            }
            WriteError::ReadOnly { detail } => {
                Failure::ReadOnly { name: view.workspace().name().to_owned(), detail }.into()
            }
            WriteError::Storage { .. } | WriteError::Unavailable { .. } => {
                pm_mcp::HandlerFault::internal(error).into()
            }
        }
    }
}
