//! Buses that are wrong on purpose.

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use pm_mcp_contract::change_bus::{FreshBus, LAWS};
use pm_mcp_contract::{ChangeBusHarness, HarnessError};
use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::subscription::Change;
use pm_mcp_memory::MemoryChangeBus;
use pm_mcp_ports::driven::{Applied, BackendError, ChangeBus, ChangeFeed, Heard, PublishError, Retry};

use crate::caught::mutants;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    None,
    SwapsNeighbours,
    TellsTwice,
    HearsItself,
    TellsOfThePast,
    LagsInSilence,
    RefusesWhenFull,
    EndsWhenItLags,
    TakesBeforeItIsReady,
    FailsAfterADrop,
    ForgetsTheOwner,
    TakesTheLastWithIt,
}

const WAITING: usize = 100;

/// What the members of a wrong bus have in common.
#[derive(Debug, Default)]
struct Shared {
    past: Mutex<VecDeque<Change>>,
    held_back: Mutex<Option<Change>>,
    published: AtomicUsize,
    one_dropped: AtomicBool,
}

#[derive(Debug)]
struct Mutant {
    fault: Fault,
    inner: MemoryChangeBus,
    shared: Arc<Shared>,
}

fn failure() -> BackendError {
    BackendError {
        operation: "carrying a change",
        applied: Applied::Unknown,
        retry: Retry::Later,
        source: Box::new(io::Error::other("made up")),
    }
}

#[async_trait]
impl ChangeBus for Mutant {
    fn publish(&self, change: &Change) -> Result<(), PublishError> {
        self.shared.past.lock().unwrap().push_back(change.clone());
        let published = self.shared.published.fetch_add(1, Ordering::SeqCst);
        let one_dropped = self.shared.one_dropped.load(Ordering::SeqCst);
        match (self.fault, change) {
            (Fault::SwapsNeighbours, _) => {
                let mut held_back = self.shared.held_back.lock().unwrap();
                match held_back.take() {
                    Some(earlier) => {
                        self.inner.publish(change)?;
                        self.inner.publish(&earlier)
                    }
                    None => {
                        *held_back = Some(change.clone());
                        Ok(())
                    }
                }
            }
            (Fault::TakesTheLastWithIt, _) => {
                let earlier = self.shared.held_back.lock().unwrap().replace(change.clone());
                earlier.map_or(Ok(()), |earlier| self.inner.publish(&earlier))
            }
            (Fault::RefusesWhenFull, _) if published >= WAITING => Err(failure().into()),
            (Fault::FailsAfterADrop, _) if one_dropped => Err(failure().into()),
            (Fault::ForgetsTheOwner, Change::TaskChanged { task, state, .. }) => {
                let (task, state) = (Arc::clone(task), state.clone());
                self.inner.publish(&Change::TaskChanged { task, principal: Principal::anonymous(), state })
            }
            _ => self.inner.publish(change),
        }
    }

    async fn sent(&self) {}

    async fn attach(&self) -> Result<Box<dyn ChangeFeed>, BackendError> {
        let inner = match self.fault {
            Fault::HearsItself => self.inner.member().attach().await?,
            _ => self.inner.attach().await?,
        };
        let first = match self.fault {
            Fault::TellsOfThePast => self.shared.past.lock().unwrap().clone(),
            _ => VecDeque::new(),
        };
        Ok(Box::new(WrongFeed { fault: self.fault, inner, first, shared: Arc::clone(&self.shared) }))
    }
}

#[derive(Debug)]
struct WrongFeed {
    fault: Fault,
    inner: Box<dyn ChangeFeed>,
    /// What is yielded before anything else.
    first: VecDeque<Change>,
    shared: Arc<Shared>,
}

#[async_trait]
impl ChangeFeed for WrongFeed {
    async fn next(&mut self) -> Result<Heard, BackendError> {
        if let Some(change) = self.first.pop_front() {
            return Ok(Heard::Change(change));
        }
        match (self.inner.next().await?, self.fault) {
            (Heard::Lagged, Fault::LagsInSilence) => self.inner.next().await,
            (Heard::Lagged, Fault::EndsWhenItLags) => Err(failure()),
            (Heard::Change(change), Fault::TellsTwice) => {
                self.first.push_back(change.clone());
                Ok(Heard::Change(change))
            }
            (heard, Fault::TakesBeforeItIsReady) => {
                tokio::task::yield_now().await;
                Ok(heard)
            }
            (heard, _) => Ok(heard),
        }
    }
}

impl Drop for WrongFeed {
    fn drop(&mut self) {
        self.shared.one_dropped.store(true, Ordering::SeqCst);
    }
}

struct Wrong(Fault);

#[async_trait]
impl ChangeBusHarness for Wrong {
    type Guard = ();

    async fn fresh(&self) -> Result<([Arc<dyn ChangeBus>; 2], ()), HarnessError> {
        let first = MemoryChangeBus::with_waiting(WAITING.try_into()?);
        let shared = Arc::new(Shared::default());
        let [ours, theirs] = [first.member(), first].map(|inner| {
            Arc::new(Mutant { fault: self.0, inner, shared: Arc::clone(&shared) }) as Arc<dyn ChangeBus>
        });
        Ok(([ours, theirs], ()))
    }

    fn most_waiting(&self) -> usize {
        WAITING
    }
}

async fn wrong(fault: Fault) -> FreshBus {
    FreshBus::of(Wrong(fault)).await.unwrap()
}

mod without_fault {
    use super::{Fault, Wrong};

    pm_mcp_contract::change_bus_contract!(Wrong(Fault::None));
}

mutants! {
    LAWS, wrong;
    cb_01_every_feed_of_the_others_hears_in_order cb_01_catches_swapped_neighbours Fault::SwapsNeighbours;
    cb_01_every_feed_of_the_others_hears_in_order cb_01_catches_what_is_told_twice Fault::TellsTwice;
    cb_02_nobody_hears_itself cb_02_catches_who_hears_itself Fault::HearsItself;
    cb_03_nothing_from_before_is_heard cb_03_catches_tales_of_the_past Fault::TellsOfThePast;
    cb_04_a_feed_that_is_not_read_lags cb_04_catches_a_silent_loss Fault::LagsInSilence;
    cb_04_a_feed_that_is_not_read_lags cb_04_catches_who_refuses_when_full Fault::RefusesWhenFull;
    cb_04_a_feed_that_is_not_read_lags cb_04_catches_a_feed_that_ends Fault::EndsWhenItLags;
    cb_05_a_dropped_wait_takes_nothing cb_05_catches_what_is_taken_too_early Fault::TakesBeforeItIsReady;
    cb_06_a_dropped_feed_costs_nothing cb_06_catches_who_fails_after_a_drop Fault::FailsAfterADrop;
    cb_07_a_change_arrives_whole cb_07_catches_a_lost_owner Fault::ForgetsTheOwner;
    cb_08_what_was_sent_outlives_its_member
        cb_08_catches_a_change_that_goes_with_its_member Fault::TakesTheLastWithIt;
}
