//! From a request to a decision.

use super::{
    Change, ChangeRequest, Decision, Document, Next, Present, Refusal, World, claim, close, create, edits,
    lifecycle, links, logs, ownership, secrets, tests_list,
};
use crate::Item;

/// Decides a change against what is there now.
///
/// The document that comes out has its `updated_at`, and is not yet in normal form. [`Next::Unchanged`] comes out where
/// the item would stay as it is.
///
/// # Errors
/// [`Refusal`], and nothing is to be written then.
pub fn decide(request: &ChangeRequest, present: &Present<'_>, world: &World) -> Result<Decision, Refusal> {
    ownership::attributed(request, world)?;
    let item = || present.item.ok_or_else(|| Refusal::NotFound { id: present.id.to_owned() });
    let owned = || -> Result<(&Item, Option<String>), Refusal> {
        let item = item()?;
        Ok((item, ownership::check(item, request, world)?))
    };
    let (mut decision, warning) = match &request.change {
        Change::Create(new) => (create::create(new, request, present, world)?, None),
        Change::Claim { if_available } => (claim::claim(item()?, *if_available, request, world)?, None),
        Change::Unblock { blocker } => (close::unblock(item()?, blocker, world), None),
        Change::AdoptFile => (Decision::new("history_repair", Next::Adopted), None),
        Change::PutBack { document, reason } => (lifecycle::put_back(document.as_deref(), reason), None),
        Change::Restore { version, reason } => {
            let warning =
                present.item.map(|item| ownership::check(item, request, world)).transpose()?.flatten();
            (lifecycle::restore(*version, reason, present)?, warning)
        }
        Change::Update(wanted) => {
            let (item, warning) = owned()?;
            (edits::update(item, wanted, &request.by.author, present, world)?, warning)
        }
        Change::Release => {
            let (item, warning) = owned()?;
            (claim::release(item), warning)
        }
        Change::Close(closing) => {
            let (item, warning) = owned()?;
            (close::close(item, closing, request, present, world)?, warning)
        }
        Change::Reopen { reason, status } => {
            let (item, warning) = owned()?;
            (lifecycle::reopen(item, reason, status.as_deref(), world)?, warning)
        }
        Change::Delete { reason } => {
            let (item, warning) = owned()?;
            (lifecycle::delete(item, reason, world)?, warning)
        }
        Change::LogAdd { log, text } => {
            let (item, warning) = owned()?;
            (logs::add(item, *log, text, request, present)?, warning)
        }
        Change::LogEdit { log, index, text } => {
            let (item, warning) = owned()?;
            (logs::edit(item, *log, *index, text, present)?, warning)
        }
        Change::LinkAdd { list, path, note } => {
            let (item, warning) = owned()?;
            (links::add(item, *list, path, note.as_deref())?, warning)
        }
        Change::LinkRemove { list, path } => {
            let (item, warning) = owned()?;
            (links::remove(item, *list, path)?, warning)
        }
        Change::TestAdd(test) => {
            let (item, warning) = owned()?;
            (tests_list::add(item, test)?, warning)
        }
        Change::TestRemove { command } => {
            let (item, warning) = owned()?;
            (tests_list::remove(item, command)?, warning)
        }
        Change::TestRun { record } => {
            let (item, warning) = owned()?;
            (tests_list::record_run(item, record), warning)
        }
    };
    decision.warnings.extend(warning);
    if let Some(message) = request.message.as_deref().map(str::trim).filter(|message| !message.is_empty()) {
        decision.message = Some(message.to_owned());
    }
    settle(&mut decision, request, present, world)?;
    Ok(decision)
}

/// What holds for every document that is to be written.
fn settle(
    decision: &mut Decision,
    request: &ChangeRequest,
    present: &Present<'_>,
    world: &World,
) -> Result<(), Refusal> {
    let Next::Document(after) = &mut decision.next else { return Ok(()) };
    let before = present.item.map(Document::of);
    let statuses = world.schema().statuses();
    let same = before.as_ref().is_some_and(|before| {
        let dialect = crate::normal::Dialect::KeptIdCase;
        after.normal(statuses, dialect).changed_since(&before.normal(statuses, dialect)).is_empty()
    });
    if same {
        decision.next = Next::Unchanged;
        return Ok(());
    }
    if !matches!(request.change, Change::PutBack { .. }) {
        let found = secrets::check(before.as_ref(), after, world.settings().secret_guard)?;
        decision.warnings.extend(found);
        after.set("updated_at", present.now.to_string());
    }
    Ok(())
}
