//! The laws on holds.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::time::timeout;

use crate::begin::begin;
use crate::law::{Outcome, ensure};

use super::harness::FreshCredentials;
use super::samples::{credential, issuer};

const CALLERS: usize = 8;
/// How long a hold that is to be had at once may take, on a machine that does other things too.
const SOON: Duration = Duration::from_secs(10);

pub(super) async fn one_at_a_time_holds_an_issuer(mut fresh: FreshCredentials) -> Outcome {
    let [store, twin] = fresh.pair().await?;
    let at = issuer("https://as.example")?;
    let hold = store.hold(&at).await?;
    let second = begin(Box::pin(twin.hold(&at)), 8);
    ensure!(second.is_none(), "the issuer is held twice");
    drop(hold);
    let holders = Arc::new(AtomicUsize::new(0));
    let mut callers = Vec::new();
    for store in [store, twin].iter().cycle().take(CALLERS) {
        let (store, at, holders) = (Arc::clone(store), at.clone(), Arc::clone(&holders));
        callers.push(tokio::spawn(async move {
            let mut most = 0;
            for _ in 0..8 {
                let hold = store.hold(&at).await?;
                most = most.max(holders.fetch_add(1, Ordering::SeqCst) + 1);
                tokio::task::yield_now().await;
                holders.fetch_sub(1, Ordering::SeqCst);
                drop(hold);
            }
            Ok::<usize, pm_mcp_ports::driven::BackendError>(most)
        }));
    }
    for caller in callers {
        let most = caller.await??;
        ensure!(most == 1, "{most} held one issuer at a time");
    }
    Ok(())
}

pub(super) async fn a_hold_keeps_nobody_from_anything_else(mut fresh: FreshCredentials) -> Outcome {
    let [store, twin] = fresh.pair().await?;
    let [at, other] = [issuer("https://as.example")?, issuer("https://as.example/")?];
    let hold = store.hold(&at).await?;
    let near = timeout(SOON, twin.hold(&other)).await;
    ensure!(matches!(near, Ok(Ok(_))), "the hold of another issuer was waited for: {near:?}");
    let work = async {
        let revision = twin.save(&at, &credential(1)?, None).await?;
        twin.load(&at).await?;
        twin.remove(&at, revision).await?;
        Outcome::Ok(())
    };
    match timeout(SOON, work).await {
        Ok(outcome) => outcome?,
        Err(_) => ensure!(false, "the store does not answer while somebody holds the issuer"),
    }
    drop(hold);
    let next = timeout(SOON, twin.hold(&at)).await;
    ensure!(matches!(next, Ok(Ok(_))), "a dropped hold is still held: {next:?}");
    Ok(())
}

pub(super) async fn a_dropped_call_holds_nothing(mut fresh: FreshCredentials) -> Outcome {
    let [store, twin] = fresh.pair().await?;
    let at = issuer("https://as.example")?;
    for polls in 0..6 {
        let hold = store.hold(&at).await?;
        let got = begin(Box::pin(twin.hold(&at)), polls);
        ensure!(got.is_none(), "the issuer was held twice");
        drop(hold);
        drop(begin(Box::pin(twin.hold(&at)), polls));
        let next = timeout(SOON, store.hold(&at)).await;
        ensure!(matches!(next, Ok(Ok(_))), "a call that was dropped holds the issuer: {next:?}");
    }
    Ok(())
}
