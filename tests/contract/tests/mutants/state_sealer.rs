//! Sealers that are wrong on purpose.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use pm_mcp_contract::state_sealer::{LAWS, Sealers};
use pm_mcp_contract::{HarnessError, StateSealerHarness};
use pm_mcp_ports::driven::{SealError, StateSealer};
use pm_mcp_seal_ring::RingSealer;

use crate::caught::mutants;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    None,
    CutsLongStates,
    TrimsTexts,
    IgnoresTheContext,
    SignsOnly,
    SealsTheSameAlike,
    PrintsItsKey,
    ForgetsOlderKeys,
    KeepsDroppedKeys,
}

struct Mutant {
    fault: Fault,
    key: [u8; 32],
    inner: RingSealer,
    sealed: Mutex<BTreeMap<Vec<u8>, String>>,
}

impl fmt::Debug for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fault {
            Fault::PrintsItsKey => f.debug_tuple("Mutant").field(&self.key).finish(),
            _ => self.inner.fmt(f),
        }
    }
}

impl Mutant {
    fn context<'a>(&self, context: &'a [u8]) -> &'a [u8] {
        if self.fault == Fault::IgnoresTheContext { b"" } else { context }
    }
}

impl StateSealer for Mutant {
    fn seal(&self, plain: &[u8], context: &[u8]) -> Result<String, SealError> {
        let mut sealed = self.sealed.lock().unwrap();
        if let Some(before) = sealed.get(plain).filter(|_| self.fault == Fault::SealsTheSameAlike) {
            return Ok(before.clone());
        }
        let text = self.inner.seal(plain, self.context(context))?;
        sealed.insert(plain.to_vec(), text.clone());
        Ok(text)
    }

    fn open(&self, sealed: &str, context: &[u8]) -> Option<Vec<u8>> {
        let sealed = if self.fault == Fault::TrimsTexts { sealed.trim() } else { sealed };
        let mut plain = self.inner.open(sealed, self.context(context))?;
        if self.fault == Fault::CutsLongStates {
            plain.truncate(50_000);
        }
        Some(plain)
    }
}

struct Wrong(Fault, Mutex<Vec<[u8; 32]>>);

impl StateSealerHarness for Wrong {
    fn encrypts(&self) -> bool {
        true
    }

    fn sealer(&self, active: &[u8; 32], older: &[[u8; 32]]) -> Result<Arc<dyn StateSealer>, HarnessError> {
        let mut inner = RingSealer::new(active)?;
        let mut seen = self.1.lock().unwrap();
        let older = match self.0 {
            Fault::ForgetsOlderKeys => Vec::new(),
            Fault::KeepsDroppedKeys => seen.iter().filter(|key| *key != active).copied().collect(),
            _ => older.to_vec(),
        };
        if !seen.contains(active) {
            seen.push(*active);
        }
        for key in older {
            inner = inner.with_older(&key)?;
        }
        if self.0 == Fault::SignsOnly {
            inner = inner.signed_only();
        }
        Ok(Arc::new(Mutant { fault: self.0, key: *active, inner, sealed: Mutex::default() }))
    }
}

async fn wrong(fault: Fault) -> Sealers {
    Sealers::of(Wrong(fault, Mutex::default())).await.unwrap()
}

mod without_fault {
    use super::{Fault, Wrong};

    pm_mcp_contract::state_sealer_contract!(Wrong(Fault::None, Default::default()));
}

mutants! {
    LAWS, wrong;
    ss_01_what_is_sealed_opens_unchanged ss_01_catches_states_that_are_cut Fault::CutsLongStates;
    ss_02_another_text_opens_nothing ss_02_catches_texts_that_are_trimmed Fault::TrimsTexts;
    ss_02_another_context_opens_nothing ss_02_catches_contexts_that_are_ignored Fault::IgnoresTheContext;
    ss_03_nothing_of_the_state_can_be_read ss_03_catches_a_sealer_that_only_signs Fault::SignsOnly;
    ss_03_equal_states_do_not_look_equal ss_03_catches_the_same_text_for_the_same_state Fault::SealsTheSameAlike;
    ss_04_keys_show_in_no_output ss_04_catches_a_key_that_is_printed Fault::PrintsItsKey;
    ss_05_an_older_key_still_opens_and_a_dropped_one_does_not
        ss_05_catches_older_keys_that_are_forgotten Fault::ForgetsOlderKeys;
    ss_05_an_older_key_still_opens_and_a_dropped_one_does_not
        ss_05_catches_dropped_keys_that_still_open Fault::KeepsDroppedKeys;
}
