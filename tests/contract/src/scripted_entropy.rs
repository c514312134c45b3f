//! Randomness that is the same on every run.

use std::sync::Mutex;

use pm_mcp_ports::driven::{Entropy, EntropyUnavailable};

use crate::lock::lock;

/// Bytes by a script, and failures where it says so. For tests: whoever knows the script knows all bytes.
#[derive(Debug)]
pub struct ScriptedEntropy {
    script: Mutex<Script>,
}

#[derive(Debug)]
struct Script {
    source: Source,
    fills: usize,
    failures: Vec<usize>,
}

#[derive(Debug)]
enum Source {
    /// SplitMix64 from a seed.
    Seeded(u64),
    /// These bytes and no more.
    Bytes(std::vec::IntoIter<u8>),
}

impl ScriptedEntropy {
    /// Bytes without end that only the seed decides, no two fills alike.
    pub fn seeded(seed: u64) -> Self {
        Self::of(Source::Seeded(seed))
    }

    /// These bytes one after the other; a fill that needs more than are left fails and takes none.
    pub fn bytes(bytes: impl Into<Vec<u8>>) -> Self {
        Self::of(Source::Bytes(bytes.into().into_iter()))
    }

    /// Lets the `nth` fill fail, counted from 1.
    #[must_use]
    pub fn failing(self, nth: usize) -> Self {
        lock(&self.script).failures.push(nth);
        self
    }

    fn of(source: Source) -> Self {
        Self { script: Mutex::new(Script { source, fills: 0, failures: Vec::new() }) }
    }
}

impl Entropy for ScriptedEntropy {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyUnavailable> {
        let mut script = lock(&self.script);
        script.fills = script.fills.saturating_add(1);
        if script.failures.contains(&script.fills) {
            return Err(EntropyUnavailable);
        }
        match &mut script.source {
            Source::Seeded(state) => {
                for chunk in bytes.chunks_mut(8) {
                    let mixed = mix(state).to_le_bytes();
                    for (byte, random) in chunk.iter_mut().zip(mixed) {
                        *byte = random;
                    }
                }
            }
            Source::Bytes(left) => {
                if left.len() < bytes.len() {
                    return Err(EntropyUnavailable);
                }
                for (byte, scripted) in bytes.iter_mut().zip(left) {
                    *byte = scripted;
                }
            }
        }
        Ok(())
    }
}

fn mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_bytes_every_time_and_no_two_fills_alike() {
        let (one, other) = (ScriptedEntropy::seeded(7), ScriptedEntropy::seeded(7));
        let (mut first, mut same, mut second) = ([0; 20], [0; 20], [0; 20]);
        one.fill(&mut first).unwrap();
        other.fill(&mut same).unwrap();
        one.fill(&mut second).unwrap();
        assert_eq!(first, same);
        assert_ne!(first, second);
    }

    #[test]
    fn scripted_bytes_end_and_scripted_failures_happen_once() {
        let entropy = ScriptedEntropy::bytes([1, 2, 3]).failing(1);
        let mut two = [0; 2];
        assert_eq!(entropy.fill(&mut two), Err(EntropyUnavailable));
        entropy.fill(&mut two).unwrap();
        assert_eq!(two, [1, 2]);
        assert_eq!(entropy.fill(&mut two), Err(EntropyUnavailable));
        let mut one = [0];
        entropy.fill(&mut one).unwrap();
        assert_eq!(one, [3]);
    }
}
