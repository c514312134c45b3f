//! The laws on what is kept, one function each.

use std::collections::BTreeSet;
use std::error::Error;
use std::sync::Arc;

use pm_mcp_domain::access::Issuer;
use pm_mcp_domain::authorization::Credential;
use pm_mcp_ports::driven::{CredentialStore, Revision, SaveCredentialError};

use crate::law::{Outcome, Violation, ensure};
use crate::secret::shows;

use super::harness::FreshCredentials;
use super::samples::{SECRET, credential, issuer};

const CALLERS: u32 = 8;

async fn expect(
    store: &dyn CredentialStore,
    issuer: &Issuer,
    wanted: Option<(&Credential, Revision)>,
) -> Outcome {
    let found = store.load(issuer).await?;
    let found = found.as_ref().map(|stored| (&stored.credential, stored.revision));
    ensure!(found == wanted, "of {issuer} there is {found:?} instead of {wanted:?}");
    Ok(())
}

fn conflict(outcome: Result<impl std::fmt::Debug, SaveCredentialError>, what: &str) -> Outcome {
    ensure!(matches!(outcome, Err(SaveCredentialError::Conflict)), "{what} gives {outcome:?}");
    Ok(())
}

pub(super) async fn what_was_saved_is_found_as_it_was(mut fresh: FreshCredentials) -> Outcome {
    let [store, twin] = fresh.pair().await?;
    let at = issuer("https://as.example/t")?;
    expect(&*store, &at, None).await?;
    let mut saved = credential(1)?;
    let revision = store.save(&at, &saved, None).await?;
    // What becomes of the caller's value later is no business of the store.
    saved.client.client_id.push('x');
    expect(&*store, &at, Some((&credential(1)?, revision))).await?;
    expect(&*twin, &at, Some((&credential(1)?, revision))).await?;
    let bare = Credential::of(credential(2)?.client);
    let next = twin.save(&at, &bare, Some(revision)).await?;
    expect(&*store, &at, Some((&bare, next))).await?;
    store.remove(&at, next).await?;
    expect(&*twin, &at, None).await
}

pub(super) async fn issuers_are_told_apart_letter_for_letter(fresh: FreshCredentials) -> Outcome {
    let store = fresh.store();
    let near = [
        "https://as.example/t",
        "https://as.example/t/",
        "https://as.example/T",
        "https://AS.example/t",
        "https://as.example:443/t",
        "https://as.example/%74",
        "https://as.example",
        "https://as.example/",
        "https://as.example/t%2F",
        "https://as.example/../t",
    ];
    let mut kept = Vec::new();
    for (number, url) in (0..).zip(near) {
        let (at, credential) = (issuer(url)?, credential(number)?);
        expect(&*store, &at, None).await?;
        let revision = store.save(&at, &credential, None).await?;
        kept.push((at, credential, revision));
    }
    for (at, credential, revision) in &kept {
        expect(&*store, at, Some((credential, *revision))).await?;
    }
    Ok(())
}

pub(super) async fn a_stale_save_changes_nothing(fresh: FreshCredentials) -> Outcome {
    let store = fresh.store();
    let at = issuer("https://as.example")?;
    let first = store.save(&at, &credential(1)?, None).await?;
    conflict(store.save(&at, &credential(2)?, None).await, "a save that expects nothing where something is")?;
    let second = store.save(&at, &credential(2)?, Some(first)).await?;
    conflict(store.save(&at, &credential(3)?, Some(first)).await, "a save that expects what was replaced")?;
    expect(&*store, &at, Some((&credential(2)?, second))).await?;
    store.remove(&at, second).await?;
    conflict(store.save(&at, &credential(3)?, Some(second)).await, "a save that expects what was removed")?;
    expect(&*store, &at, None).await
}

pub(super) async fn of_many_who_expect_the_same_one_saves(mut fresh: FreshCredentials) -> Outcome {
    let stores = fresh.pair().await?;
    let at = issuer("https://as.example")?;
    let mut expected = None;
    for round in 0..8 {
        let mut callers = Vec::new();
        for (number, store) in (0..CALLERS).zip(stores.iter().cycle()) {
            let (store, at, credential) = (Arc::clone(store), at.clone(), credential(number)?);
            callers.push(tokio::spawn(async move { store.save(&at, &credential, expected).await }));
        }
        let mut winners = Vec::new();
        for (number, caller) in (0..).zip(callers) {
            match caller.await? {
                Ok(revision) => winners.push((number, revision)),
                Err(SaveCredentialError::Conflict) => {}
                Err(fault) => return Err(fault.into()),
            }
        }
        let [(number, revision)] = winners[..] else {
            return Err(Violation::new(format!(
                "in round {round}, {} of {CALLERS} callers saved",
                winners.len()
            )));
        };
        for store in &stores {
            expect(&**store, &at, Some((&credential(number)?, revision))).await?;
        }
        expected = Some(revision);
    }
    Ok(())
}

pub(super) async fn a_removal_takes_what_was_expected_and_nothing_else(fresh: FreshCredentials) -> Outcome {
    let store = fresh.store();
    let [at, other] = [issuer("https://as.example")?, issuer("https://as.example/")?];
    let kept = store.save(&other, &credential(9)?, None).await?;
    let first = store.save(&at, &credential(1)?, None).await?;
    let second = store.save(&at, &credential(2)?, Some(first)).await?;
    conflict(store.remove(&at, first).await, "a removal that expects what was replaced")?;
    expect(&*store, &at, Some((&credential(2)?, second))).await?;
    store.remove(&at, second).await?;
    conflict(store.remove(&at, second).await, "a removal of what is not there")?;
    expect(&*store, &at, None).await?;
    expect(&*store, &other, Some((&credential(9)?, kept))).await
}

pub(super) async fn no_revision_is_given_out_twice(mut fresh: FreshCredentials) -> Outcome {
    let stores = fresh.pair().await?;
    let at = issuer("https://as.example")?;
    let mut given = BTreeSet::new();
    for store in stores.iter().cycle().take(6) {
        let first = store.save(&at, &credential(1)?, None).await?;
        let second = store.save(&at, &credential(1)?, Some(first)).await?;
        ensure!(
            given.insert(first) && given.insert(second),
            "a revision is given out twice: {first} or {second}"
        );
        store.remove(&at, second).await?;
    }
    Ok(())
}

pub(super) async fn acknowledged_saves_survive_a_killed_process(mut fresh: FreshCredentials) -> Outcome {
    let [at, gone] = [issuer("https://as.example")?, issuer("https://gone.example")?];
    let saved = fresh.store().save(&at, &credential(1)?, None).await?;
    let removed = fresh.store().save(&gone, &credential(2)?, None).await?;
    fresh.store().remove(&gone, removed).await?;
    let store = fresh.killed_and_reopened().await?;
    expect(&*store, &at, Some((&credential(1)?, saved))).await?;
    expect(&*store, &gone, None).await?;
    conflict(
        store.save(&gone, &credential(2)?, Some(removed)).await,
        "a save that expects what was removed before the restart",
    )?;
    let again = store.save(&gone, &credential(2)?, None).await?;
    ensure!(again != removed, "a revision is given out again after the restart");
    Ok(())
}

pub(super) async fn durability_is_as_declared(fresh: FreshCredentials) -> Outcome {
    let (claimed, declared) = (fresh.store().durability(), fresh.durability());
    ensure!(claimed == declared, "the store says {claimed:?}, its harness {declared:?}");
    Ok(())
}

pub(super) async fn nothing_of_a_secret_is_printed(fresh: FreshCredentials) -> Outcome {
    let store = fresh.store();
    let at = issuer("https://as.example")?;
    store.save(&at, &credential(1)?, None).await?;
    let mut printed = format!("{store:?} {store:#?} {:?}", store.load(&at).await?);
    if let Err(fault) = store.save(&at, &credential(2)?, None).await {
        let mut source: Option<&dyn Error> = Some(&fault);
        while let Some(fault) = source {
            printed.push_str(&format!(" {fault} {fault:?}"));
            source = fault.source();
        }
    }
    ensure!(!shows(printed.as_bytes(), SECRET.as_bytes()), "a secret can be read in {printed}");
    Ok(())
}
