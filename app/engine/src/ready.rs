//! Whether the server can do its work now.

use std::time::Duration;

use pm_mcp_domain::ident::Principal;

use crate::core::Core;

/// How long the task store may take to answer.
const PATIENCE: Duration = Duration::from_secs(2);

impl Core {
    /// Whether the task store answers, if there is one. What it is asked is cheap, and about nobody.
    pub(crate) async fn is_ready(&self) -> bool {
        let Some(store) = &self.ports.tasks else { return true };
        let clock = &*self.ports.clock;
        let deadline = clock.now().after(PATIENCE);
        let nobody = Principal::from_stored("");
        tokio::select! {
            biased;
            held = store.held(&nobody) => match held {
                Ok(_) => true,
                Err(fault) => {
                    tracing::warn!(%fault, "not ready: the task store failed");
                    false
                }
            },
            () = clock.sleep_until(deadline) => {
                tracing::warn!("not ready: the task store does not answer");
                false
            }
        }
    }
}
