//! Key sources that are wrong on purpose.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use pm_mcp_contract::key_source::{FreshKeys, LAWS};
use pm_mcp_contract::{HarnessError, KeySourceHarness, PlayedIssuer};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{KeyMaterial, KeySet, KeySource, KeysUnavailable, VerificationKey};

use crate::caught::mutants;

const FRESH: Duration = Duration::from_secs(60);
const LIMIT: Duration = Duration::from_secs(300);
const REST: Duration = Duration::from_secs(10);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    None,
    AddsAForeignKey,
    KeepsTheFirstSet,
    CallsTheSeenSetNewer,
    ServesForEver,
    GivesUpAtOnce,
    EmptyWithoutAnswer,
    AsksAtEveryCall,
    AsksAtEveryCallOfAnOutage,
}

#[derive(Debug, Default)]
struct Published {
    generation: u8,
    down: bool,
    asked: usize,
}

#[derive(Debug, Default)]
struct Issuer(Mutex<Published>);

fn key(number: u8) -> VerificationKey {
    VerificationKey { id: None, algorithm: None, material: KeyMaterial::Ed25519(vec![number; 32]) }
}

fn unavailable() -> KeysUnavailable {
    KeysUnavailable("nobody answers".into())
}

impl PlayedIssuer for Issuer {
    fn changes_its_keys(&self) -> KeySet {
        let mut published = self.0.lock().unwrap();
        published.generation += 1;
        KeySet::new(vec![key(published.generation)])
    }

    fn is_down(&self, down: bool) {
        self.0.lock().unwrap().down = down;
    }

    fn asked(&self) -> usize {
        self.0.lock().unwrap().asked
    }

    fn serves_for(&self) -> Duration {
        LIMIT
    }

    fn rest(&self) -> Duration {
        REST
    }
}

#[derive(Debug, Default)]
struct State {
    set: Option<Arc<KeySet>>,
    answered: Option<Timestamp>,
    asked: Option<Timestamp>,
    failed: bool,
}

#[derive(Debug)]
struct Mutant {
    fault: Fault,
    issuer: Arc<Issuer>,
    state: Mutex<State>,
}

impl Mutant {
    fn ask(&self, state: &mut State, now: Timestamp) {
        let mut published = self.issuer.0.lock().unwrap();
        published.asked += 1;
        state.asked = Some(now);
        state.failed = published.down;
        if published.down {
            return;
        }
        state.answered = Some(now);
        let mut keys = vec![key(published.generation)];
        if self.fault == Fault::AddsAForeignKey {
            keys.push(key(200));
        }
        let found = KeySet::new(keys);
        let kept = self.fault == Fault::KeepsTheFirstSet && state.set.is_some();
        if !kept && state.set.as_deref() != Some(&found) {
            state.set = Some(Arc::new(found));
        }
    }
}

#[async_trait]
impl KeySource for Mutant {
    async fn keys(&self, now: Timestamp) -> Result<Arc<KeySet>, KeysUnavailable> {
        let mut state = self.state.lock().unwrap();
        if state.answered.is_none_or(|answered| answered.after(FRESH) <= now) {
            self.ask(&mut state, now);
        }
        let limit = match self.fault {
            Fault::ServesForEver => LIMIT * 1000,
            Fault::GivesUpAtOnce => FRESH,
            _ => LIMIT,
        };
        match &state.set {
            Some(set) if state.answered.is_some_and(|answered| now < answered.after(limit)) => {
                Ok(Arc::clone(set))
            }
            None if self.fault == Fault::EmptyWithoutAnswer => Ok(Arc::default()),
            _ => Err(unavailable()),
        }
    }

    async fn newer(
        &self,
        seen: &Arc<KeySet>,
        now: Timestamp,
    ) -> Result<Option<Arc<KeySet>>, KeysUnavailable> {
        let mut state = self.state.lock().unwrap();
        let rested = state.asked.is_none_or(|asked| asked.after(REST) <= now);
        let restless = match self.fault {
            Fault::AsksAtEveryCall => true,
            Fault::AsksAtEveryCallOfAnOutage => state.failed,
            _ => false,
        };
        if rested || restless {
            self.ask(&mut state, now);
        }
        match &state.set {
            Some(set) if !Arc::ptr_eq(set, seen) => Ok(Some(Arc::clone(set))),
            Some(set) if self.fault == Fault::CallsTheSeenSetNewer => Ok(Some(Arc::clone(set))),
            _ if state.failed => Err(unavailable()),
            _ => Ok(None),
        }
    }
}

struct Wrong(Fault);

#[async_trait]
impl KeySourceHarness for Wrong {
    type Guard = ();

    async fn fresh(
        &self,
    ) -> Result<(Arc<dyn KeySource>, KeySet, Option<Arc<dyn PlayedIssuer>>, ()), HarnessError> {
        let issuer = Arc::new(Issuer::default());
        let source = Mutant { fault: self.0, issuer: Arc::clone(&issuer), state: Mutex::default() };
        Ok((Arc::new(source), KeySet::new(vec![key(0)]), Some(issuer), ()))
    }
}

async fn wrong(fault: Fault) -> FreshKeys {
    FreshKeys::of(Wrong(fault)).await.unwrap()
}

mod without_fault {
    use super::{Fault, Wrong};

    pm_mcp_contract::key_source_contract!(Wrong(Fault::None));
}

mutants! {
    LAWS, wrong;
    ks_01_every_key_is_of_the_issuer ks_01_catches_a_foreign_key Fault::AddsAForeignKey;
    ks_02_new_keys_come_in_a_new_set ks_02_catches_a_set_that_is_kept Fault::KeepsTheFirstSet;
    ks_02_the_newest_set_has_no_newer_one ks_02_catches_the_seen_set_called_newer Fault::CallsTheSeenSetNewer;
    ks_03_unconfirmed_keys_serve_for_the_stated_time ks_03_catches_keys_that_serve_for_ever Fault::ServesForEver;
    ks_03_unconfirmed_keys_serve_for_the_stated_time ks_03_catches_giving_up_at_once Fault::GivesUpAtOnce;
    ks_03_an_issuer_that_was_never_heard_gives_no_keys ks_03_catches_an_empty_set Fault::EmptyWithoutAnswer;
    ks_04_calls_for_newer_keys_ask_at_a_bounded_rate ks_04_catches_asking_at_every_call Fault::AsksAtEveryCall;
    ks_04_an_outage_is_asked_into_at_a_bounded_rate ks_04_catches_asking_into_an_outage Fault::AsksAtEveryCallOfAnOutage;
}
