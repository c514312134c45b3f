//! The laws, one function each.

use std::collections::BTreeSet;

use pm_mcp_domain::task::WorkerId;
use pm_mcp_ports::driven::WorkerLiveness;

use crate::law::{Outcome, Violation, ensure};

use super::harness::FreshLiveness;

fn worker(number: u8) -> WorkerId {
    WorkerId::from_random(&[number; WorkerId::RANDOM_BYTES])
}

/// Whether the worker is named; nobody may be named twice.
async fn is_named(workers: &dyn WorkerLiveness, worker: &WorkerId) -> Result<bool, Violation> {
    let named = workers.gone().await?;
    let distinct: BTreeSet<&WorkerId> = named.iter().collect();
    ensure!(distinct.len() == named.len(), "a worker is named twice: {named:?}");
    Ok(distinct.contains(worker))
}

pub(super) async fn a_living_worker_is_never_named(fresh: FreshLiveness) -> Outcome {
    let [ours, theirs] = fresh.pair();
    let lives = ours.announce(&worker(1))?;
    let other = theirs.announce(&worker(2))?;
    drop(theirs.announce(&worker(3))?);
    for round in 0..16 {
        // Many ask at a time: none of them may take another's look for an end.
        let asking: Vec<_> = [&ours, &theirs]
            .into_iter()
            .cycle()
            .take(8)
            .map(|workers| {
                let workers = std::sync::Arc::clone(workers);
                tokio::spawn(async move {
                    Ok::<_, Violation>([
                        is_named(&*workers, &worker(1)).await?,
                        is_named(&*workers, &worker(2)).await?,
                    ])
                })
            })
            .collect();
        for asked in asking {
            let named = asked.await??;
            ensure!(named == [false, false], "round {round} names one that lives: {named:?}");
        }
    }
    drop((lives, other));
    Ok(())
}

pub(super) async fn an_ended_worker_is_named_to_all(fresh: FreshLiveness) -> Outcome {
    let [ours, theirs] = fresh.pair();
    let kept = ours.announce(&worker(9))?;
    for (announcing, number) in [(&ours, 1), (&theirs, 2)] {
        drop(announcing.announce(&worker(number))?);
        for asking in [&ours, &theirs, &ours] {
            ensure!(
                is_named(&**asking, &worker(number)).await?,
                "worker {number} has ended and is not named"
            );
        }
    }
    theirs.forget(&worker(1)).await?;
    for asking in [&ours, &theirs] {
        ensure!(!is_named(&**asking, &worker(1)).await?, "a worker is named after it was forgotten");
        ensure!(
            is_named(&**asking, &worker(2)).await?,
            "one was forgotten, and another is not named any more"
        );
    }
    drop(kept);
    Ok(())
}

pub(super) async fn an_unknown_worker_is_never_named(fresh: FreshLiveness) -> Outcome {
    let [ours, theirs] = fresh.pair();
    for asking in [&ours, &theirs] {
        let named = asking.gone().await?;
        ensure!(named.is_empty(), "{named:?} was named before anyone was announced");
        asking.forget(&worker(1)).await?;
    }
    drop(ours.announce(&worker(2))?);
    for asking in [&ours, &theirs] {
        let named = asking.gone().await?;
        ensure!(named == [worker(2)], "{named:?} is named, and only one was announced");
    }
    Ok(())
}

pub(super) async fn a_living_worker_is_not_forgotten(fresh: FreshLiveness) -> Outcome {
    let [ours, theirs] = fresh.pair();
    let lives = ours.announce(&worker(1))?;
    for forgetting in [&ours, &theirs] {
        forgetting.forget(&worker(1)).await?;
        ensure!(!is_named(&*theirs, &worker(1)).await?, "forgetting ended a worker that lives");
    }
    drop(lives);
    ensure!(
        is_named(&*theirs, &worker(1)).await?,
        "a worker that was forgotten while it lived is never named"
    );
    Ok(())
}
