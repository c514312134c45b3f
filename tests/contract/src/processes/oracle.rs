//! What must be found after a process was killed.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{DuePlace, Page, Stored, TaskStore};

use super::lives::{Name, STEPS, id, record};
use crate::law::{Outcome, Violation, ensure};

/// How many records are read in one go.
const PAGE: NonZeroUsize = NonZeroUsize::MIN.saturating_add(199);

/// A record's steps, as far as they were told. What was only tried may have happened.
#[derive(Clone, Copy, Default, Debug)]
struct Life {
    tried: Option<u8>,
    acknowledged: Option<(u8, u64)>,
}

/// Every record that a process told of.
#[derive(Default, Debug)]
pub(super) struct Oracle {
    lives: BTreeMap<Name, Life>,
}

impl Oracle {
    /// Takes down a line of a process; says whether it was an acknowledgement. Other lines are the test harness's own.
    pub(super) fn hear(&mut self, round: u64, line: &str) -> Result<bool, Violation> {
        let words: Vec<&str> = line.split(' ').collect();
        let (name, step, revision) = match words.as_slice() {
            ["try", client, life, step] => ((round, client.parse()?, life.parse()?), step.parse()?, None),
            ["did", client, life, step, revision] => {
                ((round, client.parse()?, life.parse()?), step.parse()?, Some(revision.parse()?))
            }
            _ => return Ok(false),
        };
        let life = self.lives.entry(name).or_default();
        match revision {
            None => life.tried = Some(step),
            Some(revision) => life.acknowledged = Some((step, revision)),
        }
        Ok(revision.is_some())
    }

    /// Compares the records of the rounds from `first` on with what is stored, and says how many there are.
    pub(super) async fn check(&self, store: &dyn TaskStore, first: u64) -> Result<usize, Violation> {
        let mut found = 0;
        for (&name, told) in self.lives.range((first, 0, 0)..) {
            let id = id(name);
            let stored = store.load(&id).await?;
            found += usize::from(stored.is_some());
            let fits = |step: Option<u8>| is_at(stored.as_ref(), name, step);
            let acknowledged = told.acknowledged.map(|(step, _)| step);
            ensure!(
                fits(acknowledged) || fits(told.tried),
                "{id} is at none of its steps {told:?}: {:?}",
                stored.map(|stored| (stored.revision, stored.record.due, stored.record.body.len()))
            );
            if let (Some(stored), Some((step, revision))) = (&stored, told.acknowledged)
                && fits(Some(step))
            {
                ensure!(stored.revision.as_u64() == revision, "{id} changed its revision");
            }
        }
        Ok(found)
    }

    /// Compares the lists with the records, of which nobody else has any.
    pub(super) async fn check_lists(&self, store: &dyn TaskStore) -> Outcome {
        let (mut due, mut unfinished) = (0, 0);
        for name in self.lives.keys() {
            if let Some(stored) = store.load(&id(*name)).await? {
                due += usize::from(stored.record.due.is_some());
                unfinished += usize::from(!stored.record.finished);
            }
        }
        let (mut page, mut listed) = (Page::first(PAGE), 0);
        loop {
            let records = store.due(Timestamp::from_unix_ms(i64::MAX), page.clone()).await?;
            let Some(last) = records.last().and_then(|stored| DuePlace::of(&stored.record)) else { break };
            listed += records.len();
            page = page.following(last);
        }
        ensure!(listed == due, "{listed} records are listed as due, {due} are");
        let (mut page, mut listed) = (Page::first(PAGE), 0);
        loop {
            let records = store.unfinished(page.clone()).await?;
            let Some(last) = records.last().map(|stored| stored.record.id.clone()) else { break };
            listed += records.len();
            page = page.following(last);
        }
        ensure!(listed == unfinished, "{listed} records are listed as unfinished, {unfinished} are");
        Ok(())
    }
}

fn is_at(stored: Option<&Stored>, name: Name, step: Option<u8>) -> bool {
    match (stored, step) {
        (None, None | Some(STEPS)) => true,
        (Some(stored), Some(step)) if step < STEPS => stored.record == record(name, step),
        (None | Some(_), None | Some(_)) => false,
    }
}
