//! Credential stores that are wrong on purpose.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use pm_mcp_contract::credential_store::{FreshCredentials, LAWS};
use pm_mcp_contract::{CredentialStoreHarness, HarnessError};
use pm_mcp_domain::access::Issuer;
use pm_mcp_domain::authorization::Credential;
use pm_mcp_ports::driven::{
    BackendError, CredentialHold, CredentialStore, Durability, Revision, SaveCredentialError,
    StoredCredential,
};

use crate::caught::mutants;
use crate::gap::Gap;

/// Between the look and the save of the store that looks before it waits.
static GAP: Gap = Gap::new();

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    None,
    DropsTheScopes,
    IgnoresASlash,
    SavesOverAnything,
    LooksBeforeItWaits,
    RemovesTheOthers,
    CountsFromOne,
    HoldsForItself,
    HoldsEverything,
    ReservesBeforeItHolds,
    ForgetsWithTheProcess,
    ClaimsToForget,
    PrintsItsSecrets,
}

#[derive(Default)]
struct Kept {
    credentials: BTreeMap<String, StoredCredential>,
    holds: BTreeMap<String, Arc<tokio::sync::Mutex<()>>>,
    reserved: bool,
    last: u64,
}

type Shared = Arc<Mutex<Kept>>;

struct Mutant {
    fault: Fault,
    shared: Shared,
}

impl std::fmt::Debug for Mutant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kept = self.shared.lock().unwrap();
        let secrets: Vec<String> = if self.fault == Fault::PrintsItsSecrets {
            let bytes = kept.credentials.values().map(|stored| stored.credential.encode().unwrap());
            bytes.map(|bytes| String::from_utf8(bytes.to_vec()).unwrap()).collect()
        } else {
            Vec::new()
        };
        write!(f, "Mutant {secrets:?}")
    }
}

impl Mutant {
    fn key(&self, issuer: &Issuer) -> String {
        let text = issuer.as_str();
        let text = if self.fault == Fault::IgnoresASlash { text.trim_end_matches('/') } else { text };
        text.to_owned()
    }

    fn revision(&self, issuer: &Issuer) -> Option<Revision> {
        self.shared.lock().unwrap().credentials.get(&self.key(issuer)).map(|stored| stored.revision)
    }
}

#[async_trait]
impl CredentialStore for Mutant {
    fn durability(&self) -> Durability {
        if self.fault == Fault::ClaimsToForget { Durability::Volatile } else { Durability::Durable }
    }

    async fn load(&self, issuer: &Issuer) -> Result<Option<StoredCredential>, BackendError> {
        let mut found = self.shared.lock().unwrap().credentials.get(&self.key(issuer)).cloned();
        if let Some(stored) = found.as_mut().filter(|_| self.fault == Fault::DropsTheScopes) {
            let text = String::from_utf8(stored.credential.encode().unwrap().to_vec()).unwrap();
            let text = text.replace(r#","scopes":"files:read files:write""#, "");
            stored.credential = Credential::decode(text.as_bytes()).unwrap();
        }
        Ok(found)
    }

    async fn save(
        &self,
        issuer: &Issuer,
        credential: &Credential,
        expected: Option<Revision>,
    ) -> Result<Revision, SaveCredentialError> {
        let seen = self.revision(issuer);
        if self.fault == Fault::LooksBeforeItWaits {
            GAP.pass().await;
        }
        let mut kept = self.shared.lock().unwrap();
        let key = self.key(issuer);
        let found = kept.credentials.get(&key).map(|stored| stored.revision);
        let found = if self.fault == Fault::LooksBeforeItWaits { seen } else { found };
        if found != expected && self.fault != Fault::SavesOverAnything {
            return Err(SaveCredentialError::Conflict);
        }
        kept.last += 1;
        let number = match found {
            Some(found) if self.fault == Fault::CountsFromOne => found.as_u64() + 1,
            None if self.fault == Fault::CountsFromOne => 1,
            _ => kept.last,
        };
        let revision = Revision::from_u64(number);
        kept.credentials.insert(key, StoredCredential { credential: credential.clone(), revision });
        Ok(revision)
    }

    async fn remove(&self, issuer: &Issuer, expected: Revision) -> Result<(), SaveCredentialError> {
        let mut kept = self.shared.lock().unwrap();
        let key = self.key(issuer);
        if kept.credentials.get(&key).map(|stored| stored.revision) != Some(expected) {
            return Err(SaveCredentialError::Conflict);
        }
        kept.credentials.retain(|other, _| *other != key && self.fault != Fault::RemovesTheOthers);
        Ok(())
    }

    async fn hold(&self, issuer: &Issuer) -> Result<CredentialHold, BackendError> {
        let key = match self.fault {
            Fault::HoldsEverything => String::new(),
            Fault::HoldsForItself => format!("{} {:p}", self.key(issuer), self),
            _ => self.key(issuer),
        };
        let turn = Arc::clone(self.shared.lock().unwrap().holds.entry(key).or_default());
        if self.fault == Fault::ReservesBeforeItHolds {
            while std::mem::replace(&mut self.shared.lock().unwrap().reserved, true) {
                tokio::task::yield_now().await;
            }
            tokio::task::yield_now().await;
            self.shared.lock().unwrap().reserved = false;
        }
        Ok(CredentialHold::new(turn.lock_owned().await))
    }
}

struct Wrong(Fault);

#[async_trait]
impl CredentialStoreHarness for Wrong {
    type Guard = Shared;

    fn durability(&self) -> Durability {
        Durability::Durable
    }

    async fn fresh(&self) -> Result<(Arc<dyn CredentialStore>, Shared), HarnessError> {
        let shared = Shared::default();
        Ok((Arc::new(Mutant { fault: self.0, shared: Arc::clone(&shared) }), shared))
    }

    async fn share(&self, place: &mut Shared) -> Result<Option<Arc<dyn CredentialStore>>, HarnessError> {
        let forgets = self.0 == Fault::ForgetsWithTheProcess;
        let shared = if forgets { Shared::default() } else { Arc::clone(place) };
        Ok(Some(Arc::new(Mutant { fault: self.0, shared })))
    }
}

async fn wrong(fault: Fault) -> FreshCredentials {
    FreshCredentials::of(Wrong(fault)).await.unwrap()
}

mod without_fault {
    use super::{Fault, Wrong};

    pm_mcp_contract::credential_store_contract!(Wrong(Fault::None));
}

mutants! {
    LAWS, wrong;
    cr_01_what_was_saved_is_found_as_it_was cr_01_catches_a_part_that_is_lost Fault::DropsTheScopes;
    cr_02_issuers_are_told_apart_letter_for_letter cr_02_catches_a_slash_that_does_not_count Fault::IgnoresASlash;
    cr_03_a_stale_save_changes_nothing cr_03_catches_a_save_over_anything Fault::SavesOverAnything;
    cr_03_of_many_who_expect_the_same_one_saves cr_03_catches_a_gap_between_look_and_save Fault::LooksBeforeItWaits;
    cr_04_a_removal_takes_what_was_expected_and_nothing_else cr_04_catches_a_removal_of_the_others Fault::RemovesTheOthers;
    cr_05_no_revision_is_given_out_twice cr_05_catches_counting_from_one_again Fault::CountsFromOne;
    cr_06_one_at_a_time_holds_an_issuer cr_06_catches_a_hold_for_oneself Fault::HoldsForItself;
    cr_06_a_hold_keeps_nobody_from_anything_else cr_06_catches_a_hold_of_everything Fault::HoldsEverything;
    cr_07_a_dropped_call_holds_nothing cr_07_catches_a_place_that_is_kept Fault::ReservesBeforeItHolds;
    cr_08_acknowledged_saves_survive_a_killed_process cr_08_catches_a_store_that_forgets Fault::ForgetsWithTheProcess;
    cr_08_durability_is_as_declared cr_08_catches_a_wrong_declaration Fault::ClaimsToForget;
    cr_09_nothing_of_a_secret_is_printed cr_09_catches_a_store_that_prints_what_it_keeps Fault::PrintsItsSecrets;
}
