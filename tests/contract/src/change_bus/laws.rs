//! The laws, one function each.

use std::sync::Arc;

use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::subscription::{Change, TaskState};
use pm_mcp_ports::driven::Heard;

use crate::law::{Outcome, Violation, ensure};

use super::harness::FreshBus;
use super::listening::{glance, hear, hear_change, hear_number, number_of, numbered, told};

/// How many changes are published in a row where no feed may lag.
const FEW: usize = 64;

pub(super) async fn every_feed_of_the_others_hears_in_order(fresh: FreshBus) -> Outcome {
    let [ours, theirs] = fresh.members();
    for (publishing, listening) in [(&ours, &theirs), (&theirs, &ours)] {
        let mut feeds = [listening.attach().await?, listening.attach().await?];
        for number in 0..FEW {
            publishing.publish(&numbered(number))?;
        }
        for (place, feed) in feeds.iter_mut().enumerate() {
            for wanted in 0..FEW {
                let heard = hear_number(&mut **feed).await?;
                ensure!(heard == wanted, "feed {place} heard change {heard} where {wanted} was its turn");
            }
        }
    }
    Ok(())
}

pub(super) async fn nobody_hears_itself(fresh: FreshBus) -> Outcome {
    let [ours, theirs] = fresh.members();
    let (mut own, mut witness) = (ours.attach().await?, theirs.attach().await?);
    for number in 0..8 {
        ours.publish(&numbered(number))?;
        let heard = hear_number(&mut *witness).await?;
        ensure!(heard == number, "another member heard change {heard} instead of {number}");
        theirs.publish(&numbered(FEW + number))?;
        let heard = hear_number(&mut *own).await?;
        ensure!(
            heard == FEW + number,
            "a member's feed heard change {heard}, which the member published itself"
        );
    }
    Ok(())
}

pub(super) async fn nothing_from_before_is_heard(fresh: FreshBus) -> Outcome {
    let [ours, theirs] = fresh.members();
    let mut witness = theirs.attach().await?;
    for number in 0..8 {
        let (before, after) = (2 * number, 2 * number + 1);
        ours.publish(&numbered(before))?;
        let heard = hear_number(&mut *witness).await?;
        ensure!(heard == before, "change {heard} was heard instead of {before}");
        let mut late = theirs.attach().await?;
        ours.publish(&numbered(after))?;
        for feed in [&mut witness, &mut late] {
            let heard = hear_number(&mut **feed).await?;
            ensure!(heard == after, "change {heard} was heard instead of {after}, the first after attaching");
        }
    }
    Ok(())
}

pub(super) async fn a_feed_that_is_not_read_lags(fresh: FreshBus) -> Outcome {
    let [ours, theirs] = fresh.members();
    let (mut unread, mut read) = (theirs.attach().await?, theirs.attach().await?);
    let many = 2 * fresh.most_waiting().max(1);
    for number in 0..many {
        ours.publish(&numbered(number))?;
        let heard = hear_number(&mut *read).await?;
        ensure!(heard == number, "one feed is not read, and another heard {heard} instead of {number}");
    }
    let (mut next, mut lags) = (0, 0);
    while next < many {
        match hear(&mut *unread).await? {
            Heard::Lagged => lags += 1,
            Heard::Change(change) => {
                let number = number_of(&change)?;
                ensure!(number >= next, "change {number} was heard after {next}");
                ensure!(number == next || lags > 0, "changes {next} to {number} were lost without a word");
                next = number + 1;
            }
        }
    }
    ensure!(lags > 0, "a feed kept {many} changes that nobody read, more than its harness tells");
    for number in many..many + FEW {
        ours.publish(&numbered(number))?;
        let heard = hear_number(&mut *unread).await?;
        ensure!(heard == number, "after it had lagged, a feed heard {heard} instead of {number}");
    }
    Ok(())
}

pub(super) async fn a_dropped_wait_takes_nothing(fresh: FreshBus) -> Outcome {
    let [ours, theirs] = fresh.members();
    let mut feed = theirs.attach().await?;
    let mut heard = Vec::new();
    let mut note = |glanced: Option<Heard>| match glanced {
        Some(Heard::Change(change)) => number_of(&change).map(|number| heard.push(number)),
        Some(Heard::Lagged) => Err(Violation::new("a feed says that it lagged, with few changes waiting")),
        None => Ok(()),
    };
    for number in 0..FEW {
        note(glance(&mut *feed).await?)?;
        ours.publish(&numbered(number))?;
        note(glance(&mut *feed).await?)?;
        tokio::task::yield_now().await;
    }
    ours.publish(&numbered(FEW))?;
    while heard.last() != Some(&FEW) {
        heard.push(hear_number(&mut *feed).await?);
    }
    let wanted: Vec<usize> = (0..=FEW).collect();
    ensure!(heard == wanted, "waits were dropped, and of the changes 0 to {FEW} came {heard:?}");
    Ok(())
}

pub(super) async fn a_dropped_feed_costs_nothing(fresh: FreshBus) -> Outcome {
    let [ours, theirs] = fresh.members();
    let mut kept = theirs.attach().await?;
    for number in 0..FEW {
        let mut dropped = theirs.attach().await?;
        if number % 2 == 0 {
            // Dropped in the middle of its wait.
            glance(&mut *dropped).await?;
        }
        drop(dropped);
        ours.publish(&numbered(number))?;
        let heard = hear_number(&mut *kept).await?;
        ensure!(heard == number, "a feed was dropped, and another heard {heard} instead of {number}");
    }
    Ok(())
}

pub(super) async fn a_change_arrives_whole(fresh: FreshBus) -> Outcome {
    let [ours, theirs] = fresh.members();
    let mut feed = theirs.attach().await?;
    let state =
        r#"{"taskId":"t-1","status":"completed","result":{"text":"a \"b\"\\ \n ü 😀","n":[1.5,null,true]}}"#;
    for change in [
        Change::ToolsListChanged,
        Change::PromptsListChanged,
        Change::ResourcesListChanged,
        Change::ResourceUpdated { uri: "file:///a%20b/ü?q='\"&x#y".into() },
        Change::TaskChanged {
            task: Arc::from("t-1"),
            principal: Principal::of_subject("https://issuer.example", "anna o'neil, \"a\""),
            state: TaskState::try_from(state)?,
        },
        Change::TaskChanged {
            task: Arc::from("t-2"),
            principal: Principal::loopback(),
            state: TaskState::try_from("{}")?,
        },
    ] {
        ours.publish(&change)?;
        let (published, heard) = (told(&change), told(&hear_change(&mut *feed).await?));
        ensure!(heard == published, "`{published}` arrived as `{heard}`");
    }
    Ok(())
}

pub(super) async fn what_was_sent_outlives_its_member(fresh: FreshBus) -> Outcome {
    let ([ours, theirs], _place) = fresh.into_members();
    let mut feed = theirs.attach().await?;
    for number in 0..FEW {
        ours.publish(&numbered(number))?;
    }
    ours.sent().await;
    drop(ours);
    for wanted in 0..FEW {
        let heard = hear_number(&mut *feed).await?;
        ensure!(heard == wanted, "of a member that is gone change {heard} was heard instead of {wanted}");
    }
    Ok(())
}
