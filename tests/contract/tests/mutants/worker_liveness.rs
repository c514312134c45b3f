//! Knowers of workers that are wrong on purpose.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, Weak};

use async_trait::async_trait;
use pm_mcp_contract::worker_liveness::{FreshLiveness, LAWS};
use pm_mcp_contract::{HarnessError, WorkerLivenessHarness};
use pm_mcp_domain::task::WorkerId;
use pm_mcp_ports::driven::{Announcement, BackendError, WorkerLiveness};

use crate::caught::mutants;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    None,
    NamesEveryoneElse,
    TakesALookForAnEnd,
    KnowsItsOwnOnly,
    NeverForgets,
    ForgetsEveryone,
    NamesAStranger,
    ForgetsTheLiving,
}

type Announced = Arc<Mutex<BTreeMap<WorkerId, Weak<()>>>>;

#[derive(Debug)]
struct Mutant {
    fault: Fault,
    announced: Announced,
    own: Mutex<Vec<WorkerId>>,
    /// Who is being looked at, as with a lock that those who look take for a moment.
    looked_at: Arc<Mutex<bool>>,
}

#[async_trait]
impl WorkerLiveness for Mutant {
    fn announce(&self, worker: &WorkerId) -> Result<Announcement, BackendError> {
        let held = Arc::new(());
        self.announced.lock().unwrap().insert(worker.clone(), Arc::downgrade(&held));
        self.own.lock().unwrap().push(worker.clone());
        Ok(Announcement::holding(held))
    }

    async fn gone(&self) -> Result<Vec<WorkerId>, BackendError> {
        let looked_at = std::mem::replace(&mut *self.looked_at.lock().unwrap(), true);
        tokio::task::yield_now().await;
        let own = self.own.lock().unwrap().clone();
        let mut named: Vec<WorkerId> = self
            .announced
            .lock()
            .unwrap()
            .iter()
            .filter(|(worker, held)| match self.fault {
                Fault::NamesEveryoneElse => !own.contains(worker) || held.strong_count() == 0,
                Fault::TakesALookForAnEnd => looked_at || held.strong_count() == 0,
                _ => held.strong_count() == 0,
            })
            .map(|(worker, _)| worker.clone())
            .collect();
        *self.looked_at.lock().unwrap() = false;
        if self.fault == Fault::NamesAStranger {
            named.push(WorkerId::from_random(&[0xEE; WorkerId::RANDOM_BYTES]));
        }
        Ok(named)
    }

    async fn forget(&self, worker: &WorkerId) -> Result<(), BackendError> {
        let mut announced = self.announced.lock().unwrap();
        let is_gone = announced.get(worker).is_some_and(|held| held.strong_count() == 0);
        match self.fault {
            Fault::NeverForgets => {}
            Fault::ForgetsEveryone => announced.retain(|_, held| held.strong_count() > 0),
            Fault::ForgetsTheLiving => drop(announced.remove(worker)),
            _ if is_gone => drop(announced.remove(worker)),
            _ => {}
        }
        Ok(())
    }
}

struct Wrong(Fault);

#[async_trait]
impl WorkerLivenessHarness for Wrong {
    type Guard = ();

    async fn fresh(&self) -> Result<([Arc<dyn WorkerLiveness>; 2], ()), HarnessError> {
        let (announced, looked_at) = (Announced::default(), Arc::default());
        let one = || {
            let announced = match self.0 {
                Fault::KnowsItsOwnOnly => Announced::default(),
                _ => Arc::clone(&announced),
            };
            let looked_at = Arc::clone(&looked_at);
            let mutant = Mutant { fault: self.0, announced, own: Mutex::default(), looked_at };
            Arc::new(mutant) as Arc<dyn WorkerLiveness>
        };
        Ok(([one(), one()], ()))
    }
}

async fn wrong(fault: Fault) -> FreshLiveness {
    FreshLiveness::of(Wrong(fault)).await.unwrap()
}

mod without_fault {
    use super::{Fault, Wrong};

    pm_mcp_contract::worker_liveness_contract!(Wrong(Fault::None));
}

mutants! {
    LAWS, wrong;
    wl_01_a_living_worker_is_never_named wl_01_catches_who_names_everyone_else Fault::NamesEveryoneElse;
    wl_01_a_living_worker_is_never_named wl_01_catches_a_look_taken_for_an_end Fault::TakesALookForAnEnd;
    wl_02_an_ended_worker_is_named_to_all wl_02_catches_who_knows_its_own_only Fault::KnowsItsOwnOnly;
    wl_02_an_ended_worker_is_named_to_all wl_02_catches_who_never_forgets Fault::NeverForgets;
    wl_02_an_ended_worker_is_named_to_all wl_02_catches_who_forgets_everyone Fault::ForgetsEveryone;
    wl_03_an_unknown_worker_is_never_named wl_03_catches_a_stranger Fault::NamesAStranger;
    wl_04_a_living_worker_is_not_forgotten wl_04_catches_who_forgets_the_living Fault::ForgetsTheLiving;
}
