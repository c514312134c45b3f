//! Sources of randomness that are wrong on purpose.

use std::sync::Arc;

use pm_mcp_contract::ScriptedEntropy;
use pm_mcp_contract::entropy::LAWS;
use pm_mcp_ports::driven::{Entropy, EntropyUnavailable};

use crate::caught::mutants;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    LeavesTheLastByte,
    RepeatsItself,
}

#[derive(Debug)]
struct Mutant {
    fault: Fault,
    inner: ScriptedEntropy,
}

impl Entropy for Mutant {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyUnavailable> {
        match self.fault {
            Fault::RepeatsItself => ScriptedEntropy::seeded(1).fill(bytes),
            Fault::LeavesTheLastByte => {
                let filled = bytes.len().saturating_sub(1);
                self.inner.fill(&mut bytes[..filled])
            }
        }
    }
}

async fn wrong(fault: Fault) -> Arc<dyn Entropy> {
    Arc::new(Mutant { fault, inner: ScriptedEntropy::seeded(1) })
}

mod without_fault {
    pm_mcp_contract::entropy_contract!(pm_mcp_contract::ScriptedEntropy::seeded(1));
}

mutants! {
    LAWS, wrong;
    en_01_every_byte_is_filled en_01_catches_a_byte_that_is_left_out Fault::LeavesTheLastByte;
    en_01_every_byte_is_filled en_01_catches_bytes_that_come_again Fault::RepeatsItself;
}
