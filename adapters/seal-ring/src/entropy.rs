//! Random bytes of the operating system.

use std::fmt;

use pm_mcp_ports::driven::{Entropy, EntropyUnavailable};
use ring::rand::{SecureRandom, SystemRandom};

/// The operating system gave no random bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the operating system gave no random bytes; without them no key can be made")]
pub struct EntropyError;

/// The operating system's source of random bytes.
///
/// ```
/// use pm_mcp_ports::driven::Entropy;
/// use pm_mcp_seal_ring::SystemEntropy;
///
/// let mut id = [0; 16];
/// SystemEntropy::new().fill(&mut id)?;
/// # Ok::<(), pm_mcp_ports::driven::EntropyUnavailable>(())
/// ```
#[derive(Clone)]
pub struct SystemEntropy {
    source: SystemRandom,
}

impl SystemEntropy {
    /// The source; it is opened when it is first asked.
    pub fn new() -> Self {
        Self { source: SystemRandom::new() }
    }
}

impl Default for SystemEntropy {
    fn default() -> Self {
        Self::new()
    }
}

impl Entropy for SystemEntropy {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyUnavailable> {
        self.source.fill(bytes).map_err(|_| EntropyUnavailable)
    }
}

impl fmt::Debug for SystemEntropy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SystemEntropy")
    }
}

pub(crate) fn random<const COUNT: usize>() -> Result<[u8; COUNT], EntropyError> {
    let mut bytes = [0; COUNT];
    SystemRandom::new().fill(&mut bytes).map_err(|_| EntropyError)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_filled_and_no_two_fills_are_alike() {
        let entropy = SystemEntropy::new();
        let mut seen = [0_u8; 64];
        // A byte that stays 0 in 64 fills was not filled; by chance that is one run in 2^506.
        for _ in 0..64 {
            let mut bytes = [0; 64];
            entropy.fill(&mut bytes).unwrap();
            for (seen, byte) in seen.iter_mut().zip(bytes) {
                *seen |= byte;
            }
        }
        assert!(seen.iter().all(|byte| *byte != 0), "{seen:?}");
        let (mut first, mut second) = ([0; 16], [0; 16]);
        entropy.fill(&mut first).unwrap();
        entropy.fill(&mut second).unwrap();
        assert_ne!(first, second);
        entropy.fill(&mut []).unwrap();
        assert_eq!(format!("{entropy:?}"), "SystemEntropy");
    }
}
