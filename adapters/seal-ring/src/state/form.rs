//! The two ways to protect a state.

/// How a state is protected.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StateForm {
    /// AES-256-GCM: it can be neither read nor changed.
    Encrypted,
    /// HMAC-SHA-256: it cannot be changed, but whoever holds it can read it.
    Signed,
}

impl StateForm {
    /// The first byte of a sealed state. Processes of different versions share keys: a change of
    /// either layout takes a new number.
    pub(super) const fn as_byte(self) -> u8 {
        match self {
            Self::Encrypted => 1,
            Self::Signed => 2,
        }
    }

    pub(super) const fn parse(byte: u8) -> Option<Self> {
        match byte {
            1 => Some(Self::Encrypted),
            2 => Some(Self::Signed),
            _ => None,
        }
    }
}
