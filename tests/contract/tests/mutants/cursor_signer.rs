//! Signers that are wrong on purpose.

use std::fmt;

use pm_mcp_contract::HarnessError;
use pm_mcp_contract::cursor_signer::{LAWS, Signers};
use pm_mcp_ports::driven::CursorSigner;
use pm_mcp_seal_ring::HmacCursorSigner;

use crate::caught::mutants;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    CutsPayloads,
    TrimsTexts,
    PrintsItsKey,
}

struct Mutant {
    fault: Fault,
    key: [u8; 32],
    inner: HmacCursorSigner,
}

impl fmt::Debug for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fault {
            Fault::PrintsItsKey => write!(f, "Mutant({})", String::from_utf8_lossy(&self.key)),
            Fault::CutsPayloads | Fault::TrimsTexts => self.inner.fmt(f),
        }
    }
}

impl CursorSigner for Mutant {
    fn sign(&self, payload: &[u8]) -> String {
        self.inner.sign(payload)
    }

    fn open(&self, token: &str) -> Option<Vec<u8>> {
        let token = if self.fault == Fault::TrimsTexts { token.trim() } else { token };
        let mut payload = self.inner.open(token)?;
        if self.fault == Fault::CutsPayloads {
            payload.truncate(1_000);
        }
        Some(payload)
    }
}

async fn wrong(fault: Fault) -> Signers {
    let signer = move |key: &[u8; 32]| -> Result<Mutant, HarnessError> {
        Ok(Mutant { fault, key: *key, inner: HmacCursorSigner::new(key)? })
    };
    Signers::of(signer).await.unwrap()
}

mutants! {
    LAWS, wrong;
    cs_01_what_is_signed_opens_unchanged cs_01_catches_payloads_that_are_cut Fault::CutsPayloads;
    cs_02_another_text_opens_nothing cs_02_catches_texts_that_are_trimmed Fault::TrimsTexts;
    cs_03_the_key_shows_in_no_output cs_03_catches_a_key_that_is_printed Fault::PrintsItsKey;
}
