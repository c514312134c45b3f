//! Guards that are wrong on purpose.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use pm_mcp_contract::replay_guard::{FreshGuard, LAWS};
use pm_mcp_contract::{HarnessError, ReplayGuardHarness};
use pm_mcp_domain::continuation::Nonce;
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{ConsumeError, ReplayGuard};

use crate::caught::mutants;
use crate::gap::Gap;

/// Between the look and the mark of the guard that looks before it waits.
static GAP: Gap = Gap::new();

const BOUND: usize = 50;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    None,
    LooksBeforeItWaits,
    ForgetsAtTheInstant,
    ForgetsToMakeRoom,
    RemembersForItselfOnly,
    ReservesFirst,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mark {
    Reserved,
    Used,
}

type Marks = Arc<Mutex<BTreeMap<Nonce, (Mark, Timestamp)>>>;

#[derive(Debug)]
struct Mutant {
    fault: Fault,
    marks: Marks,
}

#[async_trait]
impl ReplayGuard for Mutant {
    async fn consume(
        &self,
        nonce: &Nonce,
        keep_until: Timestamp,
        now: Timestamp,
    ) -> Result<(), ConsumeError> {
        let found = self.marks.lock().unwrap().get(nonce).copied();
        match found {
            Some((Mark::Used, until)) if self.fault != Fault::ForgetsAtTheInstant || now < until => {
                return Err(ConsumeError::AlreadyUsed);
            }
            Some((Mark::Reserved, _)) => {
                self.marks.lock().unwrap().remove(nonce);
                return Ok(());
            }
            Some((Mark::Used, _)) | None => {}
        }
        if self.fault == Fault::LooksBeforeItWaits {
            GAP.pass().await;
        }
        if self.fault == Fault::ReservesFirst {
            self.marks.lock().unwrap().insert(*nonce, (Mark::Reserved, keep_until));
            tokio::task::yield_now().await;
        }
        let mut marks = self.marks.lock().unwrap();
        if self.fault == Fault::None && marks.contains_key(nonce) {
            return Err(ConsumeError::AlreadyUsed);
        }
        marks.retain(|_, (_, until)| *until >= now || self.fault == Fault::ForgetsAtTheInstant);
        if marks.len() >= BOUND {
            if self.fault != Fault::ForgetsToMakeRoom {
                return Err(ConsumeError::Unavailable("it is full".into()));
            }
            marks.pop_first();
        }
        marks.insert(*nonce, (Mark::Used, keep_until));
        Ok(())
    }
}

struct Wrong(Fault);

#[async_trait]
impl ReplayGuardHarness for Wrong {
    type Guard = ();

    fn bound(&self) -> Option<usize> {
        Some(BOUND)
    }

    async fn fresh(&self) -> Result<(Arc<dyn ReplayGuard>, Option<Arc<dyn ReplayGuard>>, ()), HarnessError> {
        let marks = Marks::default();
        let shared = if self.0 == Fault::RemembersForItselfOnly { Marks::default() } else { marks.clone() };
        let guard = |marks| Arc::new(Mutant { fault: self.0, marks }) as Arc<dyn ReplayGuard>;
        Ok((guard(marks), Some(guard(shared)), ()))
    }
}

async fn wrong(fault: Fault) -> FreshGuard {
    FreshGuard::of(Wrong(fault)).await.unwrap()
}

mod without_fault {
    use super::{Fault, Wrong};

    pm_mcp_contract::replay_guard_contract!(Wrong(Fault::None));
}

mutants! {
    LAWS, wrong;
    rg_01_one_of_many_consumes_a_nonce rg_01_catches_a_gap_between_look_and_mark Fault::LooksBeforeItWaits;
    rg_02_a_nonce_is_kept_until_its_time rg_02_catches_a_nonce_forgotten_at_its_instant Fault::ForgetsAtTheInstant;
    rg_02_a_full_guard_refuses rg_02_catches_a_guard_that_makes_room Fault::ForgetsToMakeRoom;
    rg_03_an_answer_holds_for_all_who_share_the_store rg_03_catches_a_guard_of_its_own Fault::RemembersForItselfOnly;
    rg_04_a_dropped_call_leaves_consumed_or_not rg_04_catches_a_mark_in_two_steps Fault::ReservesFirst;
}
