//! Sealer, signer and randomness against the laws of their ports.

use std::sync::Arc;

use pm_mcp_contract::{HarnessError, StateSealerHarness};
use pm_mcp_ports::driven::StateSealer;
use pm_mcp_seal_ring::{HmacCursorSigner, RingSealer, SystemEntropy};

enum Ring {
    Encrypting,
    Signing,
}

impl StateSealerHarness for Ring {
    fn encrypts(&self) -> bool {
        matches!(self, Self::Encrypting)
    }

    fn sealer(&self, active: &[u8; 32], older: &[[u8; 32]]) -> Result<Arc<dyn StateSealer>, HarnessError> {
        let mut sealer = RingSealer::new(active)?;
        for key in older {
            sealer = sealer.with_older(key)?;
        }
        Ok(Arc::new(if self.encrypts() { sealer } else { sealer.signed_only() }))
    }
}

mod encrypting {
    pm_mcp_contract::state_sealer_contract!(super::Ring::Encrypting);
}

mod signing {
    pm_mcp_contract::state_sealer_contract!(super::Ring::Signing);
}

fn signer(key: &[u8; 32]) -> Result<HmacCursorSigner, HarnessError> {
    Ok(HmacCursorSigner::new(key)?)
}

mod cursors {
    pm_mcp_contract::cursor_signer_contract!(super::signer);
}

mod randomness {
    pm_mcp_contract::entropy_contract!(super::SystemEntropy::new());
}
