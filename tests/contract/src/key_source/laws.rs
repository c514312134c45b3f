//! The laws, one function each.

use std::sync::Arc;
use std::time::Duration;

use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{KeySet, KeySource};

use crate::law::{Outcome, ensure};

use super::harness::{FreshKeys, PlayedIssuer};

const CALLERS: usize = 16;
/// How many rests the calls for newer keys are spread over, and how many calls each gets.
const RESTS: u32 = 4;
const CALLS_A_REST: u32 = 50;

const MOMENT: Duration = Duration::from_millis(1);

fn are_of(found: &KeySet, issuer: &KeySet) -> Outcome {
    ensure!(!found.keys().is_empty(), "a set without keys is given");
    for key in found.keys() {
        ensure!(issuer.keys().contains(key), "the key {:?} is none of the issuer's", key.id);
    }
    Ok(())
}

pub(super) async fn every_key_is_of_the_issuer(fresh: FreshKeys) -> Outcome {
    let seen = fresh.source.keys(fresh.now).await?;
    are_of(&seen, &fresh.published)?;
    if let Some(issuer) = &fresh.issuer {
        let published = issuer.changes_its_keys();
        let later = fresh.now.after(issuer.rest() * 2).after(issuer.serves_for());
        are_of(&*fresh.source.keys(later).await?, &published)?;
    }
    Ok(())
}

pub(super) async fn new_keys_come_in_a_new_set(fresh: FreshKeys) -> Outcome {
    let Some(issuer) = &fresh.issuer else { return Ok(()) };
    let seen = fresh.source.keys(fresh.now).await?;
    let published = issuer.changes_its_keys();
    let later = fresh.now.after(issuer.serves_for()).after(issuer.rest() * 2);
    let newer = fresh.source.newer(&seen, later).await?;
    let Some(newer) = newer else {
        return Err(crate::Violation::new("the issuer has new keys, may be asked, and they are not found"));
    };
    ensure!(!Arc::ptr_eq(&newer, &seen), "the set that was seen is called newer");
    are_of(&newer, &published)?;
    are_of(&seen, &fresh.published)
}

pub(super) async fn the_newest_set_has_no_newer_one(fresh: FreshKeys) -> Outcome {
    let rest = fresh.issuer.as_ref().map_or(Duration::from_secs(3600), |issuer| issuer.rest());
    let seen = fresh.source.keys(fresh.now).await?;
    for later in [fresh.now, fresh.now.after(rest * 2)] {
        let newer = fresh.source.newer(&seen, later).await?;
        ensure!(newer.is_none(), "the newest set has a newer one: {newer:?}");
    }
    Ok(())
}

pub(super) async fn unconfirmed_keys_serve_for_the_stated_time(fresh: FreshKeys) -> Outcome {
    let Some(issuer) = &fresh.issuer else { return Ok(()) };
    are_of(&*fresh.source.keys(fresh.now).await?, &fresh.published)?;
    issuer.is_down(true);
    let limit = issuer.serves_for();
    let within = [limit / 2, limit.saturating_sub(MOMENT)];
    for age in within.into_iter().filter(|age| *age < limit) {
        are_of(&*fresh.source.keys(fresh.now.after(age)).await?, &fresh.published)?;
    }
    for age in [limit, limit * 2] {
        let told = fresh.source.keys(fresh.now.after(age)).await;
        ensure!(told.is_err(), "keys last confirmed {age:?} ago give {told:?}, and the limit is {limit:?}");
    }
    Ok(())
}

pub(super) async fn an_issuer_that_was_never_heard_gives_no_keys(fresh: FreshKeys) -> Outcome {
    let Some(issuer) = &fresh.issuer else { return Ok(()) };
    issuer.is_down(true);
    let told = fresh.source.keys(fresh.now).await;
    ensure!(told.is_err(), "an issuer that was never reached gives {told:?}");
    Ok(())
}

pub(super) async fn calls_for_newer_keys_ask_at_a_bounded_rate(fresh: FreshKeys) -> Outcome {
    let Some(issuer) = &fresh.issuer else { return Ok(()) };
    let seen = fresh.source.keys(fresh.now).await?;
    asks_seldom(&fresh.source, &**issuer, &seen, fresh.now).await
}

pub(super) async fn an_outage_is_asked_into_at_a_bounded_rate(fresh: FreshKeys) -> Outcome {
    let Some(issuer) = &fresh.issuer else { return Ok(()) };
    let seen = fresh.source.keys(fresh.now).await?;
    issuer.is_down(true);
    asks_seldom(&fresh.source, &**issuer, &seen, fresh.now).await
}

/// Whether many calls, one after another and at once, ask the issuer once in a rest at most.
async fn asks_seldom(
    source: &Arc<dyn KeySource>,
    issuer: &dyn PlayedIssuer,
    seen: &Arc<KeySet>,
    now: Timestamp,
) -> Outcome {
    let before = issuer.asked();
    for call in 0..RESTS * CALLS_A_REST {
        // During an outage the answer is an error; how often the issuer was asked is what counts.
        drop(source.newer(seen, now.after(issuer.rest() * call / CALLS_A_REST)).await);
    }
    let asked = issuer.asked() - before;
    ensure!(
        u32::try_from(asked).is_ok_and(|asked| asked <= RESTS),
        "{} calls within {RESTS} rests ask the issuer {asked} times",
        RESTS * CALLS_A_REST
    );
    let before = issuer.asked();
    let later = now.after(issuer.rest() * (RESTS + 2));
    let callers: Vec<_> = (0..CALLERS)
        .map(|_| {
            let (source, seen) = (Arc::clone(source), Arc::clone(seen));
            tokio::spawn(async move { drop(source.newer(&seen, later).await) })
        })
        .collect();
    for caller in callers {
        caller.await?;
    }
    let asked = issuer.asked() - before;
    ensure!(asked <= 1, "{CALLERS} calls at once ask the issuer {asked} times");
    Ok(())
}
