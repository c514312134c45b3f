//! The laws of the port `KeySource`, for keys that a host has and for those that an issuer publishes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use pm_mcp_contract::{HarnessError, KeySourceHarness, PlayedIssuer};
use pm_mcp_ports::driven::{KeySet, KeySource};
use pm_mcp_token_jwt::{IssuerKeys, Schedule, StaticKeys, parse_jwks};

use crate::provider::{METADATA, Provider};
use crate::signer::{Signer, issuer, jwks};

type Fresh = (Arc<dyn KeySource>, KeySet, Option<Arc<dyn PlayedIssuer>>, ());

/// Names of keys say which time they are of.
struct Played {
    provider: Provider,
    changes: AtomicUsize,
}

fn key_set(signer: &Signer) -> KeySet {
    parse_jwks(jwks([signer]).as_bytes()).unwrap().keys
}

impl PlayedIssuer for Played {
    fn changes_its_keys(&self) -> KeySet {
        let signer = Signer::ed(&format!("changed-{}", self.changes.fetch_add(1, Ordering::Relaxed)));
        self.provider.has_keys(&[&signer]);
        key_set(&signer)
    }

    fn is_down(&self, down: bool) {
        self.provider.is_down(down);
    }

    /// Every look begins here.
    fn asked(&self) -> usize {
        self.provider.asked(METADATA)
    }

    fn serves_for(&self) -> Duration {
        Schedule::default().stale_limit
    }

    fn rest(&self) -> Duration {
        let schedule = Schedule::default();
        schedule.cool_down.min(schedule.retry)
    }
}

struct Published;

#[async_trait]
impl KeySourceHarness for Published {
    type Guard = ();

    async fn fresh(&self) -> Result<Fresh, HarnessError> {
        let signer = Signer::ed("first");
        let provider = Provider::with_keys(&[&signer]);
        let source = IssuerKeys::discover(&issuer(), provider.fetch(), Schedule::default());
        let played = Played { provider, changes: AtomicUsize::new(0) };
        Ok((Arc::new(source), key_set(&signer), Some(Arc::new(played)), ()))
    }
}

struct Given;

#[async_trait]
impl KeySourceHarness for Given {
    type Guard = ();

    async fn fresh(&self) -> Result<Fresh, HarnessError> {
        let signer = Signer::ed("given");
        let source = StaticKeys::from_jwks(jwks([&signer]).as_bytes())?;
        Ok((Arc::new(source), key_set(&signer), None, ()))
    }
}

mod issuer_keys {
    pm_mcp_contract::key_source_contract!(super::Published);
}

mod static_keys {
    pm_mcp_contract::key_source_contract!(super::Given);
}
