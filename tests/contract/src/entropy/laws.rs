//! The law, a function of its own.

use std::collections::BTreeSet;
use std::sync::Arc;

use pm_mcp_ports::driven::Entropy;

use crate::law::{Outcome, ensure};

/// Forty fills: that one byte is the same in all of them happens once in 2^312.
const FILLS: usize = 40;

pub(super) async fn every_byte_is_filled(entropy: Arc<dyn Entropy>) -> Outcome {
    for length in [1, 7, 16, 20, 32, 33, 1_000] {
        let mut fills = Vec::new();
        for _ in 0..FILLS {
            let mut bytes = vec![0; length];
            entropy.fill(&mut bytes)?;
            fills.push(bytes);
        }
        for place in 0..length {
            let seen: BTreeSet<_> = fills.iter().filter_map(|bytes| bytes.get(place)).collect();
            ensure!(seen.len() > 1, "byte {place} of {length} is the same in {FILLS} fills");
        }
        let distinct: BTreeSet<_> = fills.iter().collect();
        ensure!(length < 16 || distinct.len() == FILLS, "two fills of {length} bytes are the same");
    }
    entropy.fill(&mut [])?;
    Ok(())
}
