//! What must be found after a process was killed.

use std::collections::BTreeMap;

use pm_mcp_ports::driven::{Stored, TaskStore};
use pm_mcp_postgres::PgTaskStore;

use crate::work::{STEPS, record};

/// A record's steps, as far as they were told.
#[derive(Clone, Copy, Default, Debug)]
struct Life {
    tried: Option<u8>,
    acknowledged: Option<(u8, u64)>,
}

/// Every record by round, client and life.
#[derive(Default, Debug)]
pub(crate) struct Oracle {
    lives: BTreeMap<(usize, u8, u32), Life>,
}

impl Oracle {
    /// Takes down a line of a process; says whether it was an acknowledgement.
    pub(crate) fn hear(&mut self, round: usize, line: &str) -> bool {
        let words: Vec<&str> = line.split(' ').collect();
        let key = (round, words[1].parse().unwrap(), words[2].parse().unwrap());
        let step = words[3].parse().unwrap();
        let life = self.lives.entry(key).or_default();
        match words[0] {
            "try" => life.tried = Some(step),
            _ => life.acknowledged = Some((step, words[4].parse().unwrap())),
        }
        words[0] == "did"
    }

    /// Compares the records of the rounds from `first` on with what is stored, and says how many there are.
    pub(crate) async fn check(&self, store: &PgTaskStore, first: usize) -> usize {
        let mut found = 0;
        for (&(round, client, life), told) in self.lives.range((first, 0, 0)..) {
            let id = record(round, client, life, 0).id;
            let stored = store.load(&id).await.unwrap_or_else(|fault| panic!("{id} is torn: {fault:?}"));
            found += usize::from(stored.is_some());
            let fits = |step: Option<u8>| is_at(stored.as_ref(), round, client, life, step);
            let acknowledged = told.acknowledged.map(|(step, _)| step);
            assert!(
                fits(acknowledged) || fits(told.tried),
                "{id} is at none of its steps {told:?}: {:?}",
                stored.map(|stored| (stored.revision, stored.record.due, stored.record.body.len()))
            );
            if let (Some(stored), Some((step, revision))) = (&stored, told.acknowledged)
                && fits(Some(step))
            {
                assert_eq!(stored.revision.as_u64(), revision, "{id} changed its revision");
            }
        }
        found
    }
}

fn is_at(stored: Option<&Stored>, round: usize, client: u8, life: u32, step: Option<u8>) -> bool {
    match (stored, step) {
        (None, None | Some(STEPS)) => true,
        (Some(stored), Some(step)) if step < STEPS => stored.record == record(round, client, life, step),
        (None | Some(_), None | Some(_)) => false,
    }
}
