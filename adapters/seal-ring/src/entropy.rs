//! Random bytes of the operating system.

use ring::rand::{SecureRandom, SystemRandom};

/// The operating system gave no random bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the operating system gave no random bytes; without them no key can be made")]
pub struct EntropyError;

pub(crate) fn random<const COUNT: usize>() -> Result<[u8; COUNT], EntropyError> {
    let mut bytes = [0; COUNT];
    SystemRandom::new().fill(&mut bytes).map_err(|_| EntropyError)?;
    Ok(bytes)
}
